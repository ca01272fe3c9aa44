import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import {
  COMMANDS_SUBMITTED_SIGNAL,
  operatorActNames,
} from '../../src/bookings/rules/booking-messages.ts'
import {
  DELIVER_SIGNAL,
  endpointCommandNames,
  PROGRESS_QUERY,
  RETRY_UPDATE,
} from '../../src/webhooks/rules/endpoint-messages.ts'

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

test('every query, signal and update in the handbook exists in the workflows', () => {
  const named = (option: string) =>
    [...handbook.matchAll(new RegExp(`--${option} (\\w+)`, 'g'))].map(([, name = '']) => name)
  const messages = [
    ...[COMMANDS_SUBMITTED_SIGNAL, DELIVER_SIGNAL, RETRY_UPDATE],
    ...[...endpointCommandNames, ...operatorActNames],
  ]
  expect(named('type')).toEqual([PROGRESS_QUERY])
  expect(named('name')).not.toEqual([])
  expect(messages).toEqual(expect.arrayContaining(named('name')))
})
