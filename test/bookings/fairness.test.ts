import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { deleteLimits } from '../../src/bookings/store/limits.ts'
import { type Agent, openAgent } from '../support/agent.ts'
import type { Service } from '../support/network.ts'
import { nightly } from '../support/nightly.ts'
import { eventually } from '../support/programs.ts'
import { test } from '../support/service.ts'
import { addVenue } from '../support/test-venues.ts'

/** More than a worker's connections, and as many workflow tasks as a worker takes at a time. */
const IN_FLIGHT = 40

let service: Service

test.beforeAll(({ service: shared }) => {
  service = shared
})

const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
const roomy = () => addVenue(service.db, [{ strategy: 'pooled', rules: { places: 1_000 } }])
type Answered = ReturnType<Agent['post']>

/** Repeats a call, which waits for a minute at most, until it is decided. */
const decided = (call: (key: Record<string, string>) => Answered) => {
  const key = { 'idempotency-key': randomUUID() }
  const decision = async () => {
    const answer = await call(key)
    return answer.status === 202 ? undefined : answer
  }
  return eventually('a decision', decision, 110_000)
}

const book = (agent: Agent, venue_id: string, ahead: number) => {
  const slot = { venue_id, slot_time: `${day(ahead)}T19:00:00`, party_size: 2, wait: 60 }
  return decided((key) => agent.post('/api/bookings', slot, key))
}
/** An account with the usual limits. */
async function usualAgent(): Promise<Agent> {
  const agent = await openAgent(service.db, service.url)
  await deleteLimits(service.db, agent.accountId)
  return agent
}

/** Makes all of the account's steps that take a slot wait for its lock. */
async function holdUp({ accountId }: Agent) {
  const key = `limits ${accountId}`
  const lock = await service.db.connect()
  await lock.query('begin')
  await lock.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key])
  let most = 0
  const waiting = async () => {
    const { rows } = await service.db.query(
      `select count(*)::int as n from pg_locks
       where locktype = 'advisory' and not granted
         and (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0)`,
      [key],
    )
    most = Math.max(most, rows[0].n)
    return rows[0].n
  }
  return {
    untilWaiting: () =>
      eventually('steps to wait for the account', async () => (await waiting()) > 0),
    /** The answers, and the most connections that waited for the lock at once. */
    async during<T>(work: () => Promise<T>) {
      let isOver = false
      const result = work().finally(() => {
        isOver = true
      })
      await eventually('an answer', async () => {
        await waiting()
        return isOver
      })
      return { result: await result, most }
    },
    /** Closes the connection, which ends its transaction. */
    release: () => lock.release(true),
  }
}

const requestsOf = async ({ accountId }: Agent) =>
  (await service.db.query('select from request where account_id = $1', [accountId])).rowCount
const commandsOf = async ({ accountId }: Agent) =>
  (
    await service.db.query(
      'select from command join request using (booking_id) where account_id = $1',
      [accountId],
    )
  ).rowCount

nightly('while 40 bookings of one account are held up, another account books', async () => {
  const [busy, other] = [await usualAgent(), await usualAgent()]
  const { id } = await roomy()
  const held = await holdUp(busy)
  const bookings = Array.from({ length: IN_FLIGHT }, (_, n) => book(busy, id, 2 + (n % 10)))
  try {
    await held.untilWaiting()
    await eventually('requests', async () => (await requestsOf(busy)) === IN_FLIGHT)
    const { result, most } = await held.during(() => book(other, id, 3))
    expect([result.status, result.body.status]).toEqual([201, 'confirmed'])
    expect(most).toBeLessThanOrEqual(3)
  } finally {
    held.release()
  }
  const answers = await Promise.all(bookings)
  expect(answers.map(({ body }) => body.status)).toEqual(Array(IN_FLIGHT).fill('confirmed'))
})

test('while 40 changes of one account are held up, another account books and cancels', async () => {
  const [busy, other] = [await openAgent(service.db, service.url), await usualAgent()]
  const { id } = await roomy()
  const booked = await Promise.all(Array.from({ length: IN_FLIGHT }, () => book(busy, id, 2)))
  await deleteLimits(service.db, busy.accountId)
  const held = await holdUp(busy)
  const changes = booked.map(({ body }, n) =>
    decided((key) => {
      const change = { slot_time: `${day(3 + (n % 10))}T19:00:00`, wait: 60 }
      return busy.patch(`/api/bookings/${body.booking.id}`, change, key)
    }),
  )
  try {
    await held.untilWaiting()
    await eventually('commands', async () => (await commandsOf(busy)) === IN_FLIGHT)
    const { result, most } = await held.during(async () => {
      const { body } = await book(other, id, 3)
      const cancelled = await other.post(`/api/bookings/${body.booking.id}/cancel`, {})
      return [body.status, cancelled.body.status]
    })
    expect(result).toEqual(['confirmed', 'cancelled'])
    expect(most).toBeLessThanOrEqual(2)
  } finally {
    held.release()
  }
  const answers = await Promise.all(changes)
  expect(answers.map(({ body }) => body.status)).toEqual(Array(IN_FLIGHT).fill('amended'))
})
