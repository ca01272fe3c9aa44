import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { deleteLimits } from '../../src/bookings/store/limits.ts'
import { selectOptionalSimilar } from '../../src/bookings/store/similar.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { type Agent, inThreeDays, openAgent } from '../support/agent.ts'
import type { Service } from '../support/network.ts'
import { test } from '../support/service.ts'
import { addVenue } from '../support/test-venues.ts'

let service: Service
let db: Pool

test.beforeAll(({ service: shared }) => {
  service = shared
  ;({ db } = service)
})

const newAgent = () => openAgent(db, service.url, 'pro', false)
const day = inThreeDays()
const keyed = () => ({ 'idempotency-key': randomUUID() })
/** A slot with three tables at a new venue. */
const slotAt = async (time = '19:00') => {
  const { id } = await addVenue(db, [{}])
  return { venue_id: id, slot_time: `${day}T${time}:00`, party_size: 2 }
}
const book = (agent: Agent, body: Record<string, unknown>, path = '/api/bookings') =>
  agent.post(path, body, keyed())

const ayu = { name: 'Ayu', phone: '+62 812-3456-7890', email: 'ayu@example.com' }

describe('the same guest at an overlapping time, at another venue', () => {
  test.each([
    ['guest_ref', { guest_ref: 'ayu' }, { guest_ref: 'ayu', guest: { name: 'Ayu' } }],
    ['name and phone', { guest: ayu }, { guest: { name: 'ayu', phone: '081234567890' } }],
    ['name and email', { guest: ayu }, { guest: { name: 'AYU', email: 'Ayu@Example.com' } }],
    [
      'a name spelled in another way',
      { guest: { ...ayu, name: 'José  Peña' } },
      { guest: { ...ayu, name: ' jose\u0301 Pen\u0303a ' } },
    ],
  ])('is found by %s', async (_, one, other) => {
    const agent = await newAgent()
    const first = await book(agent, { ...(await slotAt()), ...one })
    const late = await slotAt('20:00')
    for (const path of ['/api/bookings', '/api/holds']) {
      const { status, body } = await book(agent, { ...late, ...other, party_size: 3 }, path)
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'similar_booking' })
      expect(body.similar.id).toBe(first.body.booking.id)
      expect(body).not.toHaveProperty('alternatives')
    }
    expect((await book(agent, { ...late, ...other, also: true })).status).toBe(201)
  })

  test('is not similar at another time, for another name or reference, or once over', async () => {
    const agent = await newAgent()
    const one = { guest: ayu, guest_ref: 'ayu' }
    const first = await book(agent, { ...(await slotAt()), ...one })
    for (const other of [
      { ...(await slotAt('12:00')), ...one },
      { ...(await slotAt('20:00')), ...one, guest: { ...ayu, name: 'Budi' } },
      { ...(await slotAt('20:00')), ...one, guest_ref: 'ayu 2' },
      { ...(await slotAt('20:00')) },
      { ...(await slotAt('18:00')), guest: { name: 'Cara', phone: 'n/a' } },
      { ...(await slotAt('18:00')), guest: { name: 'Cara', phone: '-' } },
    ]) {
      expect((await book(agent, other)).status, JSON.stringify(other)).toBe(201)
    }
    const apart = await newAgent()
    expect((await book(apart, { ...(await slotAt()), ...one })).status).toBe(201)
    await agent.post(`/api/bookings/${first.body.booking.id}/cancel`, {})
    expect((await book(agent, { ...(await slotAt('20:00')), ...one })).status).toBe(201)
  })
})

test.each(['with limits', 'without limits'])(
  'of similar requests at once under different keys, an account %s books one',
  async (limits) => {
    const agent = await newAgent()
    if (limits === 'with limits') await deleteLimits(db, agent.accountId)
    const [slot, other] = [await slotAt(), await slotAt('19:30')]
    const requests = [
      { ...slot, guest_ref: 'ayu' },
      { ...slot },
      { ...slot, guest_ref: 'ayu', guest: { name: 'Ayu' } },
      { ...other, guest_ref: 'ayu', party_size: 4 },
    ]
    const answers = await Promise.all(requests.map((one) => book(agent, one)))
    const codes = answers.map(({ body }) => body.code ?? body.status)
    const booked = codes.filter((code) => code === 'confirmed')
    // The second request names no guest, so it is similar to those of its own slot only.
    const isApart = answers[1]?.status === 201 && answers[3]?.status === 201
    expect(booked, codes.join()).toHaveLength(isApart ? 2 : 1)
    expect(new Set(codes)).toEqual(new Set(['confirmed', 'similar_booking']))
  },
)

describe('the confirmation of a hold', () => {
  test('is not similar to itself, and adds the guest, who is compared', async () => {
    const agent = await newAgent()
    const first = await book(agent, { ...(await slotAt()), guest_ref: 'ayu' })
    const { id } = (await book(agent, await slotAt('20:00'), '/api/holds')).body.booking
    const confirm = (more: Record<string, unknown>) => book(agent, { hold_id: id, ...more })
    const similar = await confirm({ guest_ref: 'ayu' })
    expect(similar.body).toMatchObject({
      code: 'similar_booking',
      similar: { id: first.body.booking.id },
    })
    expect((await agent.get(`/api/bookings/${id}`)).body.booking.guest_ref).toBeNull()
    const other = await confirm({ guest_ref: 'budi' })
    expect(other.body).toMatchObject({ status: 'confirmed', booking: { id, guest_ref: 'budi' } })
    expect((await confirm({ guest_ref: 'budi' })).body).toMatchObject({ joined: true })
    expect((await confirm({ guest_ref: 'ayu' })).body).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/guest_ref' }],
    })
  })

  test.each([
    ['another guest', { guest: { name: 'Zoe' } }, { name: 'Zoe', notes: null }],
    ['the same guest', { guest: { name: 'AYU' } }, { name: 'AYU', notes: 'Nuts' }],
    ['no guest', {}, { name: 'Ayu', notes: 'Nuts' }],
  ])('for %s gives the venue only notes that are theirs', async (_, more, stored) => {
    const agent = await newAgent()
    const hold = { ...(await slotAt()), guest: ayu, notes: 'Nuts' }
    const { id } = (await book(agent, hold, '/api/holds')).body.booking
    expect((await book(agent, { hold_id: id, ...more })).status).toBe(201)
    const text = 'select name, notes from booking_guest where booking_id = $1'
    expect((await db.query(text, [id])).rows).toEqual([stored])
  })

  test('needs no `also` if nothing is similar, nor a second time', async () => {
    const agent = await newAgent()
    const slot = { ...(await slotAt()), guest_ref: 'ayu' }
    await book(agent, slot)
    const hold = await book(agent, { ...slot, also: true }, '/api/holds')
    const { id } = hold.body.booking
    const { body } = await book(agent, { hold_id: id, guest_ref: 'ayu', guest: ayu })
    expect(body).toMatchObject({ status: 'confirmed', booking: { id, guest_ref: 'ayu' } })
  })
})

test('a change into the slot of a similar booking names it, and is made', async () => {
  const agent = await newAgent()
  const slot = await slotAt()
  const first = await book(agent, { ...slot, guest_ref: 'ayu' })
  const later = await book(agent, { ...slot, slot_time: `${day}T12:00:00`, guest_ref: 'ayu' })
  const path = `/api/bookings/${later.body.booking.id}`
  const change = { slot_time: slot.slot_time }
  for (const more of [{ dry_run: true }, {}]) {
    const { body } = await agent.patch(path, { ...change, ...more })
    expect(body.status).toBe('dry_run' in more ? 'possible' : 'amended')
    expect(body.next).toContain('You already have a booking like this')
    expect(body.next).toContain(first.body.booking.id)
  }
  const away = await agent.patch(path, { slot_time: `${day}T12:00:00` })
  expect(away.body).toMatchObject({ status: 'amended' })
  expect(away.body.next ?? '').not.toContain('like this')
})

test('however many live bookings an account has, the look-up reads few rows', async () => {
  const agent = await newAgent()
  const slot = await slotAt()
  const { body } = await book(agent, { ...slot, guest_ref: 'ayu' })
  const { id } = body.booking
  const client = await db.connect()
  try {
    await client.query('begin')
    await client.query(
      `with copied as (
         insert into request select (jsonb_populate_record(r, jsonb_build_object('booking_id',
           gen_random_uuid(), 'guest_ref', 'guest ' || n, 'natural_key', null))).*
         from request r, generate_series(1, 5000) n where r.booking_id = $1 returning booking_id
       ) insert into booking select (jsonb_populate_record(b, jsonb_build_object('id',
           booking_id, 'venue_id', $2::uuid))).* from booking b, copied where b.id = $1`,
      [id, (await addVenue(db, [{}])).id],
    )
    await client.query('analyze request, booking, booking_guest')
    const plans: string[] = []
    const explained = {
      async query({ text, values }: { text: string; values: unknown[] }) {
        const { rows } = await client.query(`explain (analyze, format json) ${text}`, values)
        plans.push(JSON.stringify(rows))
        return { rows: [] }
      },
    }
    const at = new Date(body.booking.starts_at)
    const one = { bookingId: randomUUID(), accountId: agent.accountId, venueId: slot.venue_id }
    const guest = { guest_ref: 'ayu', ...ayu }
    const compared = { ...one, partySize: 2, startsAt: at, endsAt: at, guest }
    await selectOptionalSimilar(explained as unknown as Pool, compared, at)
    const [plan = ''] = plans
    const counts = [...plan.matchAll(/"(?:Actual Rows|Rows Removed by Filter)":([\d.]+)/g)]
    expect(Math.max(...counts.map(([, count]) => Number(count)))).toBeLessThan(500)
  } finally {
    await client.query('rollback')
    client.release()
  }
})
