import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { stopOrphans } from '../../src/local/orphans.ts'

const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

/** A process that survives these signals, with its arguments and the signal that ended it. */
async function orphanThat(ignores: readonly NodeJS.Signals[]) {
  const args = ['-D', `/nowhere/${randomUUID()}`]
  const hear = (['SIGINT', 'SIGQUIT'] as const).map((signal) =>
    ignores.includes(signal)
      ? `process.on('${signal}', () => {});`
      : `process.on('${signal}', () => { console.log('${signal}'); process.exit() });`,
  )
  const script = `${hear.join('')} setInterval(() => {}, 1000); console.log('ready')`
  const child = spawn(process.execPath, ['-e', script, '--', ...args, 'more'])
  started.push(child)
  const said = text(child.stdout)
  const ended = once(child, 'exit').then(async ([, signal]) => signal ?? (await said).trim())
  await once(child.stdout, 'data')
  return { args, child, ended }
}

test.each([
  { ignores: [], by: 'ready\nSIGINT', withinMs: 20_000 },
  // Both signals are given this long; the second needs it on a busy machine.
  { ignores: ['SIGINT'], by: 'ready\nSIGQUIT', withinMs: 2_000 },
  { ignores: ['SIGINT', 'SIGQUIT'], by: 'SIGKILL', withinMs: 200 },
] as const)('an orphan that ignores $ignores ends, and no other process does', async (expected) => {
  const { args, ended } = await orphanThat(expected.ignores)
  const other = await orphanThat([])
  await stopOrphans(args, { signal: 'SIGINT', killSignal: 'SIGQUIT', withinMs: expected.withinMs })
  expect(await ended).toBe(expected.by)
  expect([other.child.exitCode, other.child.signalCode]).toEqual([null, null])
})

test('without leftovers there is nothing to wait for', async () => {
  await stopOrphans(['-D', `/nowhere/${randomUUID()}`], { signal: 'SIGINT' })
})
