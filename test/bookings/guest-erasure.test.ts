import { createHash, randomUUID } from 'node:crypto'
import canonicalize from 'canonicalize'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../../src/base/durations.ts'
import { eraseGuestDetails, eraseOldKeys } from '../../src/bookings/steps/sweep.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { inThreeDays } from '../support/agent.ts'
import { dumpRows } from '../support/dump-rows.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { addVenue } from '../support/test-venues.ts'

const log = createLog('silent')

let service: Service

beforeAll(async () => {
  service = await openService()
})
afterAll(() => service?.close())

const day = inThreeDays()
const once = () => ({ 'idempotency-key': randomUUID() })
const guest = { name: 'Budi Santoso', phone: '+62 811 5550 142', email: 'budi@guest.example' }
const notes = 'Allergic to peanuts, 40th birthday'
const guestRef = 'crm-contact-0815'
const texts = [...Object.values(guest), notes, guestRef]
/** The guest is emailed too, so that the development mailbox has copies. */
const mailed = { ...guest, notify: true }

const post = async (path: string, body: object, headers = {}) => {
  const answer = await service.agent.post(path, body, headers)
  expect([200, 201, 202], JSON.stringify(answer.body)).toContain(answer.status)
  return answer.body
}

/** Everything that an agent can say about a guest, in every way, and the request bodies. */
async function bookInEveryWay(): Promise<object[]> {
  const { id: venue_id } = await addVenue(service.db, [{}, {}, {}, {}, {}, {}])
  const { id: other } = await addVenue(service.db, [{}, {}], { confirmMode: 'request' })
  const slot = { venue_id, slot_time: `${day}T19:00:00`, party_size: 2 }
  const bodies: object[] = []
  const said = (body: object) => {
    bodies.push(body)
    return body
  }
  const aboutGuest = { guest: mailed, notes, guest_ref: guestRef }
  await post('/api/bookings', said({ ...slot, ...aboutGuest }))
  await post('/api/bookings', said({ ...slot, ...aboutGuest, reminders: [60] }), once())
  await post('/api/bookings', said({ ...slot, guest_ref: `${guestRef} 2` }))
  await post('/api/bookings', said({ ...slot, ...aboutGuest, venue_id: other }), {
    ...once(),
    prefer: 'wait=0',
  })

  const alternatives = [{ ...slot, slot_time: `${day}T21:00:00` }]
  const choice = { ...slot, slot_time: `${day}T18:00:00`, ...aboutGuest, alternatives }
  await post('/api/bookings', said(choice))

  const { booking } = await post('/api/holds', said({ ...slot, guest_ref: `${guestRef} 3` }))
  const confirmation = { guest, notes }
  await post('/api/bookings', { hold_id: booking.id, ...confirmation }, once())
  bodies.push({ bookingId: booking.id, kind: 'confirm', input: {}, ...confirmation })

  const refused = { ...slot, ...aboutGuest, party_size: 1_000 }
  expect((await service.agent.post('/api/bookings', said(refused))).status).toBe(422)

  const parts = [slot, { ...slot, slot_time: `${day}T20:00:00` }]
  await post('/api/itineraries', said({ parts, guest, guest_ref: guestRef }))
  return bodies
}

test('a guest’s details are erased with every copy and every digest of them', async () => {
  const bodies = await bookInEveryWay()
  await eventually('all mails', async () => {
    const text = `select count(*)::int as mails from mail where not exists (
      select from booking where guest_notice is not null)`
    return (await service.db.query(text)).rows[0].mails > 0
  })
  const recorded = () =>
    service.db.query(`select l.operation from request_log l
    join request_body b using (account_id, at, request_id) where l.subject_id is not null`)
  await eventually('bodies of every kind of request', async () => {
    const names = new Set((await recorded()).rows.map(({ operation }) => operation))
    return names.size >= 3
  })
  const before = await dumpRows(service.db)
  for (const row of before.split('\n').filter((one) => one.startsWith('request_body'))) {
    for (const text of texts) expect(row).not.toContain(text)
  }
  for (const text of texts) expect(before).toContain(text)

  // Unkeyed digests: with the rest of a body known, one could guess the phone number.
  const digests = bodies.map((body) =>
    createHash('sha256')
      .update(canonicalize(body) ?? '')
      .digest('hex'),
  )
  for (const digest of digests) expect(before).not.toContain(digest)

  const at = new Date(Date.now() + 94 * DAY_MS)
  expect(await eraseGuestDetails({ db: service.db, log }, at)).toMatchObject({ failed: 0 })
  await eraseOldKeys({ db: service.db, log }, at)
  const after = await dumpRows(service.db)
  for (const text of [...texts, ...digests]) expect(after).not.toContain(text)
  expect((await recorded()).rows).toEqual([])
  const kept = await service.db.query('select from guest_mail')
  expect(kept.rows).toEqual([])
  const { rows } = await service.db.query(
    `select body_hash, natural_key from request where body_hash <> '' or natural_key is not null
     union all
     select body_hash, natural_key from booking_group
     where body_hash <> '' or natural_key is not null`,
  )
  expect(rows).toEqual([])
})

test('a booking can still be read after its guest is erased, 90 days after the slot', async () => {
  const { id: venue_id } = await addVenue(service.db, [{}])
  const slot = { venue_id, slot_time: `${day}T19:00:00`, party_size: 2 }
  const { booking } = await post('/api/bookings', { ...slot, guest_ref: guestRef })
  const read = async () => (await service.agent.get(`/api/bookings/${booking.id}`)).body.booking
  await eraseGuestDetails({ db: service.db, log }, new Date(Date.now() + 92 * DAY_MS))
  expect((await read()).guest_ref).toBe(guestRef)
  await eraseGuestDetails({ db: service.db, log }, new Date(Date.now() + 94 * DAY_MS))
  expect(await read()).toMatchObject({ id: booking.id, status: 'confirmed', guest_ref: null })
})
