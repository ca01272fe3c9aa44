import { Webhook } from 'standardwebhooks'
import { afterAll, expect } from 'vitest'
import { createEngine } from '../../src/compose/engine.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import { createEndpointNotifier } from '../../src/webhooks/hooks.ts'
import { notifyOnCommit } from '../../src/webhooks/store/outbox.ts'
import { type Agent, openAgent } from '../support/agent.ts'
import { insertTestEvent } from '../support/endpoints.ts'
import type { Service } from '../support/network.ts'
import { isNightly } from '../support/nightly.ts'
import { eventually } from '../support/programs.ts'
import { type Answering, openReceiver, proving, type Receiver } from '../support/receiver.ts'
import { test } from '../support/service.ts'

let service: Service
let receivers: Receiver[] = []
test.beforeAll(({ service: shared }) => {
  service = shared
  // The workflow is notified of the test's own events, like those from the doors.
  notifyOnCommit(
    service.db,
    createEndpointNotifier(createEngine(service.client), () => {}),
  )
})

afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()))
})

const isSigned = (secret: string, raw: string, headers: object): boolean => {
  try {
    new Webhook(secret).verify(raw, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

/** A receiver that accepts only signatures made with `secrets`. */
type Strict = { agent: Agent; id: string; receiver: Receiver; secrets: string[]; refused: string[] }

/** An active endpoint whose receiver verifies with an independent library. */
async function openStrict(): Promise<Strict> {
  const strict = { secrets: [] as string[], refused: [] as string[] }
  const answer: Answering = (response, request, nth) => {
    const { raw, headers, body } = request
    const isKnown = strict.secrets.some((secret) => isSigned(secret, raw, headers))
    if (!isKnown) strict.refused.push(body.id)
    if (!isKnown) return void response.writeHead(401).end()
    proving(() => strict.secrets[0] ?? '')(response, request, nth)
  }
  const receiver = await openReceiver(answer)
  receivers = [...receivers, receiver]
  const agent = await openAgent(service.db, service.url)
  const made = await agent.post('/api/webhooks', { url: receiver.url })
  const { id } = made.body.endpoint
  strict.secrets.push(made.body.secret)
  const verified = await agent.post(`/api/webhooks/${id}/verify`, {})
  expect(verified.body.status).toBe('verified')
  return Object.assign(strict, { agent, id, receiver })
}

/** Events of several batches. */
const SEVERAL = isNightly ? 150 : 50

/** Events for this endpoint only, several per transaction. */
const putEvents = ({ agent, id }: Strict, count: number) =>
  transaction(service.db, async (tx) => {
    const event = { accountId: agent.accountId, endpointId: id, note: null, at: new Date() }
    for (let n = 0; n < count; n += 1) await insertTestEvent(tx, event)
  })

async function deliveries({ id }: Strict): Promise<Record<string, number>> {
  const { rows } = await service.db.query(
    'select status, count(*)::int from delivery where endpoint_id = $1 group by 1',
    [id],
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

test('during three rotations every delivery verifies with the receiver’s secret', async () => {
  const strict = await openStrict()
  const { agent, id, secrets, refused } = strict
  const arrived = () => strict.receiver.received.length
  let isOver = false
  let put = 0
  const load = async () => {
    while (!isOver) {
      await putEvents(strict, 20)
      put += 20
      // never more than a few batches ahead of the receiver
      await eventually('the load is taken', async () => put - arrived() < SEVERAL + 50)
    }
  }
  const loading = load()
  for (let rotation = 1; rotation <= 3; rotation += 1) {
    const before = arrived()
    await eventually('events arrive before the rotation', async () => arrived() > before + SEVERAL)
    const rotated = await agent.post(`/api/webhooks/${id}/rotate`, { overlap_hours: 1 })
    const at = arrived()
    // The receiver switches late, from the old secret alone to the new one alone.
    await eventually('events arrive in the overlap', async () => arrived() > at + SEVERAL)
    secrets.splice(0, 1, rotated.body.secret)
  }
  const last = arrived()
  await eventually('events arrive after the rotations', async () => arrived() > last + SEVERAL)
  isOver = true
  await loading
  await eventually('all is delivered', async () => (await deliveries(strict)).delivered === put)
  expect(refused).toEqual([])
  const { keys } = (await agent.get(`/api/webhooks/${id}`)).body.endpoint
  expect(keys.map(({ state }: { state: string }) => state)).toEqual([
    'current',
    'expiring',
    'expiring',
    'expiring',
  ])
})

test('a staged secret becomes current only when the receiver accepts its signature', async () => {
  const { agent, id, secrets, receiver } = await openStrict()
  const staged = (await agent.post(`/api/webhooks/${id}/rotate`, { staged: true })).body
  const early = await agent.post(`/api/webhooks/${id}/activate`, {})
  expect(early).toMatchObject({
    status: 409,
    body: { code: 'not_proved', attempt: { status: 'failed', http_status: 401 } },
  })
  await agent.post(`/api/webhooks/${id}/test`, {})
  await eventually('a test meanwhile is taken by the old secret', async () =>
    receiver.received.some(({ body }) => body.type === 'endpoint.test'),
  )
  secrets.push(staged.secret)
  const activated = await agent.post(`/api/webhooks/${id}/activate`, { overlap_hours: 0 })
  expect(activated).toMatchObject({
    status: 200,
    body: { key_id: staged.key_id, endpoint: { keys: [{ id: staged.key_id, state: 'current' }] } },
  })
  secrets.shift()
  const { event_id } = (await agent.post(`/api/webhooks/${id}/test`, {})).body
  const arrived = await eventually('the test arrives', async () =>
    receiver.received.find(({ body }) => body.id === event_id),
  )
  expect(isSigned(staged.secret, arrived.raw, arrived.headers)).toBe(true)
})

test('revoking aborts requests in flight; they are resent with the new secret alone', async () => {
  const strict = await openStrict()
  const { agent, id, secrets, receiver, refused } = strict
  const [leaked = ''] = secrets
  const strictly = receiver.answer
  const hanging = new Set<object>()
  receiver.answer = (response) => {
    hanging.add(response)
    response.on('close', () => hanging.delete(response))
  }
  await putEvents(strict, 30)
  await eventually('requests hang', async () => hanging.size > 0)
  const inFlight = [...hanging]
  const before = receiver.received.length
  const revoked = await agent.post(`/api/webhooks/${id}/revoke`, {})
  expect(revoked.body.endpoint.keys).toHaveLength(1)
  secrets.splice(0, 1, revoked.body.secret)
  receiver.answer = strictly
  await eventually('they are called off', async () => !inFlight.some((one) => hanging.has(one)))
  await eventually('all is delivered', async () => (await deliveries(strict)).delivered === 30)
  expect(refused).toEqual([])
  const after = receiver.received.slice(before)
  expect(after.length).toBeGreaterThanOrEqual(30)
  const { rows } = await service.db.query(
    `select count(*)::int as count from attempt
     where endpoint_id = $1 and (status = 'succeeded' or failure = 'timeout')
       and cause <> 'challenge' and signed_with <> array[$2::uuid]`,
    [id, revoked.body.key_id],
  )
  expect(rows).toEqual([{ count: 0 }])
  expect(after.some(({ raw, headers }) => !isSigned(leaked, raw, headers))).toBe(true)
})
