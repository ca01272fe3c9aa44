import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(resolve(root, path), 'utf8')
const handbook = read('docs/operate/operations.md')
const code = globSync('{src,activities,workflows}/**/*.ts', { cwd: root }).map(read).join('\n')

test('every log message in the handbook exists in the code', () => {
  const [, table = ''] = /## Logs\n(.*?)\n## /s.exec(handbook) ?? []
  const messages = [...table.matchAll(/^\| (`[^|]+) \| (?:info|warn|error)/gm)].flatMap(
    ([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, message = '']) => message),
  )
  expect(messages.length).toBeGreaterThan(20)
  expect(messages.filter((message) => !code.includes(message))).toEqual([])
})

test('every query and signal in the handbook exists in the workflows', () => {
  const names = [...handbook.matchAll(/--(?:type|name) (\w+)/g)].map(([, name = '']) => name)
  expect(names.length).toBe(2)
  expect(names.filter((name) => !code.includes(`_QUERY = '${name}'`)).length).toBe(1)
  expect(names.filter((name) => !code.includes(`_SIGNAL = '${name}'`)).length).toBe(1)
})
