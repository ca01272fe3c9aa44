import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { expect, test } from 'vitest'
import { programOf } from '../../packages/cli/program.ts'
import { run } from '../../packages/cli/run.ts'
import { readSettings } from '../../packages/cli/settings.ts'
import { json, network, problem } from '../support/answering.ts'
import { callCli } from '../support/cli.ts'
import { fakeTerminal, Keyboard } from '../support/fake-terminal.ts'
import { eventually, startProgram } from '../support/programs.ts'

const key = `service_live_${'k'.repeat(43)}`
const venue = '01a1fe14-6cb9-7562-8d94-b8aa549d7d5d'
const booking = ['book', venue, '2026-12-24T19:00', '--party', '2', '--idempotency-key', 'once']
const as = (url: string) => ({
  VENUE_NETWORK_URL: url,
  VENUE_NETWORK_KEY: key,
  XDG_CONFIG_HOME: '/nonexistent',
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a wait with %i and says how to learn the outcome', async (signal, code) => {
  const { url, seen } = await network(() => {})
  const program = startProgram('packages/cli/main.ts', as(url), booking)
  await eventually('it asks', async () => seen.length > 0)
  expect(await program.end(signal)).toBe(code)
  expect(program.output()).toContain('--idempotency-key once')
})

test.runIf(existsSync('/dev/full'))('an unprintable answer is not a success', async () => {
  const stdio = ['ignore', openSync('/dev/full', 'w'), 'pipe'] as const
  const child = spawn(process.execPath, ['packages/cli/main.ts', 'completion', 'bash'], {
    stdio: [...stdio],
  })
  let said = ''
  child.stderr?.on('data', (text) => {
    said += text
  })
  await once(child, 'close')
  expect([child.exitCode, said]).toEqual([3, 'The answer cannot be written (ENOSPC).\n'])
})

test('a network failure is not a refusal: the booking may exist', async () => {
  const { url } = await network(problem(500, 'internal_error', { retry_after: 31 }))
  const { code, stderr } = await callCli(booking, as(url))
  expect([code, stderr]).toEqual([3, expect.stringContaining('--idempotency-key once')])
})

test('an accepted request exits with 4 when polling fails', async () => {
  const fee = { status: 'none' }
  const made = { id: venue, status: 'requested', venue: {}, slot_time: '', fee }
  const pending = { status: 'pending', booking: { ...made, hold_until: null, answer_by: null } }
  const { url } = await network(json(202, pending), problem(429, 'quota_exceeded'))
  const { code, stdout, stderr } = await callCli([...booking, '--json'], as(url))
  expect([code, JSON.parse(stdout).status]).toEqual([4, 'pending'])
  expect(stderr).toContain('The request was accepted')
})

test('a key typed for --key-stdin is not echoed', async () => {
  const { url, seen } = await network(json(200, { version: '1' }))
  const keyboard = new Keyboard()
  const { terminal, written } = fakeTerminal(keyboard, true)
  const settings = readSettings({ XDG_CONFIG_HOME: '/nonexistent' })
  const done = run(
    programOf('venue-network'),
    ['whoami', '--key-stdin', '--url', url],
    settings,
    terminal,
  )
  await eventually('it asks', async () => keyboard.listenerCount('data') > 0)
  for (const text of [key, '\r']) keyboard.emit('data', text)
  expect([await done, seen[0]?.authorization]).toEqual([0, `Bearer ${key}`])
  expect(keyboard.raw).toEqual([true, false])
  expect(written()).not.toContain(key)
})
