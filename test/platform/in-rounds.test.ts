import { setTimeout as sleep } from 'node:timers/promises'
import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, test } from 'vitest'
import { inRounds } from '../../activities/in-rounds.ts'
import type { Rounds } from '../../src/base/rounds.ts'
import { isHandedOver } from '../../src/platform/temporal/hand-over.ts'
import { readableLog } from '../support/lines.ts'

const short = { count: 3, seconds: 1 }
const long = { count: 3, seconds: 60 }

type Options = { rounds?: Rounds; stopping?: AbortSignal; age?: number }

/** Runs the work in rounds, as an activity scheduled `age` ms ago would. */
function run(
  work: (round: number, environment: MockActivityEnvironment) => unknown,
  { rounds = short, stopping, age = 0 }: Options = {},
) {
  const environment = new MockActivityEnvironment({ scheduledTimestampMs: Date.now() - age })
  const { log, lines } = readableLog()
  let round = 0
  const done = environment.run(() =>
    inRounds(rounds, { log, stopping }, async () => {
      round += 1
      return work(round, environment)
    }),
  )
  return { done, lines, count: () => round }
}

test('work is done in rounds, and the last one is the result', async () => {
  const { done, count } = run((round) => round)
  expect(await done).toBe(count())
  expect(count()).toBeGreaterThan(1)
})

test('the next round makes up for a failed one', async () => {
  const { done, lines, count } = run((round) => {
    if (round === 1) throw new Error('no database')
    return 'done'
  })
  expect(await done).toBe('done')
  expect(count()).toBeGreaterThan(1)
  expect(lines()).toMatchObject([{ msg: 'a scheduled round failed', activity: 'unknown' }])
})

test('the failure of the last round fails the run, and is not retried', async () => {
  const { done } = run(() => {
    throw new Error('no database')
  })
  await expect(done).rejects.toMatchObject({ message: 'no database', nonRetryable: true })
})

test('an attempt after the worker died does only the remaining rounds', async () => {
  const { done, count } = run(() => 'done', { age: 2_500 })
  expect(await done).toBe('done')
  expect(count()).toBe(1)
})

test('a round that outlasts the time for all rounds is the last', async () => {
  const rounds = { count: 4, seconds: 0.01 }
  const { done, count } = run((round) => sleep(50, round), { rounds })
  expect(await done).toBe(1)
  expect(count()).toBe(1)
})

test('a worker that stops leaves the rounds to another', async () => {
  const stop = new AbortController()
  const { done, count } = run(() => stop.abort(), { rounds: long, stopping: stop.signal })
  const error = await done.catch((thrown: unknown) => thrown)
  expect(isHandedOver(error)).toBe(true)
  expect(error).toMatchObject({ nonRetryable: false })
  expect(count()).toBe(1)
})

test('a cancelled run ends as cancelled', async () => {
  const { done, count } = run((_, environment) => environment.cancel(), { rounds: long })
  await expect(done).rejects.toMatchObject({ name: 'CancelledFailure' })
  expect(count()).toBe(1)
})
