import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { subjectProblem } from '../../tools/check/commit-message.ts'

const folder = mkdtempSync(join(tmpdir(), 'commit-message-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  'bookings: keep a hold while it is paid',
  'docs, web: bring both pages up to date',
  'x402: process refunds in order\n\nA body ends with a period.',
  '\n# a comment\nhouse: seed the demo venues',
  'Merge branch "main"',
  'Revert "bookings: keep a hold"',
  'fixup! bookings: keep a hold',
])('the message %j is accepted', (message) => {
  expect(subjectProblem(message)).toBeUndefined()
})

test.each([
  ['', 'area'],
  ['wip', 'area'],
  ['keep a hold while it is paid', 'area'],
  ['Bookings: keep a hold', 'area'],
  ['bookings:keep a hold', 'area'],
  ['bookings: keep a hold.', 'period'],
  ['bookings: kept holds are paid'.padEnd(73, '!'), '72'],
  ['bookings: keeps a hold', 'not "keeps"'],
  ['bookings: added a hold', 'not "added"'],
  ['bookings: adding a hold', 'not "adding"'],
])('the message %j is refused', (message, why) => {
  expect(subjectProblem(message)).toContain(why)
})

test.each([
  ['bookings: keep a hold', 0],
  ['bookings: keeps a hold', 1],
])('the hook of Git ends with the right status for %j', (message, status) => {
  const file = join(folder, 'message')
  writeFileSync(file, message)
  const hook = manifest['simple-git-hooks']['commit-msg']
  const cwd = resolve(import.meta.dirname, '../..')
  expect(spawnSync('sh', ['-c', hook, 'commit-msg', file], { cwd }).status).toBe(status)
})
