import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import type { Pool } from '../../src/platform/database/sql.ts'
import { type Agent, inThreeDays, openAgent } from '../support/agent.ts'
import { everyDoorTo } from '../support/every-door.ts'
import type { Service } from '../support/network.ts'
import { postEnvelope } from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'
import { test } from '../support/service.ts'
import { addVenue } from '../support/test-venues.ts'

let service: Service
let agent: Agent
let db: Pool

test.beforeAll(async ({ service: shared }) => {
  service = shared
  ;({ db } = service)
  agent = await openAgent(db, service.url, 'pro', false)
})

const day = inThreeDays()
const once = () => ({ 'idempotency-key': randomUUID() })

/** A slot with three tables at a new venue. */
const slotOf = async (confirmMode: 'auto' | 'request' = 'auto') => {
  const venue = await addVenue(db, [{}], { confirmMode })
  return { venue_id: venue.id, slot_time: `${day}T19:00:00`, party_size: 2 }
}
const guestOf = async (id: string) =>
  (await db.query('select name, phone, notes from booking_guest where booking_id = $1', [id])).rows

/** The final answer to the confirmation of a hold, which may take longer than a call waits. */
const answerTo = (id: string, name: string) => {
  const key = once()
  return eventually(`the answer to ${name}`, async () => {
    const { status, body } = await agent.post(
      '/api/bookings',
      { hold_id: id, guest: { name } },
      key,
    )
    expect([200, 201, 202, 409], JSON.stringify(body)).toContain(status)
    return status === 202 ? undefined : body
  })
}

const bookingsAt = async (slot: { venue_id: string }) =>
  (await db.query('select id from booking where venue_id = $1', [slot.venue_id])).rows

describe.each([
  ...everyDoorTo('booking.confirm').map(([door, send]) => ({ door, send, what: 'confirmation' })),
  ...everyDoorTo('booking.hold').map(([door, send]) => ({ door, send, what: 'hold' })),
])('a $what at $door without a key', ({ send }) => {
  test('joins the previous one only if the whole body is equal', async () => {
    const { key } = await openAgent(db, service.url)
    const slot = await slotOf()
    const budi = { ...slot, guest: { name: 'Budi' }, notes: 'A window' }
    const first = await send(service, key, budi)
    expect(first).toMatchObject({ code: 'ok', body: { joined: false } })
    const { id } = first.body.booking
    expect(first.body.booking.guest_ref).toBeNull()

    const again = await send(service, key, { ...budi, slot_time: slot.slot_time.slice(0, 16) })
    expect(again.body).toMatchObject({ joined: true, booking: { id, guest_ref: null } })

    for (const other of [
      { ...budi, notes: 'Allergic to nuts' },
      { ...budi, reminders: [60] },
      slot,
      { ...budi, guest_ref: 'budi' },
      { ...budi, idempotency_key: randomUUID() },
    ]) {
      const refused = await send(service, key, other)
      expect(refused.code).toBe('similar_booking')
      const { status, party_size } = first.body.booking
      expect(refused.body.similar).toMatchObject({ id, status, party_size })
      expect(refused.message).toContain('`also: true`')
    }
    const citra = await send(service, key, { ...budi, guest: { name: 'Citra' } })
    expect(citra.body).toMatchObject({ joined: false })
    const twice = { ...budi, also: true }
    const also = await send(service, key, twice)
    expect(also.body).toMatchObject({ joined: false })
    expect((await send(service, key, twice)).body).toMatchObject({
      joined: true,
      booking: { id: also.body.booking.id },
    })
    expect(await bookingsAt(slot)).toHaveLength(3)
    expect(await guestOf(id)).toEqual([{ name: 'Budi', phone: null, notes: 'A window' }])
  })
})

test('another sender does not join, but its request is similar too', async () => {
  const slot = await slotOf()
  const from = `agent://equal-${randomUUID().slice(0, 8)}`
  const ask = (more: Record<string, unknown>) =>
    postEnvelope(service.url, agent.key, { intent: 'booking.confirm', payload: slot, ...more })
  const { body } = await agent.post('/api/bookings', slot)
  const unnamed = await ask({})
  expect(unnamed.body.payload).toMatchObject({ joined: true, booking: { id: body.booking.id } })
  const named = await ask({ from })
  expect(named.body.error).toMatchObject({ code: 'similar_booking' })
  expect(named.body.error.similar.id).toBe(body.booking.id)
  const also = { payload: { ...slot, also: true }, from }
  const second = await ask(also)
  expect(second.body.payload).toMatchObject({ joined: false })
  expect((await ask(also)).body.payload).toMatchObject({
    joined: true,
    booking: { id: second.body.payload.booking.id },
  })
})

describe('a hold that was confirmed', () => {
  test('makes an equal hold or booking similar', async () => {
    const slot = await slotOf()
    const { id } = (await agent.post('/api/holds', slot)).body.booking
    const early = await agent.post('/api/bookings', slot)
    expect(early.body).toMatchObject({
      code: 'similar_booking',
      booking_status: 'held',
      hold_id: id,
    })
    await agent.post('/api/bookings', { hold_id: id, guest: { name: 'Budi' } })
    for (const path of ['/api/holds', '/api/bookings']) {
      const { status, body } = await agent.post(path, slot)
      expect(status).toBe(409)
      expect(body).toMatchObject({
        code: 'similar_booking',
        booking_id: id,
        booking_status: 'confirmed',
      })
      expect(body.detail).toContain('(confirmed)')
      expect(body).not.toHaveProperty('hold_id')
    }
  })

  test('is answered with its current state when the hold is repeated with its key', async () => {
    const slot = await slotOf()
    const key = once()
    const { id } = (await agent.post('/api/holds', slot, key)).body.booking
    await agent.post('/api/bookings', { hold_id: id })
    const again = await agent.post('/api/holds', slot, key)
    expect(again).toMatchObject({ status: 200, body: { status: 'confirmed', replayed: true } })
    expect(again.body.booking).toMatchObject({ id, status: 'confirmed' })
    expect(again.body.next).not.toContain('hold_id')
  })

  test('is confirmed again only for the same guest, notes and reminders', async () => {
    const slot = { ...(await slotOf()), guest_ref: 'budi' }
    const { id } = (await agent.post('/api/holds', slot)).body.booking
    const confirm = (more = {}) => agent.post('/api/bookings', { hold_id: id, ...more }, once())
    const guest = { name: 'Budi', phone: '+62 812' }
    const first = await confirm({ guest, notes: 'A window', reminders: [60] })
    expect(first).toMatchObject({ status: 201, body: { status: 'confirmed', joined: false } })
    expect(first.body.booking.guest_ref).toBe('budi')
    for (const same of [{ guest, notes: 'A window', reminders: [60] }, { guest }, {}]) {
      const again = await confirm(same)
      expect(again).toMatchObject({ status: 200, body: { status: 'confirmed', joined: true } })
      expect(again.body.booking).toEqual(first.body.booking)
    }
    for (const other of [
      { guest: { name: 'Citra' } },
      { guest: { name: 'Budi' } },
      { notes: 'Allergic to nuts' },
      { reminders: [] },
    ]) {
      const refused = await confirm(other)
      expect(refused).toMatchObject({ status: 409, body: { code: 'already_final' } })
      expect(refused.body).toMatchObject({ booking_id: id, booking_status: 'confirmed' })
    }
    expect(await guestOf(id)).toEqual([{ name: 'Budi', phone: '+62 812', notes: 'A window' }])
  })

  test('keeps the guest of the first confirmation, even if two are concurrent', async () => {
    const { id } = (await agent.post('/api/holds', await slotOf(), once())).body.booking
    const names = Array.from({ length: 8 }, (_, n) => `Guest ${n}`)
    const answers = await Promise.all(names.map((name) => answerTo(id, name)))
    expect(answers.map(({ code, status }) => code ?? status).sort()).toEqual([
      ...Array(7).fill('already_final'),
      'confirmed',
    ])
    const won = answers.findIndex(({ status }) => status === 'confirmed')
    expect(await guestOf(id)).toMatchObject([{ name: names[won] }])
    const { rows } = await db.query(
      'select id from command where booking_id = $1 and guest is not null',
      [id],
    )
    expect(rows).toEqual([])
  })

  test('and is still being decided does not change its guest either', async () => {
    const slot = await slotOf('request')
    const { id } = (await agent.post('/api/holds', slot)).body.booking
    const confirm = (name: string) =>
      agent.post('/api/bookings', { hold_id: id, guest: { name }, wait: 2 }, once())
    expect(await confirm('Budi')).toMatchObject({ status: 202, body: { joined: false } })
    // At night, calls do not wait for venue staff, so the answer may need another call.
    expect(await answerTo(id, 'Citra')).toMatchObject({ status: 409, code: 'already_final' })
    expect(await confirm('Budi')).toMatchObject({ status: 202, body: { joined: true } })
    expect(await guestOf(id)).toMatchObject([{ name: 'Budi' }])
    const held = await agent.post('/api/holds', slot)
    expect(held.body).toMatchObject({ code: 'similar_booking', booking_status: 'pending' })
  })
})

test('alternatives and itineraries join only an equal request, and name its owner', async () => {
  const [one, two] = [await slotOf(), await slotOf()]
  const choices = { ...one, alternatives: [two], guest: { name: 'Budi' }, wait: 60 }
  const first = await agent.post('/api/bookings', choices)
  expect(first.body).toMatchObject({ status: 'confirmed', joined: false })
  expect((await agent.post('/api/bookings', choices)).body.joined).toBe(true)
  for (const more of [{}, once()]) {
    const noted = { ...choices, notes: 'A window' }
    expect((await agent.post('/api/bookings', noted, more)).body).toMatchObject({
      code: 'similar_booking',
      booking_id: first.body.booking.id,
    })
  }
  const citra = { ...choices, guest: { name: 'Citra' } }
  const dewi = await agent.post('/api/bookings', { ...citra, guest_ref: 'dewi' })
  expect(dewi.body).toMatchObject({ joined: false, booking: { guest_ref: 'dewi' } })

  const parts = [await slotOf(), { ...(await slotOf()), slot_time: `${day}T12:00:00` }]
  const evening = { parts, guest: { name: 'Budi' }, guest_ref: 'party', wait: 60 }
  const made = await agent.post('/api/itineraries', evening)
  expect(made.body).toMatchObject({ joined: false, itinerary: { guest_ref: 'party' } })
  expect((await agent.post('/api/itineraries', evening)).body.joined).toBe(true)
  const again = await agent.post('/api/itineraries', { ...evening, reminders: [] }, once())
  const ids = made.body.itinerary.parts.map((part: { booking: { id: string } }) => part.booking.id)
  expect(again.body.code).toBe('similar_booking')
  expect(ids).toContain(again.body.similar.id)
  const also = { ...evening, reminders: [], also: true }
  expect((await agent.post('/api/itineraries', also)).body).toMatchObject({ status: 'confirmed' })
})

test('reading and listing say whose booking it is; events and the workflow do not', async () => {
  const slot = { ...(await slotOf()), guest_ref: 'ref-of-ayu' }
  const { id } = (await agent.post('/api/bookings', slot)).body.booking
  expect((await agent.get(`/api/bookings/${id}`)).body.booking.guest_ref).toBe('ref-of-ayu')
  const { bookings } = (await agent.get('/api/bookings?limit=1')).body
  expect(bookings).toMatchObject([{ id, guest_ref: 'ref-of-ayu' }])
  const cancelled = await agent.post(`/api/bookings/${id}/cancel`, {})
  expect(cancelled.body.booking.guest_ref).toBe('ref-of-ayu')
  const { rows } = await db.query(
    `select data::text from event where booking_id = $1
     union all select answer::text from request where booking_id = $1`,
    [id],
  )
  const history = await service.client.workflow.getHandle(`booking/${id}`).fetchHistory()
  expect(JSON.stringify([rows, history])).not.toContain('ref-of-ayu')
})
