import { Webhook } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { expect } from 'vitest'
import { attemptsOf, putEvent, putEvents } from '../support/endpoints.ts'
import type { Service } from '../support/network.ts'
import { openReceiver } from '../support/receiver.ts'
import { openSender, type Sender } from '../support/sender.ts'
import { test } from '../support/service.ts'

let service: Service
let sender: Sender

test.beforeAll(({ service: shared }) => {
  service = shared
  sender = openSender(service)
})

test('an event arrives with its sequence, signed for both official libraries', async () => {
  const receiver = await openReceiver()
  const endpoint = await sender.make({
    url: receiver.url,
    headers: { 'x-team': 'tables' },
  })
  const first = await putEvent(service.db, endpoint.accountId, {
    slot: '19:00',
    note: 'für zwei “é”',
  })
  const second = await putEvent(service.db, endpoint.accountId)
  await sender.until(endpoint, { delivered: 2 })
  expect(new Set(receiver.ids())).toEqual(new Set([first, second]))
  for (const { raw, headers, body } of receiver.received) {
    const given = headers as Record<string, string>
    expect(new Webhook(endpoint.secret).verify(raw, given)).toEqual(body)
    expect(() => new Svix(endpoint.secret).verify(raw, given)).not.toThrow()
    expect(headers).toMatchObject({ 'x-team': 'tables', 'content-type': 'application/json' })
    expect(Object.keys(body)).toEqual(['id', 'type', 'timestamp', 'sequence', 'data'])
    expect(body).toMatchObject({ id: headers['webhook-id'], type: 'venue.availability_opened' })
  }
  expect(receiver.received.map(({ body }) => body.sequence).sort()).toEqual([1, 2])
  expect(await attemptsOf(service.db, endpoint)).toMatchObject([
    { status: 'succeeded', number: 1, http_status: 204, signed_with: [endpoint.keyId] },
    { status: 'succeeded', number: 1, http_status: 204, signed_with: [endpoint.keyId] },
  ])
  await receiver.close()
})

test('300 simultaneous events arrive once each, numbered 1 to 300', async () => {
  const receiver = await openReceiver()
  const endpoint = await sender.make({ url: receiver.url })
  const ids = await putEvents(service.db, endpoint.accountId, 300)
  await sender.until(endpoint, { delivered: 300 })
  expect(receiver.ids().toSorted()).toEqual(ids.toSorted())
  const numbers = receiver.received.map(({ body }) => body.sequence).sort((a, b) => a - b)
  expect(numbers).toEqual(Array.from({ length: 300 }, (_, index) => index + 1))
  await receiver.close()
})

test('a first-in-first-out endpoint gets events one by one, in order', async () => {
  const receiver = await openReceiver((response, _, nth) => {
    response.writeHead(nth === 2 ? 500 : 204).end()
  })
  const endpoint = await sender.make({ url: receiver.url, isFifo: true })
  const ids = await putEvents(service.db, endpoint.accountId, 5)
  await sender.until(endpoint, { delivered: 5 })
  const [first, second, ...rest] = ids
  expect(receiver.ids()).toEqual([first, second, second, ...rest])
  expect(receiver.received.map(({ body }) => body.sequence)).toEqual([1, 2, 2, 3, 4, 5])
  await receiver.close()
})
