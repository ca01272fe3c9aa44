import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteLimits } from '../../src/bookings/store/limits.ts'
import { cancelWatch } from '../../src/waitlist/store/entries.ts'
import { type FullSlot, fillRest, fillSlot, releaseBooking } from '../support/full-slot.ts'
import { bearer, type Doors, jsonOf, openDoors, postEnvelope } from '../support/open-doors.ts'

let doors: Doors
let full: FullSlot
let asked: { venue_id: string; slot_time: string; party_size: number }

beforeAll(async () => {
  doors = await openDoors()
  full = await fillSlot(doors.db, { category: 'restaurant', partySize: 2 })
  const { venueId: venue_id, slotTime: slot_time } = full.slot
  asked = { venue_id, slot_time, party_size: 2 }
})
afterAll(() => doors?.close())

async function send(key: string, path: string, body?: unknown, headers = {}) {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await fetch(`${doors.url}${path}`, {
    ...init,
    headers: { ...bearer(key), ...type, ...headers },
  })
  return { status: response.status, headers: response.headers, body: await jsonOf(response) }
}

test('REST and A2A agree on a watch: deduplicated, read, listed, cancelled', async () => {
  const { key } = await doors.openAccount('pro')
  const made = await send(key, '/api/watches', asked)
  expect(made).toMatchObject({ status: 201, body: { watch: { status: 'watching', position: 1 } } })
  const { watch } = made.body
  expect(made.headers.get('location')).toBe(`/api/watches/${watch.id}`)
  expect(watch).toMatchObject({ until: full.slot.startsAt, flex_minutes: 0, hold_id: null })

  const joined = await postEnvelope(doors.url, key, { intent: 'watch.create', payload: asked })
  expect(joined.body.payload).toMatchObject({ joined: true, watch })
  const flexible = { ...asked, flex_minutes: 60 }
  const other = await postEnvelope(doors.url, key, { intent: 'watch.create', payload: flexible })
  expect(other.body.payload?.watch ?? other.body.error).toMatchObject({ flex_minutes: 60 })

  const read = await postEnvelope(doors.url, key, {
    intent: 'watch.get',
    payload: { id: watch.id },
  })
  expect(read.body.payload).toMatchObject({ watch, retry_after: 60 })
  expect(read.body.payload.next).toContain(`\`watch.get\` with \`id\` ${watch.id}`)
  const listed = await send(key, '/api/watches?limit=1')
  expect(listed.body).toMatchObject({ watches: [{ flex_minutes: 60 }] })
  const next = await send(key, `/api/watches?limit=1&cursor=${listed.body.next_cursor}`)
  expect(next.body).toEqual({ watches: [watch], next_cursor: null })

  const cancelled = await send(key, `/api/watches/${watch.id}/cancel`, {})
  expect(cancelled).toMatchObject({ status: 200, body: { watch: { status: 'cancelled' } } })
  const twice = await postEnvelope(doors.url, key, {
    intent: 'watch.cancel',
    payload: { id: watch.id },
  })
  expect(twice.body.payload).toEqual(cancelled.body)
  const anew = await send(key, '/api/watches', asked)
  expect(anew).toMatchObject({ status: 201 })
  expect(anew.body.watch.id).not.toBe(watch.id)
})

test('a free slot cannot be watched, whatever the key, which stays usable', async () => {
  const { key } = await doors.openAccount('pro')
  const once = { 'idempotency-key': randomUUID() }
  const free = await fillSlot(doors.db, { category: 'gym', partySize: 1 })
  const { venueId: venue_id, slotTime: slot_time } = free.slot
  const input = { venue_id, slot_time, party_size: 1 }
  const [holder] = free.holders
  if (!holder) throw new Error('nobody holds a place')
  await releaseBooking(doors.db, holder)
  const refused = await send(key, '/api/watches', input, once)
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'slot_available', slot_times: [slot_time], venue_id },
  })
  const two = await send(key, '/api/watches', { ...input, party_size: 2 }, once)
  expect(two.status).toBe(201)
})

test('the same key and body find the watch again; another body is refused', async () => {
  const { key } = await doors.openAccount('pro')
  const once = { 'idempotency-key': randomUUID() }
  const first = await send(key, '/api/watches', asked, once)
  const again = await send(key, '/api/watches', asked, once)
  expect(again).toMatchObject({ status: 200, body: { replayed: true, watch: first.body.watch } })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const other = await send(key, '/api/watches', { ...asked, flex_minutes: 5 }, once)
  expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } })
  const ten = await Promise.all(
    Array.from({ length: 10 }, () => send(key, '/api/watches', { ...asked, flex_minutes: 7 })),
  )
  expect(new Set(ten.map(({ body }) => body.watch.id)).size).toBe(1)
})

test('a 21st live watch of an account is refused, even concurrently', async () => {
  const { key } = await doors.openAccount('pro')
  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, n) => send(key, '/api/watches', { ...asked, flex_minutes: n })),
  )
  const codes = answers.map(({ status, body }) => (status === 201 ? 'queued' : body.code))
  expect(codes.filter((code) => code === 'queued')).toHaveLength(20)
  expect(codes.filter((code) => code === 'watch_limit')).toHaveLength(5)
})

const refused: [string, { slot_time?: string; [field: string]: unknown }, string][] = [
  ['a slot in the past', { slot_time: '2020-01-01T19:00:00' }, 'slot_in_past'],
  ['a slot beyond the horizon', { slot_time: '2032-01-01T19:00:00' }, 'beyond_horizon'],
  ['a slot at night', { slot_time: 'T04:00:00' }, 'venue_closed'],
  ['a slot with an offset', { slot_time: '2026-12-24T19:00:00Z' }, 'slot_time_has_offset'],
  ['a party of a thousand million', { party_size: 1e9 }, 'party_too_large'],
  ['a party of none', { party_size: 0 }, 'party_too_small'],
  ['an unknown venue', { venue_id: randomUUID() }, 'venue_not_found'],
  ['more than two hours either way', { flex_minutes: 121 }, 'invalid_request'],
  ['an end that is over', { until: '2020-01-01T00:00:00Z' }, 'invalid_request'],
]

test.each(refused)('%s is refused', async (_what, change, code) => {
  const { key } = await doors.openAccount('pro')
  const { slot_time = asked.slot_time } = change
  const day = asked.slot_time.slice(0, 10)
  const input = {
    ...asked,
    ...change,
    slot_time: slot_time.startsWith('T') ? day + slot_time : slot_time,
  }
  const { body } = await send(key, '/api/watches', input)
  expect(body).toMatchObject({ code })
})

test('watching needs the pro tier, and other accounts neither see nor cancel a watch', async () => {
  const free = await doors.openAccount('free')
  const denied = await send(free.key, '/api/watches', asked)
  expect(denied).toMatchObject({ status: 403, body: { code: 'plan_required' } })
  const owner = await doors.openAccount('pro')
  const { id } = (await send(owner.key, '/api/watches', asked)).body.watch
  const missing = { status: 404, body: { code: 'watch_not_found' } }
  expect(await send(free.key, `/api/watches/${id}`)).toMatchObject(missing)
  expect(await send(free.key, `/api/watches/${id}/cancel`, {})).toMatchObject(missing)
  expect((await send(free.key, '/api/watches')).body).toEqual({ watches: [], next_cursor: null })
})

test('a watch created while a slot is released gets it or learns that it is free', async () => {
  const { slot, holders } = await fillSlot(doors.db, { category: 'spa', partySize: 1 })
  const input = { venue_id: slot.venueId, slot_time: slot.slotTime, party_size: 1 }
  const seen: string[] = []
  for (let round = 0; round < 12; round += 1) {
    const { key, accountId } = await doors.openAccount('pro')
    const holder = holders.pop()
    if (!holder) throw new Error('nobody holds anything')
    const [made] = await Promise.all([
      send(key, '/api/watches', input),
      releaseBooking(doors.db, holder),
    ])
    if (made.status === 201) {
      const { watch } = (await send(key, `/api/watches/${made.body.watch.id}`)).body
      expect(watch.status).toBe('offered')
      await cancelWatch(doors.db, watch.id, new Date())
      holders.push({ ...slot, bookingId: watch.hold_id, accountId })
      seen.push('offered')
    } else {
      expect(made.body).toMatchObject({ code: 'slot_available', slot_times: [slot.slotTime] })
      holders.push(...(await fillRest(doors.db, slot, new Date())))
      seen.push('free')
    }
  }
  expect(seen).toHaveLength(12)
})

test('a key that met an equal watch keeps returning that watch', async () => {
  const { key } = await doors.openAccount('pro')
  const { body } = await send(key, '/api/watches', asked)
  const keyed = { ...asked, idempotency_key: randomUUID() }
  expect((await send(key, '/api/watches', keyed)).body).toMatchObject({ joined: true })
  const again = await send(key, '/api/watches', keyed)
  expect(again).toMatchObject({
    status: 200,
    body: { replayed: true, watch: { id: body.watch.id } },
  })
  await send(key, `/api/watches/${body.watch.id}/cancel`, {})
})

test('a watch is joined for its own guest, and keeps what it has of them', async () => {
  const { slot, holders } = await fillSlot(doors.db, { category: 'spa', partySize: 1 })
  const { key, accountId } = await doors.openAccount('pro')
  await deleteLimits(doors.db, accountId)
  const input = { venue_id: slot.venueId, slot_time: slot.slotTime, party_size: 1 }
  const watch = async (more: object) =>
    (await send(key, '/api/watches', { ...input, ...more })).body
  const details = async (id: string) => {
    const text = 'select name, phone, email, notes from booking_guest where booking_id = $1'
    return (await doors.db.query(text, [id])).rows
  }
  const first = await watch({ guest: { name: 'Ana' }, notes: 'Nuts' })
  const id = first.watch.id
  for (const other of [
    { guest: { name: 'Ben' } },
    { guest_ref: 'cara', guest: { name: 'Cara' } },
    { guest_ref: 'dan' },
    { guest: { name: 'Eve' } },
  ]) {
    expect(await watch(other), JSON.stringify(other)).toMatchObject({ joined: false })
    expect(await watch(other), JSON.stringify(other)).toMatchObject({ joined: true })
  }
  const fay = { guest: { name: 'Fay' } }
  const atOnce = await Promise.all([watch(fay), watch(fay), watch(fay), watch(fay)])
  expect(new Set(atOnce.map((one) => one.watch.id)).size).toBe(1)
  const more = { guest_ref: 'ana', guest: { name: ' ANA', phone: '+62 812' } }
  expect(await watch(more)).toMatchObject({ joined: true, watch: { id, guest_ref: 'ana' } })
  const known = { name: 'Ana', phone: '+62 812', email: null, notes: 'Nuts' }
  expect(await details(id)).toEqual([known])
  const again = await watch({ guest_ref: 'ana', notes: 'Window' })
  expect(again).toMatchObject({ joined: true, watch: { id } })
  expect(again.next).toContain('The watch keeps the guest and notes that it has')
  expect((await watch({ guest_ref: 'ana', notes: 'Nuts' })).next).not.toContain('keeps')

  const [holder] = holders
  if (holder) await releaseBooking(doors.db, holder)
  const mail = { guest_ref: 'ana', guest: { name: 'Ana', email: 'ana@example.com' } }
  const offered = await watch(mail)
  expect(offered).toMatchObject({ joined: true, watch: { id, status: 'offered' } })
  expect(offered.next).toContain('The watch keeps the guest and notes that it has')
  expect(await details(id)).toEqual([known])
  expect(await details(offered.watch.hold_id)).toEqual([known])
})
