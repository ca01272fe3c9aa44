import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { verify } from '../../src/platform/http/signature.ts'
import { signingKeyContext } from '../../src/webhooks/store/signing-keys.ts'
import { openAgent } from '../support/agent.ts'
import { type MadeEndpoint, putEvent, putEvents } from '../support/endpoints.ts'
import { detailsOf } from '../support/histories.ts'
import type { Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { answers, openReceiver, type Received } from '../support/receiver.ts'
import { recordHistory } from '../support/record-histories.ts'
import { openSender, type Sender } from '../support/sender.ts'
import { test } from '../support/service.ts'

let service: Service
let sender: Sender

test.beforeAll(({ service: shared }) => {
  service = shared
  sender = openSender(service)
})

/** Sends a signal as the Temporal UI and the `temporal` command do. */
const sendRaw = (endpoint: MadeEndpoint, name: string, ...input: unknown[]) =>
  sender.handle(endpoint).signal(name, ...input)
const signal = (endpoint: MadeEndpoint, name: string, input: object = {}) =>
  sendRaw(endpoint, name, { by: 'Ayu', ...input })

const rowOf = async ({ endpointId }: MadeEndpoint) => {
  const { rows } = await service.db.query('select * from endpoint where id = $1', [endpointId])
  return rows[0]
}
const untilStatus = (endpoint: MadeEndpoint, wanted: string) =>
  eventually(`status ${wanted}`, async () => (await rowOf(endpoint)).status === wanted)

/** Waits until the details show this outcome of a signal. */
const untilShown = (endpoint: MadeEndpoint, text: string | RegExp) =>
  eventually(`"${text}" in the details`, async () => {
    const details = await detailsOf(service.client, `webhook/${endpoint.endpointId}`)
    return details.match(text) !== null
  })

async function delivered(count: number) {
  const receiver = await openReceiver()
  const endpoint = await sender.make({ url: receiver.url })
  const ids = await putEvents(service.db, endpoint.accountId, count)
  await sender.until(endpoint, { delivered: count })
  return { receiver, endpoint, ids }
}

test('an operator pauses, resumes, disables and reopens an endpoint by signals', async () => {
  const { receiver, endpoint } = await delivered(1)
  await signal(endpoint, 'pause', { id: 'INC-7' })
  await untilStatus(endpoint, 'paused')
  expect(await rowOf(endpoint)).toMatchObject({ status_reason: 'operator' })
  await untilShown(endpoint, 'An operator has paused it')
  await putEvents(service.db, endpoint.accountId, 2)
  await untilShown(endpoint, /`pause` paused/)
  expect(receiver.received).toHaveLength(1)
  // Both signals belong to one incident.
  await signal(endpoint, 'resume', { id: 'INC-7' })
  await sender.until(endpoint, { delivered: 3 })
  await untilShown(endpoint, /`resume` released 2 held/)

  await signal(endpoint, 'disable', { id: 'INC-1' })
  await untilStatus(endpoint, 'disabled')
  await putEvent(service.db, endpoint.accountId)
  await signal(endpoint, 'resume')
  await untilShown(endpoint, /`resume` ignored: the endpoint is disabled/)
  await signal(endpoint, 'resume', { from: 'disabled', held: 'discard' })
  await untilStatus(endpoint, 'active')
  await sender.until(endpoint, { delivered: 3, discarded: 1 })

  const { rows } = await service.db.query(
    `select action, details from audit_entry where account_id = $1 and door = 'temporal'
     order by at, id`,
    [endpoint.accountId],
  )
  const act = expect.stringMatching(/^[0-9a-f-]{36} 3$/)
  expect(rows).toEqual([
    { action: 'endpoint.paused', details: { act: 'INC-7', by: 'Ayu' } },
    { action: 'endpoint.resumed', details: { act: 'INC-7', by: 'Ayu', held: 'release' } },
    { action: 'endpoint.disabled', details: { act: 'INC-1', by: 'Ayu' } },
    { action: 'endpoint.enabled', details: { act, by: 'Ayu', held: 'discard' } },
  ])

  // The same id does nothing a second time, whenever it comes.
  await signal(endpoint, 'disable', { id: 'INC-1' })
  await untilShown(endpoint, /`disable` done already/)
  expect(await rowOf(endpoint)).toMatchObject({ status: 'active' })
  await recordHistory(sender.handle(endpoint), 'webhook-delivery.operator-signals')
  await receiver.close()
})

test('a late signal from the owner’s operation does not undo what came after it', async () => {
  const receiver = await openReceiver()
  const { agent } = service
  const endpoint = await sender.make({ url: receiver.url, accountId: agent.accountId })
  const path = `/api/webhooks/${endpoint.endpointId}`
  const heard: unknown[] = []
  await agent.post(`${path}/pause`, {})
  await agent.post(`${path}/resume`, {})
  await untilShown(endpoint, /`resume` done already/)
  const { events } = await sender.handle(endpoint).fetchHistory()
  for (const { workflowExecutionSignaledEventAttributes: given } of events ?? []) {
    const [payload] = given?.input?.payloads ?? []
    if (payload?.data) heard.push([given?.signalName, JSON.parse(String(payload.data))])
  }
  expect(heard).toMatchObject([
    ['pause', { id: expect.any(String) }],
    ['resume', { id: expect.any(String), from: 'paused', held: 'release' }],
  ])
  const [[, pause]] = heard as [[string, object]]
  await signal(endpoint, 'pause', pause)
  await untilShown(endpoint, /`pause` done already(.|\n)*`resume` done already/)
  expect(await rowOf(endpoint)).toMatchObject({ status: 'active' })
  await receiver.close()
})

test('an operator replays what failed, once per id, and cancels a replay', async () => {
  const { receiver, endpoint, ids } = await delivered(3)
  const id = randomUUID()
  for (let times = 0; times < 2; times += 1) {
    await signal(endpoint, 'replay', { id, from_number: 2, per_second: 500 })
  }
  await untilShown(endpoint, /`replay` replay [0-9a-f-]{36} of 2 events/)
  await untilShown(endpoint, /`replay` done already/)
  await eventually('both again', async () => receiver.received.length === 5)
  expect(receiver.ids().slice(3).toSorted()).toEqual(ids.slice(1).toSorted())
  const { rows } = await service.db.query('select id, status from replay where endpoint_id = $1', [
    endpoint.endpointId,
  ])
  expect(rows).toHaveLength(1)
  await eventually('its end', async () => {
    const { rows } = await service.db.query('select status from replay where endpoint_id = $1', [
      endpoint.endpointId,
    ])
    return rows[0].status === 'completed'
  })
  await signal(endpoint, 'replay', { replay_id: rows[0].id, change: 'cancel' })
  await untilShown(endpoint, /`replay` ignored: the replay is completed/)
  expect(receiver.received).toHaveLength(5)
  await receiver.close()
})

test('an operator rotates the secret, and its owner is shown the new one once', async () => {
  const receiver = await openReceiver()
  const agent = await openAgent(service.db, service.url)
  const endpoint = await sender.make({ url: receiver.url, accountId: agent.accountId })
  const signedBy = (request: Received, secret: string) => {
    const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
      String(request.headers[`webhook-${name}`]),
    )
    return verify([secret], { id, timestamp, signature }, request.raw, new Date()).ok
  }
  await sender.tell(endpoint)
  await signal(endpoint, 'rotateSecret', { overlap_hours: 1 })
  await untilShown(endpoint, /`rotateSecret` key [0-9a-f-]{36} signs; the one before signs for 1 h/)
  const { rows } = await service.db.query(
    'select * from signing_key where endpoint_id = $1 and valid_until is null',
    [endpoint.endpointId],
  )
  const fresh = sender.sealer.open(rows[0].secret, signingKeyContext(rows[0].id))
  await putEvent(service.db, endpoint.accountId)
  await sender.until(endpoint, { delivered: 1 })
  const [first] = receiver.received as [Received]
  expect([endpoint.secret, fresh].map((secret) => signedBy(first, secret))).toEqual([true, true])

  const path = `/api/webhooks/${endpoint.endpointId}/rotate`
  expect((await agent.post(path, {})).body).toMatchObject({ secret: fresh, key_id: rows[0].id })
  const again = await agent.post(path, { overlap_hours: 0 })
  expect(again.body.secret).not.toBe(fresh)

  await signal(endpoint, 'rotateSecret', { revoke: true })
  await untilShown(endpoint, /all others are revoked/)
  await putEvent(service.db, endpoint.accountId)
  await sender.until(endpoint, { delivered: 2 })
  const last = receiver.received.at(-1) as Received
  const known = [endpoint.secret, fresh, again.body.secret]
  expect(known.map((secret) => signedBy(last, secret))).toEqual([false, false, false])
  const shown = await agent.post(path, {})
  expect(signedBy(last, shown.body.secret)).toBe(true)
  const details = await detailsOf(service.client, `webhook/${endpoint.endpointId}`)
  const history = JSON.stringify(await sender.handle(endpoint).fetchHistory())
  for (const secret of [...known, shown.body.secret]) {
    expect(details).not.toContain(secret)
    expect(history).not.toContain(secret)
  }
  await receiver.close()
})

test('a signal with bad input is shown and ignored, and events go on', async () => {
  const { receiver, endpoint } = await delivered(1)
  receiver.answer = answers(204)
  const bad: [string, ...unknown[]][] = [
    ['pause', { reason: 'maintenance' }],
    ['pause', 'now'],
    ['pause', [1], 2],
    ['resume', { held: 'forget' }],
    ['replay'],
    ['replay', null],
    ['replay', { by: 'Ayu', from_number: 1, failed_since: '2026-01-01T00:00:00Z' }],
    ['replay', { by: 'Ayu', events: [randomUUID()] }],
    ['replay', { by: 'Ayu', replay_id: randomUUID(), change: 'pause' }],
    ['rotateSecret', { by: 'Ayu', overlap_hours: -1 }],
    ['rotateSecret', { by: 'Ayu', id: `a${'\0'}b` }],
    ['disable', { by: 'Ayu', id: '' }],
  ]
  for (const [name, ...input] of bad) {
    const count = async () => {
      const { events } = await sender.handle(endpoint).fetchHistory()
      return (events ?? []).filter(
        ({ activityTaskCompletedEventAttributes: done }) =>
          done && String(done.result?.payloads?.[0]?.data).includes('"ignored"'),
      ).length
    }
    const before = await count()
    await sendRaw(endpoint, name, ...input)
    await eventually(`${name} to be ignored`, async () => (await count()) === before + 1)
  }
  await untilShown(endpoint, /`disable` ignored: /)
  await putEvent(service.db, endpoint.accountId)
  await sender.until(endpoint, { delivered: 2 })
  expect(await rowOf(endpoint)).toMatchObject({ status: 'active' })
  expect((await sender.handle(endpoint).describe()).status.name).toBe('RUNNING')
  await receiver.close()
})

test('the reason why a signal is ignored names what is wrong with it', async () => {
  const { receiver, endpoint } = await delivered(1)
  await sendRaw(endpoint, 'replay', { by: 'Ayu', replay_id: randomUUID(), change: 'explode' })
  await untilShown(endpoint, /`replay` ignored: .*"pause"\|"resume"\|"cancel"/)
  await sendRaw(endpoint, 'pause')
  await untilShown(endpoint, /`pause` ignored: .*\n?.*at by/)
  await receiver.close()
})

test('an endpoint’s workflow survives a request to cancel it', async () => {
  const { receiver, endpoint } = await delivered(1)
  await sender.handle(endpoint).cancel()
  await untilShown(endpoint, /Request Cancellation ended nothing.*signal `pause` holds/)
  await putEvents(service.db, endpoint.accountId, 2)
  await sender.until(endpoint, { delivered: 3 })
  await signal(endpoint, 'pause')
  await untilShown(endpoint, /has paused it(.|\n)*Request Cancellation ended nothing/)
  expect((await sender.handle(endpoint).describe()).status.name).toBe('RUNNING')
  await receiver.close()
})

test('one delivery is sent again by its id or its event’s, and its attempt is shown', async () => {
  const { receiver, endpoint, ids } = await delivered(2)
  const retry = (id: string) => sender.engine.retryDelivery(endpoint, id, 30)
  expect(await retry(ids[1] as string)).toMatchObject({ status: 'succeeded', http_status: 204 })
  expect(receiver.ids().at(-1)).toBe(ids[1])
  const { rows } = await service.db.query(
    'select id from delivery where endpoint_id = $1 order by event_number limit 1',
    [endpoint.endpointId],
  )
  expect(await retry(rows[0].id)).toMatchObject({ status: 'succeeded' })
  await untilShown(
    endpoint,
    /Last attempts(.|\n)*#1 → HTTP 204(.|\n)*#2 → HTTP 204(.|\n)*#2 → HTTP 204/,
  )
  expect(await retry(randomUUID())).toEqual({
    refused: 'unknown',
    why: expect.stringContaining('no delivery with this id'),
  })
  await receiver.close()
})

test('a signal whose name is mistyped is shown as ignored', async () => {
  const { receiver, endpoint } = await delivered(1)
  await signal(endpoint, 'disabel')
  await untilShown(endpoint, '`disabel` ignored: there is no such signal')
  expect(await rowOf(endpoint)).toMatchObject({ status: 'active' })
  await receiver.close()
})
