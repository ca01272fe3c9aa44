import { expect } from 'vitest'
import { HOUR_MS } from '../../src/base/durations.ts'
import { type Db, transaction } from '../../src/platform/database/sql.ts'
import { verify } from '../../src/platform/http/signature.ts'
import { DELIVER_SIGNAL } from '../../src/webhooks/rules/endpoint-messages.ts'
import { insertEndpointCommand } from '../../src/webhooks/store/endpoint-commands.ts'
import { deleteEndpoint } from '../../src/webhooks/store/endpoint-states.ts'
import { deleteSigningKeys, endCurrentKey } from '../../src/webhooks/store/signing-keys.ts'
import { selectWaitingEndpoints } from '../../src/webhooks/store/waiting-endpoints.ts'
import {
  attemptsOf,
  deliveriesOf,
  type MadeEndpoint,
  makeSigningKey,
  putEvent,
  putEvents,
} from '../support/endpoints.ts'
import type { Service } from '../support/network.ts'
import { nightly } from '../support/nightly.ts'
import { eventually } from '../support/programs.ts'
import { answers, openReceiver, proving, type Received } from '../support/receiver.ts'
import { makeReplay } from '../support/replays.ts'
import { untilIdle } from '../support/runs.ts'
import { openSender, type Sender } from '../support/sender.ts'
import { test } from '../support/service.ts'

let service: Service
let sender: Sender

test.beforeAll(({ service: shared }) => {
  service = shared
  sender = openSender(service)
})

const deliveryOf = async ({ endpointId }: { endpointId: string }) => {
  const { rows } = await service.db.query(
    'select * from delivery where endpoint_id = $1 order by event_number limit 1',
    [endpointId],
  )
  return rows[0]
}
const isSigned = ({ headers, raw }: Received, ...secrets: string[]) =>
  verify(
    secrets,
    {
      id: String(headers['webhook-id']),
      timestamp: String(headers['webhook-timestamp']),
      signature: String(headers['webhook-signature']),
    },
    raw,
    new Date(),
  ).ok

/** Records a rotation as the owner's operations do before they signal it. */
const recordRotation = (tx: Db, { endpointId }: MadeEndpoint, { keyId: id }: { keyId: string }) =>
  insertEndpointCommand(tx, { endpointId, id, name: 'rotateSecret', at: new Date() })

test('a failed retry keeps the schedule, and a successful one closes the breaker', async () => {
  const receiver = await openReceiver(answers(500, {}, 'no'))
  const endpoint = await sender.make({ url: receiver.url })
  await putEvents(service.db, endpoint.accountId, 6)
  await eventually('the breaker to be open', async () => {
    const progress = await sender
      .handle(endpoint)
      .query<any>('progress')
      .catch(() => undefined)
    return progress?.isOpen && progress.phase === 'waiting'
  })
  const before = await deliveryOf(endpoint)
  const failed = await sender.retry(endpoint, before.id)
  expect(failed).toMatchObject({ status: 'failed', http_status: 500, failure: 'server_error' })
  const after = await deliveryOf(endpoint)
  expect(after.status).toBe('pending')
  if (after.tries === before.tries) expect(after.due_at).toEqual(before.due_at)

  receiver.answer = answers(200)
  const sent = await sender.retry(endpoint, before.id)
  expect(sent).toMatchObject({ status: 'succeeded', http_status: 200, failure: null })
  await sender.until(endpoint, { delivered: 6 })
  const causes = (await attemptsOf(service.db, endpoint)).map(({ cause }) => cause)
  expect(causes.filter((cause) => cause === 'retry')).toHaveLength(2)
  await receiver.close()
})

test('a challenge is signed, and its signature in a 2xx response lets events be sent', async () => {
  const receiver = await openReceiver(answers(200, {}, 'what?'))
  const endpoint = await sender.make({ url: receiver.url, isProved: false })
  const unproved = await sender.engine.challengeEndpoint(endpoint, 60)
  expect(unproved).toMatchObject({ status: 'succeeded', http_status: 200 })
  const [attempt] = await attemptsOf(service.db, endpoint)
  expect(attempt).toMatchObject({ cause: 'challenge', response_body: null, response_headers: null })
  expect(receiver.received[0]?.body).toMatchObject({
    type: 'endpoint.challenge',
    data: { challenge: endpoint.challenge },
  })
  expect(isSigned(receiver.received[0] as Received, endpoint.secret)).toBe(true)
  await putEvent(service.db, endpoint.accountId)
  expect(await deliveriesOf(service.db, endpoint)).toEqual({})

  receiver.answer = proving(() => endpoint.secret)
  await sender.engine.challengeEndpoint(endpoint, 60)
  receiver.answer = answers(204)
  await putEvent(service.db, endpoint.accountId)
  await sender.until(endpoint, { delivered: 1 })
  await receiver.close()
})

test('revoking a secret aborts requests in flight, which are signed anew and resent', async () => {
  const waiting = new Set<() => void>()
  const receiver = await openReceiver((response) => waiting.add(() => response.end()))
  const endpoint = await sender.make({ url: receiver.url })
  await putEvents(service.db, endpoint.accountId, 3)
  await eventually('three requests', async () => receiver.received.length === 3)
  const fresh = await transaction(service.db, async (tx) => {
    await deleteSigningKeys(tx, endpoint.endpointId)
    const key = await makeSigningKey(tx, sender.sealer, endpoint.endpointId, new Date())
    await recordRotation(tx, endpoint, key)
    return key
  })
  receiver.answer = answers(204)
  const signal = { name: 'rotateSecret', id: fresh.keyId, revoke: true } as const
  await sender.engine.signalEndpoint(endpoint, signal)
  await sender.until(endpoint, { delivered: 3 })
  const statuses = (await attemptsOf(service.db, endpoint)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([...Array(3).fill('succeeded'), ...Array(3).fill('unknown')])
  for (const request of receiver.received.slice(0, 3)) {
    expect(isSigned(request, endpoint.secret)).toBe(true)
  }
  for (const request of receiver.received.slice(3)) {
    expect(isSigned(request, fresh.secret)).toBe(true)
    expect(isSigned(request, endpoint.secret)).toBe(false)
  }
  await receiver.close()
})

test('during a rotation both secrets sign, newest first; a timer erases the old one', async () => {
  const receiver = await openReceiver()
  const endpoint = await sender.make({ url: receiver.url })
  const fresh = await transaction(service.db, async (tx) => {
    await endCurrentKey(tx, endpoint.endpointId, new Date(Date.now() + HOUR_MS))
    const validFrom = new Date(Date.now() + 500)
    const key = await makeSigningKey(tx, sender.sealer, endpoint.endpointId, validFrom)
    await recordRotation(tx, endpoint, key)
    return key
  })
  const signal = { name: 'rotateSecret', id: fresh.keyId } as const
  await sender.engine.signalEndpoint(endpoint, signal)
  await putEvent(service.db, endpoint.accountId)
  await sender.until(endpoint, { delivered: 1 })
  const [request] = receiver.received as [Received]
  expect(isSigned(request, endpoint.secret)).toBe(true)
  expect(isSigned(request, fresh.secret)).toBe(true)
  expect((await attemptsOf(service.db, endpoint))[0]?.signed_with).toEqual([
    fresh.keyId,
    endpoint.keyId,
  ])
  const until = new Date(Date.now() + 2_000)
  await service.db.query('update signing_key set valid_until = $2 where id = $1', [
    endpoint.keyId,
    until,
  ])
  await sender.tell(endpoint)
  await eventually('the old secret to be erased', async () => {
    const { rows } = await service.db.query('select id from signing_key where endpoint_id = $1', [
      endpoint.endpointId,
    ])
    return rows.length === 1 && rows[0].id === fresh.keyId
  })
  expect(Date.now()).toBeGreaterThanOrEqual(until.getTime())
  await receiver.close()
})

test(`a replay resends delivered events after new ones,
      with the same ids and numbers`, async () => {
  const receiver = await openReceiver()
  const endpoint = await sender.make({ url: receiver.url })
  const ids = await putEvents(service.db, endpoint.accountId, 30)
  await sender.until(endpoint, { delivered: 30 })
  const sequences = new Map(receiver.received.map(({ body }) => [body.id, body.sequence]))
  receiver.received.length = 0
  await sender.engine.signalEndpoint(endpoint, await makeReplay(service.db, endpoint, { last: 30 }))
  await eventually('all of it again', async () => receiver.received.length === 30)
  expect(receiver.ids().toSorted()).toEqual(ids.toSorted())
  for (const { body } of receiver.received) expect(body.sequence).toBe(sequences.get(body.id))
  await receiver.close()
})

test('no signal is lost between two runs, and every run stays short', async () => {
  const receiver = await openReceiver()
  const endpoint = await sender.make({ url: receiver.url })
  const handle = sender.handle(endpoint)
  let sent = 0
  await putEvent(service.db, endpoint.accountId)
  sent += 1
  await sender.until(endpoint, { delivered: sent })
  const first = await handle.describe()
  // Signals until the run changes, with an occasional event, to hit every point of the change.
  const runs = new Set([first.runId])
  for (let batch = 0; runs.size < 2 && batch < 400; batch += 1) {
    if (batch % 10 === 0) {
      sent += 1
      await putEvent(service.db, endpoint.accountId)
    }
    await Promise.all(Array.from({ length: 6 }, () => handle.signal('deliver')))
    // Temporal does not end a run while signals arrive faster than it processes them.
    if (batch > 150) await untilIdle(handle)
    runs.add((await handle.describe()).runId)
  }
  expect(runs.size).toBe(2)
  const summary = `Deliveries to endpoint ${endpoint.endpointId}`
  expect((await handle.describe()).memo).toMatchObject({ summary })
  await sender.until(endpoint, { delivered: sent })
  expect(new Set(receiver.ids()).size).toBe(sent)
  const [firstRun] = runs
  const history = await service.client.workflow
    .getHandle(handle.workflowId, firstRun)
    .fetchHistory()
  expect(history.events?.length).toBeLessThan(4_000)
  await receiver.close()
}, 240_000)

test('the workflow of a deleted endpoint ends', async () => {
  const receiver = await openReceiver()
  const endpoint = await sender.make({ url: receiver.url })
  await putEvent(service.db, endpoint.accountId)
  await sender.until(endpoint, { delivered: 1 })
  await transaction(service.db, (tx) => deleteEndpoint(tx, endpoint.endpointId, new Date()))
  await sender.engine.signalEndpoint(endpoint, { name: DELIVER_SIGNAL })
  expect(await sender.handle(endpoint).result()).toBe('deleted')
  await receiver.close()
})

test('an endpoint deleted while Temporal is away is ended by the sweep, once', async () => {
  const receiver = await openReceiver()
  const endpoint = await sender.make({ url: receiver.url })
  await putEvent(service.db, endpoint.accountId)
  await sender.until(endpoint, { delivered: 1 })
  const at = new Date()
  await transaction(service.db, (tx) => deleteEndpoint(tx, endpoint.endpointId, at))
  const isWaiting = async (before: Date) => {
    const waiting = await selectWaitingEndpoints(service.db, before, { after: null, limit: 1_000 })
    return waiting.some(({ endpointId }) => endpointId === endpoint.endpointId)
  }
  // The API might still signal the workflow itself within 15 s.
  expect(await isWaiting(at)).toBe(false)
  const later = new Date(at.getTime() + 16_000)
  expect(await isWaiting(later)).toBe(true)
  await sender.sweep(later)
  expect(await sender.handle(endpoint).result()).toBe('deleted')
  expect(await isWaiting(later)).toBe(false)
  await receiver.close()
})

nightly(
  'endless overlapping retries delay neither events nor continue-as-new',
  async () => {
    const receiver = await openReceiver((response) => {
      setTimeout(() => response.writeHead(204).end(), 300)
    })
    const endpoint = await sender.make({ url: receiver.url })
    const handle = sender.handle(endpoint)
    await putEvents(service.db, endpoint.accountId, 6)
    await sender.until(endpoint, { delivered: 6 })
    const { rows } = await service.db.query('select id from delivery where endpoint_id = $1', [
      endpoint.endpointId,
    ])
    const first = (await handle.describe()).runId
    let isOver = false
    const refusals = new Set<string>()
    const retryOnAndOn = async ({ id }: { id: string }, nth: number) => {
      await new Promise((resume) => setTimeout(resume, nth * 50))
      while (!isOver) {
        const sent = await sender.engine.retryDelivery(endpoint, id, 10)
        if (sent === 'pending' || !('refused' in sent)) continue
        refusals.add(sent.refused)
        await new Promise((resume) => setTimeout(resume, 100))
      }
    }
    const retries = Promise.all(rows.map(retryOnAndOn))
    await eventually(
      'the next run',
      async () => {
        await handle.signal('deliver')
        // Temporal does not end a run while signals arrive faster than it processes them.
        await new Promise((resume) => setTimeout(resume, 1_000))
        return (await handle.describe()).runId !== first
      },
      180_000,
    ).finally(() => {
      isOver = true
    })
    await retries
    expect([...refusals]).toEqual(['busy'])
    await putEvent(service.db, endpoint.accountId)
    await sender.until(endpoint, { delivered: 7 })
    await receiver.close()
  },
  240_000,
)
