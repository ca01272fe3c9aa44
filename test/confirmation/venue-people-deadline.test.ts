import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newSigningSecret } from '../../src/platform/http/signature.ts'
import { openService, type Service } from '../support/network.ts'
import { nightly } from '../support/nightly.ts'
import { eventually } from '../support/programs.ts'
import { traces } from '../support/traces.ts'
import { addPerson, postTo } from '../support/venue-channels.ts'
import {
  answer,
  formOf,
  look,
  requestFromStaff,
  sealerOf,
  send,
  staffAllDay,
  timesFor,
} from '../support/venue-people.ts'

/** In minutes: long enough to open the page, short enough to wait for. */
const PATIENCE = '0.5'
const OFFER_MINUTES = '0.15'

let service: Service
const secret = newSigningSecret()
let told: any[] = []
let failures = 0
const receiver = createServer(async (request, response) => {
  const body = (await request.toArray()).join('')
  const isRefused = failures > 0
  if (isRefused) failures -= 1
  else told.push(new Webhook(secret).verify(body, request.headers as Record<string, string>))
  response.writeHead(isRefused ? 503 : 204).end()
})

beforeAll(async () => {
  service = await openService({
    REQUEST_ANSWER_MINUTES: PATIENCE,
    OFFER_ANSWER_MINUTES: OFFER_MINUTES,
  })
  await staffAllDay(service.db, 'restaurant')
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/notices`
  const { rows } = await service.db.query(`select id from venue where category = 'restaurant'`)
  for (const { id } of rows) await addPerson(service.db, sealerOf(service), id, postTo(url, secret))
})
afterAll(async () => {
  await service?.close()
  receiver.close()
})
afterEach(() => {
  told = []
})

const standing = (id: string, status: string) =>
  eventually(`the booking ${id} to be ${status}`, async () => {
    const { body } = await service.agent.get(`/api/bookings/${id}`)
    return body.booking.status === status && body.booking
  })

const toldOf = (id: string) => told.filter(({ data }) => data.booking_id === id)

test('without a response staff are told, reminded halfway, and the request expires', async () => {
  const made = await requestFromStaff(service)
  await eventually('the request', async () => toldOf(made.id).length === 1)
  await answer(made.page, 'confirmed')
  const { party_size } = await standing(made.id, 'confirmed')
  const wanted = { party_size: party_size + 1, wait: 0 }
  const change = await service.agent.patch(`/api/bookings/${made.id}`, wanted)
  expect(change.body).toMatchObject({ status: 'pending', booking: { status: 'confirmed' } })
  await eventually('the notice of the change', async () => toldOf(made.id).length === 2)
  failures = 1
  const { id, page } = await requestFromStaff(service)
  await eventually('the first notice', async () => toldOf(id).length === 1)
  const { html } = await look(page)
  expect(html).toContain('Waiting for your answer')
  const form = formOf(html, 'confirmed')
  await eventually('the reminder', async () => toldOf(id).length === 2)
  const list = page.replace(/\/bookings\/.*/, '')
  expect((await look(list)).html).toContain('Please answer now')
  expect(await standing(id, 'expired')).toMatchObject({ reason_code: 'venue_no_answer' })
  expect((await send(page, form)).html).toMatch(/nothing was changed. Expired .*: not answered/)
  await eventually('the word that it is over', async () => toldOf(id).length === 3)
  expect(toldOf(id).map(({ type, data }) => [type, data.booking_status])).toEqual([
    ['request.waiting', 'pending'],
    ['request.reminder', 'pending'],
    ['booking.changed', 'expired'],
  ])
  await eventually('the end of the change', async () => {
    const { body } = await service.agent.get(`/api/bookings/${made.id}`)
    return body.booking.change === null
  })
  expect(await standing(made.id, 'confirmed')).toMatchObject({ party_size })
  expect(toldOf(made.id).map(({ type, data }) => [type, data.booking_status])).toEqual([
    ['request.waiting', 'pending'],
    ['request.waiting', 'confirmed'],
  ])
  expect(JSON.stringify(told)).not.toMatch(/Ayu|812 ?3456/)
  expect((await look(told[0].data.link)).html).toContain('Ayu')
  expect(new Set(toldOf(id).map(({ data }) => data.link)).size).toBe(1)
  const { rows } = await service.db.query(
    `select extract(epoch from venue_reminded_at - a.at) / extract(epoch
     from answer_by - a.at) as part
     from booking b join transition a on a.booking_id = b.id and a.transition_id = 'ask'
     where b.id = $1`,
    [id],
  )
  expect(Number(rows[0].part)).toBeGreaterThanOrEqual(0.5)
  expect(await traces(service.db, id)).toMatchObject({
    booking: [{ status: 'expired', venue_sync: 'not_sent', live: false }],
    events: ['booking.held', 'booking.pending', 'booking.expired'],
    fees: [],
    allocations: [{ active: false }],
  })
})

nightly('an offer that the agent does not accept in time expires for good', async () => {
  const { id, page } = await requestFromStaff(service)
  await standing(id, 'pending')
  const times = await eventually('the times to offer', async () => {
    const found = await timesFor(page)
    return found.length > 0 && found
  })
  await answer(page, 'offered', { slot_time: times.at(-1) ?? '' })
  expect(await standing(id, 'expired')).toMatchObject({ reason_code: 'offer_expired' })
  const late = await service.agent.post(`/api/bookings/${id}/offer/accept`, {})
  expect(late).toMatchObject({ status: 409, body: { code: 'offer_expired' } })
  expect((await look(page)).html).toContain('Your offer expired')
  const { allocations, events, fees } = await traces(service.db, id)
  expect(events).toEqual(['booking.held', 'booking.pending', 'booking.offered', 'booking.expired'])
  expect(allocations.every(({ active }) => !active)).toBe(true)
  expect(fees).toEqual([])
  await eventually('the word that it is over', async () =>
    toldOf(id).some(({ data }) => data.booking_status === 'expired'),
  )
})

test('a failing notification address blocks nothing, and stale notices are dropped', async () => {
  failures = 10
  const { id, page } = await requestFromStaff(service)
  await standing(id, 'pending')
  await eventually('the form', async () => (await look(page)).html.includes('value="confirmed"'))
  await answer(page, 'confirmed')
  await standing(id, 'confirmed')
  failures = 0
  await eventually('nothing to be left to tell', async () => {
    const text = 'select ended_reason from notice where booking_id = $1'
    const { rows } = await service.db.query(text, [id])
    return rows.length > 0 && rows.every(({ ended_reason }) => ended_reason === 'answered')
  })
  expect(toldOf(id)).toEqual([])
})
