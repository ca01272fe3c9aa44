import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from '../../packages/cli/commands/commands.ts'
import { exitCodes } from '../../packages/cli/exit-codes.ts'

const text = readFileSync(resolve(import.meta.dirname, '../../docs/guides/cli.md'), 'utf8')
/** The rows of the document's two-column tables. */
const rows = [...text.matchAll(/^\| `?([^|`]+)`? \| ([^|]+) \|$/gm)].map(
  ([, first = '', second]) => [first, second],
)

test('the page lists every command with its description, and no other', () => {
  const documented = rows.filter(([first = '']) => /^[a-z]/.test(first))
  expect(documented).toEqual(commands.map(({ words, summary }) => [words, summary]))
})

test('the page lists every exit code', () => {
  const documented = rows.map(([first]) => Number(first)).filter((code) => !Number.isNaN(code))
  expect(documented).toEqual(Object.values(exitCodes))
})
