import { type Agent, agentWith } from './agent.ts'
import type { Service } from './network.ts'
import { eventually } from './programs.ts'
import { openReceiver, proving, type Receiver } from './receiver.ts'

export type TestClock = {
  id: string
  agent: Agent
  /** the time that the clock shows, in ms */
  now(): Promise<number>
  /** advances the clock and returns the answer, once it has arrived unless `wait` is 0 */
  advance(how: { by: string } | { to: string }, wait?: number): Promise<Record<string, any>>
}

/** Opens a test clock for an account. */
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
    async advance(how, wait = 60) {
      const { body } = await agent.post(`${path}/advance`, { ...how, wait })
      if (wait === 0 || body.status !== 'pending') return body
      return eventually('the clock to arrive', async () => {
        const { body: now } = await agent.get(path)
        return now.test_clock.status === 'ready' && { status: 'ready', ...now }
      })
    },
  }
}

/** A receiver of all of an account's events, with its secret and its endpoint. */
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
  await eventually('the proof', async () => {
    const proved = await agent.post(`/api/webhooks/${endpointId}/verify`, {})
    return proved.body.status === 'verified'
  })
  return { receiver, secret, endpointId }
}

/** A slot at a test venue, at noon there, this many days after an instant. */
export const slotAfter = (venue: string, days: number, now: number) => ({
  venue_id: venue,
  slot_time: `${new Date(now + days * 86_400_000).toISOString().slice(0, 10)}T12:00:00`,
  party_size: 2,
})
