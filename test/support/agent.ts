import { randomUUIDv7 } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { insertAccount, insertKey } from '../../src/accounts/store/accounts.ts'
import { hashKey, newRawKey } from '../../src/accounts/store/key-secret.ts'
import type { Scope } from '../../src/base/scopes.ts'
import { noLimits } from '../../src/bookings/rules/limits.ts'
import { upsertLimits } from '../../src/bookings/store/limits.ts'
import type { Pool } from '../../src/platform/database/sql.ts'

type Answer = { status: number; headers: Headers; body: Record<string, any> }

export type Agent = {
  accountId: string
  key: string
  get(path: string): Promise<Answer>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
}

/** A key for a new account on this tier, without limits that a test or bench could reach. */
export async function makeKey(
  db: Pool,
  tier: 'free' | 'pro',
  scopes?: readonly Scope[],
): Promise<{ accountId: string; key: string }> {
  const accountId = randomUUIDv7()
  const key = newRawKey()
  const at = new Date()
  await insertAccount(db, { id: accountId, name: 'test', tier, requestsPerDay: 1e9, at })
  await upsertLimits(db, accountId, noLimits)
  await insertKey(db, {
    id: randomUUIDv7(),
    accountId,
    name: 'test',
    hash: hashKey(key),
    hint: key.slice(-4),
    ...(scopes && { scopes }),
    at,
  })
  return { accountId, key }
}

/** An agent with a new account on this tier, calling REST at `url`. */
export async function openAgent(
  db: Pool,
  url: string,
  tier: 'free' | 'pro' = 'pro',
  also = true,
): Promise<Agent> {
  const { accountId, key } = await makeKey(db, tier)
  return agentWith(url, accountId, key, also)
}

/** How often an agent retries when the network is overloaded. */
const MAX_RETURNS = 10

/** Booking commands and requests, whose answers are awaited. */
const DECIDED = /^\/api\/(bookings|holds|itineraries)/
const patience = { prefer: 'wait=30' }

/** Requests for slots. A test books on purpose what it books, however similar. */
const BOOKS = /^\/api\/(bookings|holds|itineraries)$/
const asMeant = (path: string, body: unknown) =>
  BOOKS.test(path) && ('venue_id' in Object(body) || 'parts' in Object(body))
    ? { also: true, ...(body as object) }
    : body

/**
 * The same agent at another address; by default, waits for longer than a busy machine needs.
 * Without `also`, the network may refuse what is similar to an earlier booking.
 */
export function agentWith(url: string, accountId: string, key: string, also = true): Agent {
  const call = async (path: string, init: RequestInit, returns = 0): Promise<Answer> => {
    const headers = { authorization: `Bearer ${key}`, ...init.headers }
    const response = await fetch(`${url}${path}`, { ...init, headers })
    const text = await response.text()
    const body = text ? JSON.parse(text) : {}
    if (body.code !== 'overloaded' || returns === MAX_RETURNS) {
      return { status: response.status, headers: response.headers, body }
    }
    await setTimeout(body.retry_after * 1000)
    return call(path, init, returns + 1)
  }
  const send =
    (method: string) => (path: string, body: unknown, headers?: Record<string, string>) =>
      call(path, {
        method,
        body: JSON.stringify(also ? asMeant(path, body) : body),
        headers: {
          'content-type': 'application/json',
          ...(DECIDED.test(path) && patience),
          ...headers,
        },
      })
  return {
    accountId,
    key,
    get: (path) => call(path, {}),
    post: send('POST'),
    patch: send('PATCH'),
  }
}

/** The venue's free times for this party, on its first open day from two days ahead. */
export async function timesAhead(agent: Agent, venue: string, partySize = 2): Promise<string[]> {
  const { body } = await agent.get(
    `/api/venues/${venue}/availability?date=${inThreeDays()}&days=4&party_size=${partySize}`,
  )
  const days: string[][] = body.days.map(({ date, times }: any) =>
    times.map((time: string) => `${date}T${time}:00`),
  )
  return days.find((times) => times.length > 0) ?? []
}

const daysAhead = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

export const inThreeDays = (): string => daysAhead(3)

/** Some venues require a deposit at weekends. */
const isWithoutDeposit = ({ deposits }: { deposits?: unknown }): boolean => !deposits

export type AskedSlot = { venue_id: string; slot_time: string; party_size: number }

/**
 * The last slot without a deposit of each matching venue, on the first of five days that has enough
 * of them. All are at least two days ahead, so that cancelling is free at any time of day.
 */
export async function findSlots(
  agent: Agent,
  query: string,
  count: number,
  partySize = 2,
): Promise<AskedSlot[]> {
  for (const date of [3, 4, 5, 6, 7].map(daysAhead)) {
    const search = `q=${encodeURIComponent(query)}&date=${date}&limit=50&detail=full`
    const { body } = await agent.get(`/api/venues/search?${search}`)
    const slots: AskedSlot[] = body.venues.flatMap(({ id, availability }: any) => {
      const slot = availability.slots.findLast(isWithoutDeposit)
      return slot ? [{ venue_id: id, slot_time: slot.slot_time, party_size: partySize }] : []
    })
    if (slots.length >= count) return slots.slice(0, count)
  }
  throw new Error(`fewer than ${count} bookable slots for "${query}"`)
}

export async function findSlot(agent: Agent, query: string, partySize = 2): Promise<AskedSlot> {
  const [slot] = await findSlots(agent, query, 1, partySize)
  return slot as AskedSlot
}

/** The same slot on a day beyond the booking horizon. */
export const beyondHorizon = (slot: AskedSlot): AskedSlot => ({
  ...slot,
  slot_time: `2049${slot.slot_time.slice(4)}`,
})
