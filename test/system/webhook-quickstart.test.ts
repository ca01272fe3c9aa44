import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { expect } from 'vitest'
import { choosePort } from '../../src/local/ports.ts'
import type { EventType } from '../../src/webhooks/rules/event-types.ts'
import { eventBody, eventData } from '../../src/webhooks/schema/event-bodies.ts'
import { type Agent, findSlot, openAgent } from '../support/agent.ts'
import type { Service } from '../support/network.ts'
import { daily } from '../support/nightly.ts'
import { eventually } from '../support/programs.ts'
import { openReceiver, type Received } from '../support/receiver.ts'
import { test } from '../support/service.ts'
import { languages, missing, runVerifyScript, startReceiver } from '../webhooks/receivers.ts'

let service: Service
test.beforeAll(({ service: shared }) => {
  service = shared
})

/** An endpoint of a new account, created as its developer would. */
async function make(
  url: string,
  more: object = {},
): Promise<{ agent: Agent; id: string; secret: string }> {
  const agent = await openAgent(service.db, service.url)
  const { status, body } = await agent.post('/api/webhooks', { url, ...more })
  expect([status, body.endpoint?.status]).toEqual([201, 'unverified'])
  return { agent, id: body.endpoint.id, secret: body.secret }
}

/** Causes events for the account: a table is held and released. */
async function holdAndRelease(agent: Agent) {
  const held = await agent.post('/api/holds', await findSlot(agent, 'restaurant'))
  expect(held.status).toBe(201)
  const released = await agent.post(`/api/holds/${held.body.booking.id}/release`, {})
  expect(released.status).toBe(200)
}

for (const language of daily(languages)) {
  const reason = missing(language)
  const without = reason ? ` (skipped: ${reason})` : ''

  test.skipIf(reason)(
    `the quickstart with the receiver in ${language}${without} leads to verified events`,
    async () => {
      const port = await choosePort()
      const { agent, id, secret } = await make(`http://127.0.0.1:${port}/`)
      const receiver = await startReceiver(language, [secret], port)
      try {
        const verified = await agent.post(`/api/webhooks/${id}/verify`, {})
        expect(verified).toMatchObject({ status: 200, body: { status: 'verified' } })
        const sent = await agent.post(`/api/webhooks/${id}/test`, { note: 'hello' })
        expect(sent.status).toBe(201)
        await holdAndRelease(agent)
        await eventually('three events are printed', async () => receiver.lines().length >= 4)
        const lines = receiver.lines()
        expect(lines[0]).toBe('challenged')
        // Deliveries may overtake each other.
        expect(lines.slice(1)).toContain(`verified endpoint.test ${sent.body.event_id} 1`)
        const types = lines.slice(1).map((line) => line.split(' ')[1])
        expect(types.sort()).toEqual(['booking.held', 'booking.released', 'endpoint.test'])
        const delivery = await eventually('the delivery is settled', async () => {
          const { body } = await agent.get(`/api/deliveries/${sent.body.delivery_id}`)
          return body.delivery.status === 'delivered' && body
        })
        expect(delivery.attempts).toHaveLength(1)
      } finally {
        await receiver.end()
      }
    },
  )
}

test('a receiver that signs nothing is verified by its log, and requests verify', async () => {
  const receiver = await openReceiver()
  try {
    const headers = { authorization: 'Bearer of-the-receiver' }
    const { agent, id, secret } = await make(receiver.url, { headers })
    const silent = await agent.post(`/api/webhooks/${id}/verify`, {})
    expect(silent.body).toMatchObject({
      status: 'not_verified',
      attempt: { status: 'succeeded', http_status: 204 },
    })
    const { challenge } = receiver.received[0]?.body.data ?? {}
    const verified = await agent.post(`/api/webhooks/${id}/verify`, { challenge })
    expect(verified.body.status).toBe('verified')
    await holdAndRelease(agent)
    await eventually('both events arrive', async () => receiver.received.length >= 3)
    for (const received of receiver.received) {
      const isChallenge = received.body.type === 'endpoint.challenge'
      expect(received.headers.authorization).toBe(isChallenge ? undefined : headers.authorization)
      verifyEverywhere(secret, received)
    }
    const events = receiver.received.slice(1).map(({ body }) => eventBody.parse(body))
    expect(events.map(({ sequence }) => sequence).sort()).toEqual([1, 2])
    for (const { type, data } of events) {
      expect(eventData[type as EventType].parse(data)).toEqual(data)
    }
    const history = await service.client.workflow.getHandle(`webhook/${id}`).fetchHistory()
    const texts = textsIn(history).join('\n')
    expect(texts).toContain(id)
    for (const hidden of [secret.slice(6), 'of-the-receiver', challenge]) {
      expect(texts).not.toContain(hidden)
    }
  } finally {
    await receiver.close()
  }
})

/** Every string in a history, including those in payloads. */
function textsIn(value: unknown): string[] {
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('utf8')]
  if (typeof value === 'string') return [value]
  return value && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}

/** Verifies with both official libraries and with plain openssl. */
function verifyEverywhere(secret: string, { headers, raw }: Received) {
  const signed = headers as Record<string, string>
  expect(new Webhook(secret).verify(raw, signed)).toEqual(JSON.parse(raw))
  expect(() => new SvixWebhook(secret).verify(raw, signed)).not.toThrow()
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  const args = names.map((name) => signed[name] ?? '')
  expect(runVerifyScript(secret, args, raw)).toEqual({ code: 0, text: 'verified' })
}

test('a URL where nobody listens is reported only with a category', async () => {
  const { agent, id } = await make(`http://127.0.0.1:${await choosePort()}/`)
  const { body } = await agent.post(`/api/webhooks/${id}/verify`, {})
  expect(body).toMatchObject({
    status: 'not_verified',
    attempt: { status: 'failed', http_status: null, failure: 'connect' },
  })
})
