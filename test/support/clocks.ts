import type { Pool } from '../../src/platform/database/sql.ts'
import { type Agent, agentWith } from './agent.ts'
import type { Service } from './network.ts'
import { openReceiver, proving, type Receiver } from './receiver.ts'
import { addVenue, type TestVenue } from './test-venues.ts'

export type TestClock = {
  id: string
  agent: Agent
  /** what it shows, in ms */
  now(): Promise<number>
  /** moves it, waits, and returns the answer */
  advance(how: { by: string } | { to: string }, wait?: number): Promise<Record<string, any>>
}

/** A test clock of an account. */
export async function openTestClock(
  { url, agent }: Pick<Service, 'url' | 'agent'>,
  given: { name?: string; now?: string } = {},
): Promise<TestClock> {
  const { status, body } = await agent.post('/api/test_clocks', given)
  if (status !== 201) throw new Error(`no clock: ${JSON.stringify(body)}`)
  const { id } = body.test_clock
  const path = `/api/test_clocks/${id}`
  return {
    id,
    agent: agentWith(url, id, body.raw_key),
    now: async () => Date.parse((await agent.get(path)).body.test_clock.now),
    advance: async (how, wait = 60) => (await agent.post(`${path}/advance`, { ...how, wait })).body,
  }
}

/** A venue that only sandboxes see. */
export async function addTestVenue(
  db: Pool,
  ...options: Parameters<typeof addVenue> extends [Pool, ...infer Rest] ? Rest : never
): Promise<TestVenue> {
  const venue = await addVenue(db, ...options)
  await db.query('update venue set is_test = true where id = $1', [venue.id])
  return venue
}

/** A receiver of everything that happens to an account, with its secret and its endpoint. */
export async function subscribe(
  agent: Agent,
  endpoint: Record<string, unknown> = {},
): Promise<{ receiver: Receiver; secret: string; endpointId: string }> {
  let secret = ''
  const receiver = await openReceiver(proving(() => secret))
  const { status, body } = await agent.post('/api/webhooks', { url: receiver.url, ...endpoint })
  if (status !== 201) throw new Error(`no endpoint: ${JSON.stringify(body)}`)
  secret = body.secret
  const endpointId = body.endpoint.id
  await agent.post(`/api/webhooks/${endpointId}/verify`, {})
  return { receiver, secret, endpointId }
}

/** A slot at a venue, so many days after an instant, at half past seven in the evening there. */
export const slotAfter = ({ id }: TestVenue, days: number, now: number) => ({
  venue_id: id,
  slot_time: `${new Date(now + days * 86_400_000).toISOString().slice(0, 10)}T19:30:00`,
  party_size: 2,
})
