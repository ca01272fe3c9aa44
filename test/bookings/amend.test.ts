import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type Agent, findSlot, inThreeDays, openAgent, timesAhead } from '../support/agent.ts'
import { everyDoorTo } from '../support/every-door.ts'
import type { Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { test } from '../support/service.ts'
import { addVenue } from '../support/test-venues.ts'
import { traces } from '../support/traces.ts'

let service: Service
let agent: Agent

test.beforeAll(({ service: shared }) => {
  service = shared
  agent = service.agent
})

const once = () => ({ 'idempotency-key': randomUUID() })

/** Times on one day that are free for two and for three. */
async function slotsOf(query: string) {
  const { body } = await agent.get(
    `/api/venues/search?q=${encodeURIComponent(query)}&limit=10&detail=full`,
  )
  const auto = body.venues.find((venue: any) => venue.confirm_mode === 'auto')
  const [forTwo, forThree] = await Promise.all([
    timesAhead(agent, auto.slug),
    timesAhead(agent, auto.slug, 3),
  ])
  const times = forTwo.filter((time) => forThree.includes(time))
  return { venue_id: auto.id as string, times: times.slice(-6) }
}

/** Every row that an amendment could change. */
async function rowsOf(id: string) {
  const one = async (text: string) => (await service.db.query(text, [id])).rows
  return {
    booking: await one('select * from booking where id = $1'),
    allocations: await one('select * from allocation where booking_id = $1 order by resource_id'),
    places: await one('select * from slot_count where booking_id = $1'),
    fees: await one('select * from fee_entry where booking_id = $1 order by created_at, kind desc'),
    events: await one('select * from event where booking_id = $1 order by number'),
  }
}

test('a booking moves to an overlapping time, keeps its id, and pays for more guests', async () => {
  const { venue_id, times } = await slotsOf('restaurant in Ubud')
  const booked = await agent.post(
    '/api/bookings',
    { venue_id, slot_time: times[0], party_size: 2 },
    once(),
  )
  const { id, fee, revision } = booked.body.booking
  const change = { slot_time: times[1], party_size: 3 }

  const before = await rowsOf(id)
  const dry = await agent.patch(`/api/bookings/${id}`, { ...change, dry_run: true })
  expect(dry).toMatchObject({
    status: 200,
    body: { status: 'possible', booking: { party_size: 3, revision } },
  })
  expect(dry.body.next).toMatch(
    /^This was a dry run: nothing was changed\. .*The fee would be IDR [\d,]+, before IDR [\d,]+\./,
  )
  expect(await rowsOf(id)).toEqual(before)

  const amended = await agent.patch(`/api/bookings/${id}`, change, once())
  expect(amended.body).toMatchObject({
    status: 'amended',
    booking: {
      id,
      status: 'confirmed',
      slot_time: times[1],
      party_size: 3,
      revision: revision + 1,
    },
    amended: { from: { slot_time: times[0], party_size: 2 } },
    cancellation: { fee: 'reversed' },
  })
  expect(amended.body.booking.fee.amount_minor).toBe(Math.round(fee.amount_minor * 1.5))
  const same = await agent.patch(`/api/bookings/${id}`, change)
  expect(same.body).toMatchObject({ status: 'unchanged', booking: { revision: revision + 1 } })
  const back = await agent.patch(`/api/bookings/${id}`, { slot_time: times[0], party_size: 2 })
  expect(back.body).toMatchObject({ status: 'amended', booking: { slot_time: times[0] } })
  const left = await traces(service.db, id)
  expect(left.fees.map(({ kind }: any) => kind)).toEqual([
    'accrual',
    'reversal',
    'accrual',
    'reversal',
    'accrual',
  ])
  expect(left.events.filter((type) => type === 'booking.amended')).toHaveLength(2)
  expect(left.allocations).toHaveLength(1)
})

test('an impossible amendment changes nothing and offers alternatives', async () => {
  const yoga = { strategy: 'pooled' as const, rules: { places: 3 } }
  const { id: venue_id } = await addVenue(service.db, [yoga], { area: 'ubud' })
  const times = ['14:00', '15:00', '16:00'].map((clock) => `${inThreeDays()}T${clock}:00`)
  const ask = { venue_id, slot_time: times[0], party_size: 1 }
  const { id } = (await agent.post('/api/bookings', ask, once())).body.booking
  const others = []
  for (;;) {
    const other = await agent.post('/api/bookings', { ...ask, slot_time: times[2] }, once())
    if (other.status !== 201) break
    others.push(other.body.booking.id)
  }
  expect(others.length).toBeGreaterThan(1)
  const before = await rowsOf(id)
  const refused = await agent.patch(`/api/bookings/${id}`, { slot_time: times[2] }, once())
  expect(refused).toMatchObject({ status: 409, body: { code: 'slot_unavailable', booking_id: id } })
  expect(refused.body.alternatives.length).toBeGreaterThan(0)
  expect(refused.body.detail.match(/`alternatives` lists/g)).toHaveLength(1)
  for (const [change, code] of [
    [{ party_size: 1_000 }, 'party_too_large'],
    [{ party_size: 0 }, 'party_too_small'],
    [{ slot_time: `${times[1]?.slice(0, 17)}01` }, 'slot_off_grid'],
    [{ slot_time: '2020-01-01T10:00:00' }, 'slot_in_past'],
    [{ slot_time: '2099-01-01T10:00:00' }, 'beyond_horizon'],
    [{ slot_time: `${times[1]}Z` }, 'slot_time_has_offset'],
    [{}, 'invalid_request'],
  ] as const) {
    expect((await agent.patch(`/api/bookings/${id}`, change)).body.code).toBe(code)
  }
  expect(await rowsOf(id)).toEqual(before)
})

test('a time alone means the booking’s own day, at every door, and is echoed', async () => {
  const { venue_id, times } = await slotsOf('restaurant in Ubud')
  const [slot_time = '', other = ''] = times
  const { body } = await agent.post('/api/bookings', { venue_id, slot_time, party_size: 2 }, once())
  const { id } = body.booking
  for (const [, send] of everyDoorTo('booking.amend')) {
    for (const change of [{ time: other.slice(11, 16) }, { slot_time: other.slice(11) }]) {
      const { code, body } = await send(service, agent.key, { id, ...change, dry_run: true })
      expect(code).toBe('ok')
      expect(body).toMatchObject({ status: 'possible', booking: { slot_time: other } })
      expect(body.understood).toEqual({ slot_time: other })
    }
  }
  const moved = await agent.patch(`/api/bookings/${id}`, { time: other.slice(11, 16) }, once())
  expect(moved.body).toMatchObject({ status: 'amended', booking: { slot_time: other } })
  expect((await agent.patch(`/api/bookings/${id}`, { time: '7' })).body.code).toBe(
    'invalid_request',
  )
})

test('a request that was refused cannot be amended, which a dry run says too', async () => {
  const { venue_id, times } = await slotsOf('restaurant in Ubud')
  const [slot_time = ''] = times
  const { body } = await agent.post(
    '/api/bookings',
    { venue_id, slot_time, party_size: 90 },
    once(),
  )
  expect(body.code).toBe('party_too_large')
  for (const dry_run of [false, true]) {
    const amended = await agent.patch(`/api/bookings/${body.booking_id}`, {
      party_size: 3,
      dry_run,
    })
    expect(amended.body).toMatchObject({ status: 409, code: 'already_final' })
  }
})

test('two bookings that swap slots concurrently neither lose a slot nor share one', async () => {
  const { venue_id, times } = await slotsOf('yoga in Ubud')
  const [one, other] = await Promise.all(
    [times[0], times[1]].map(async (slot_time) => {
      const ask = { venue_id, slot_time, party_size: 1 }
      return (await agent.post('/api/bookings', ask, once())).body.booking.id as string
    }),
  )
  await Promise.all([
    agent.patch(`/api/bookings/${one}`, { slot_time: times[1] }),
    agent.patch(`/api/bookings/${other}`, { slot_time: times[0] }),
  ])
  const { rows } = await service.db.query(
    `select c.used, coalesce(sum(t.places) filter (where t.active), 0)::int as taken
     from slot_counter c left join slot_count t using (service_id, starts_at)
     group by c.service_id, c.starts_at, c.used`,
  )
  expect(rows.filter(({ used, taken }) => used !== taken)).toEqual([])
})

test('moving a booking after its cut-off does not make cancelling free again', async () => {
  const { venue_id, times } = await slotsOf('restaurant in Canggu')
  const ask = { venue_id, slot_time: times[0], party_size: 2 }
  const { id } = (await agent.post('/api/bookings', ask, once())).body.booking
  await service.db.query(
    `update booking set cancel_until = now() - interval '1 hour' where id = $1`,
    [id],
  )
  const amended = await agent.patch(`/api/bookings/${id}`, { slot_time: times[3] })
  expect(amended.body.cancellation).toMatchObject({ fee: 'kept' })
  expect(amended.body.next).toContain('It can no longer be cancelled free of charge')
  const cancelled = await agent.post(`/api/bookings/${id}/cancel`, { by: 'guest' })
  expect(cancelled.body).toMatchObject({
    cancellation: { fee: 'kept' },
    booking: { status: 'cancelled', cancelled_by: 'guest', fee: { status: 'accrued' } },
  })
})

test('a change after the cut-off raises the fee, but never lowers it', async () => {
  const { venue_id, times } = await slotsOf('restaurant in Canggu')
  const ask = { venue_id, slot_time: times[0], party_size: 3 }
  const { id, fee } = (await agent.post('/api/bookings', ask, once())).body.booking
  const amendTo = async (party_size: number) =>
    (await agent.patch(`/api/bookings/${id}`, { party_size })).body
  expect((await amendTo(2)).booking.fee.amount_minor).toBe((fee.amount_minor / 3) * 2)
  expect((await amendTo(3)).booking.fee).toEqual(fee)
  await service.db.query(
    `update booking set cancel_until = now() - interval '1 hour' where id = $1`,
    [id],
  )
  const smaller = await amendTo(1)
  expect(smaller).toMatchObject({ status: 'amended', booking: { party_size: 1, fee } })
  expect(smaller.cancellation).toMatchObject({ fee: 'kept', amount_minor: fee.amount_minor })
  expect((await amendTo(2)).booking.fee).toEqual(fee)
  expect((await amendTo(4)).booking.fee.amount_minor).toBe((fee.amount_minor / 3) * 4)
  const { fees } = await traces(service.db, id)
  expect(fees.map(({ kind }: { kind: string }) => kind)).toEqual([
    'accrual',
    ...['reversal', 'accrual', 'reversal', 'accrual', 'reversal', 'accrual'],
  ])
})

test('a booking can be amended at most fifty times; operators see its new slot', async () => {
  const { venue_id, times } = await slotsOf('restaurant in Sanur')
  const ask = { venue_id, slot_time: times[0], party_size: 2 }
  const { id } = (await agent.post('/api/bookings', ask, once())).body.booking
  const moved = await agent.patch(`/api/bookings/${id}`, { slot_time: times[2] })
  const { starts_at } = moved.body.booking
  await eventually('the new slot to be shown', async () => {
    const { searchAttributes } = await service.client.workflow.getHandle(`booking/${id}`).describe()
    return (searchAttributes.SlotTime?.[0] as Date)?.toISOString() === starts_at
  })
  await service.db.query('update booking set changes = 50 where id = $1', [id])
  const refused = await agent.patch(`/api/bookings/${id}`, { slot_time: times[1] })
  expect(refused).toMatchObject({ status: 409, body: { code: 'too_many_changes' } })
  expect((await agent.post(`/api/bookings/${id}/cancel`, {})).status).toBe(200)
})

test('a hold can be amended too, and another account’s booking cannot', async () => {
  const held = await agent.post('/api/holds', await findSlot(agent, 'spa in Ubud'), once())
  const { id, hold_until } = held.body.booking
  const moved = await agent.patch(`/api/bookings/${id}`, { party_size: 1 })
  expect(moved.body.booking).toMatchObject({ status: 'held', party_size: 1, hold_until })
  const stranger = await openAgent(service.db, service.url)
  for (const answer of [
    await stranger.patch(`/api/bookings/${id}`, { party_size: 2 }),
    await stranger.post(`/api/bookings/${id}/cancel`, {}),
    await stranger.post('/api/bookings', { hold_id: id }),
    await stranger.post(`/api/holds/${id}/extend`, {}),
  ]) {
    expect(answer).toMatchObject({ status: 404, body: { code: 'booking_not_found' } })
  }
})
