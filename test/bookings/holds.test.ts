import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { findSlot } from '../support/agent.ts'
import type { Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { test } from '../support/service.ts'
import { traces } from '../support/traces.ts'

let service: Service

test.beforeAll(({ service: shared }) => {
  service = shared
})

const once = () => ({ 'idempotency-key': randomUUID() })
const hold = async () =>
  service.agent.post('/api/holds', await findSlot(service.agent, 'restaurant in Ubud'), once())

test('a slot is held, extended once, confirmed, and cancelled free of charge', async () => {
  const { agent, db } = service
  const held = await hold()
  expect(held).toMatchObject({ status: 201, body: { status: 'held', booking: { status: 'held' } } })
  const { id, hold_until } = held.body.booking
  const extended = await agent.post(`/api/holds/${id}/extend`, {})
  const later = Date.parse(extended.body.booking.hold_until) - Date.parse(hold_until)
  expect(later).toBe(5 * 60_000)
  const again = await agent.post(`/api/holds/${id}/extend`, {})
  expect(again).toMatchObject({ status: 409, body: { code: 'already_extended', booking_id: id } })

  const confirmed = await agent.post('/api/bookings', { hold_id: id, guest: { name: 'Ayu' } })
  expect(confirmed).toMatchObject({ status: 201, body: { status: 'confirmed', booking: { id } } })
  expect(confirmed.body.booking).toMatchObject({ hold_until: null, fee: { status: 'accrued' } })

  const read = await agent.get(`/api/bookings/${id}`)
  expect(read.body.cancellation).toMatchObject({ fee: 'reversed', amount_minor: 0 })
  const cancelled = await agent.post(`/api/bookings/${id}/cancel`, {})
  expect(cancelled).toMatchObject({
    status: 200,
    body: { status: 'cancelled', cancellation: { fee: 'reversed' } },
  })
  const twice = await agent.post(`/api/bookings/${id}/cancel`, {})
  expect(twice.body.booking).toEqual(cancelled.body.booking)

  const left = await traces(db, id)
  expect(left.events).toEqual([
    'booking.held',
    'booking.confirmed',
    'fee.accrued',
    'booking.cancelled',
    'fee.reversed',
  ])
  expect(left.allocations.every(({ active }: { active: boolean }) => !active)).toBe(true)
})

test('a released hold frees its slot, and can be neither confirmed nor extended', async () => {
  const { agent } = service
  const { id } = (await hold()).body.booking
  expect((await agent.post(`/api/holds/${id}/release`, {})).body.booking.status).toBe('released')
  expect((await agent.post(`/api/holds/${id}/release`, {})).body.booking.status).toBe('released')
  const confirmed = await agent.post('/api/bookings', { hold_id: id })
  expect(confirmed).toMatchObject({ status: 409, body: { code: 'already_final' } })
  expect(await agent.post(`/api/holds/${id}/extend`, {})).toMatchObject({ status: 409 })
})

test('an account holds at most ten slots, even with twenty concurrent requests', async () => {
  const { agent, db } = service
  // Some gyms have eight places.
  const { rows: gyms } = await db.query(
    `select name from venue v where category = 'gym' and not is_test and not exists (
       select from service o
       join service_rules r on r.service_id = o.id and r.version = o.rule_version
       where o.venue_id = v.id and (r.rules->>'places')::int < 20) order by slug limit 1`,
  )
  const slot = await findSlot(agent, gyms[0].name, 1)
  const asked = { ...slot, party_size: 1 }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => agent.post('/api/holds', asked, once())),
  )
  const held = answers.filter(({ status }) => status === 201)
  const refusals = answers.filter(({ status }) => status !== 201).map(({ body }) => body.code)
  expect(held).toHaveLength(10)
  expect(new Set(refusals)).toEqual(new Set(['hold_limit']))
  for (const { body } of held) await agent.post(`/api/holds/${body.booking.id}/release`, {})
  const { rows } = await service.db.query('select live from hold_counter where account_id = $1', [
    agent.accountId,
  ])
  expect(rows).toEqual([{ live: 0 }])
})

test('the same key and body give the same answer for holds and for commands', async () => {
  const { agent } = service
  const slot = await findSlot(agent, 'spa in Sanur')
  const key = once()
  const first = await agent.post('/api/holds', slot, key)
  const again = await agent.post('/api/holds', slot, key)
  expect(again.body).toEqual({ ...first.body, replayed: true })
  const { id } = first.body.booking
  expect(await agent.post('/api/bookings', slot, key)).toMatchObject({
    status: 422,
    body: { code: 'idempotency_mismatch' },
  })
  const confirmKey = once()
  const confirmed = await agent.post('/api/bookings', { hold_id: id }, confirmKey)
  const repeated = await agent.post('/api/bookings', { hold_id: id }, confirmKey)
  expect(repeated.body).toEqual({ ...confirmed.body, replayed: true })
  const cancelled = await agent.post(`/api/bookings/${id}/cancel`, {}, confirmKey)
  expect(cancelled).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } })
})

test('a request for an overdue hold’s slot must be retried, and the hold ends', async () => {
  const { agent, db, client } = service
  const { venue_id, slot_time, party_size } = await findSlot(agent, 'massage in Bali', 2)
  const ask = { venue_id, slot_time, party_size }
  const held: string[] = []
  for (;;) {
    const one = await agent.post('/api/holds', ask, once())
    if (one.status !== 201) break
    held.push(one.body.booking.id)
  }
  // The workflow was terminated after the hold expired, so nothing ends the hold.
  const [lost = ''] = held
  await client.workflow.getHandle(`booking/${lost}`).terminate('by a test')
  await db.query(
    `update booking set hold_until = now() - interval '1 second',
       next_action_at = now() - interval '1 second' where id = $1`,
    [lost],
  )
  const refused = await agent.post('/api/bookings', ask, once())
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'slot_held', retryable: true, retry_after: 1 },
  })
  expect(refused.headers.get('retry-after')).toBe('1')
  await eventually('the overdue hold to end', async () => {
    const { body } = await agent.get(`/api/bookings/${lost}`)
    return body.booking.status === 'expired'
  })
  expect((await agent.post('/api/bookings', ask, once())).status).toBe(201)
  for (const id of held) await agent.post(`/api/holds/${id}/release`, {})
})

test('the guest given at confirmation replaces the hold’s guest, and then stays', async () => {
  const { agent, db } = service
  const slot = await findSlot(agent, 'restaurant in Sanur')
  const guest = { name: 'Ayu', phone: '+62 812' }
  const { id } = (await agent.post('/api/holds', { ...slot, guest, notes: 'A window' }, once()))
    .body.booking
  const guestOf = async () =>
    (await db.query('select name, phone, notes from booking_guest where booking_id = $1', [id]))
      .rows
  await agent.post('/api/bookings', { hold_id: id, guest: { name: 'Budi' } }, once())
  expect(await guestOf()).toEqual([{ name: 'Budi', phone: null, notes: null }])
  await agent.post('/api/bookings', { hold_id: id, guest: { name: 'Citra' } }, once())
  expect(await guestOf()).toEqual([{ name: 'Budi', phone: null, notes: null }])
})
