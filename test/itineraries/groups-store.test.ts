import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { selectNextSlots } from '../../src/availability/store/next-slots.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { selectOptionalBookingStartOf } from '../../src/bookings/store/booking-starts.ts'
import type { GroupStart } from '../../src/itineraries/rules/group-messages.ts'
import { ITINERARY_GRACE_MS } from '../../src/itineraries/rules/groups.ts'
import { advanceGroup } from '../../src/itineraries/steps/advance-group.ts'
import { resumeLostGroups } from '../../src/itineraries/steps/resume-lost-groups.ts'
import { selectGroupStart, selectLostGroups } from '../../src/itineraries/store/group-progress.ts'
import {
  insertGroup,
  insertMemberRequest,
  type NewGroup,
} from '../../src/itineraries/store/groups.ts'
import type { NetworkEngine } from '../../src/network.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { createDatabase, openTestPool } from '../support/database.ts'
import { stepDeps } from '../support/terms.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Pool
let venues: { id: string; timezone: string }[]

beforeAll(async () => {
  database = await createDatabase()
  db = openTestPool(database.url, 20)
  ;({ rows: venues } = await db.query(
    `select v.id, a.timezone from venue v join area a on a.slug = v.area_slug
     where v.category = 'restaurant' order by v.slug limit 3`,
  ))
})
afterAll(async () => {
  await db.end()
  await database.drop()
})

/** Writes a group of two as a door does, for slots a few days ahead. */
async function writeGroup(kind: NewGroup['kind'], more: Partial<NewGroup> = {}) {
  const at = new Date()
  const accountId = randomUUIDv7()
  await db.query(
    `insert into account (id, name, tier, created_at) values ($1, 'x', 'pro', now())`,
    [accountId],
  )
  const from = new Date(at.getTime() + 3 * 86_400_000)
  const question = { at, from, partySize: 2, count: 1, feePct: 2.5 }
  const found = await selectNextSlots(db, venues, question)
  const members = venues.slice(0, 2).map(({ id }) => {
    const slot = found.get(id)?.slots[0]
    if (!slot) throw new Error('no slot')
    return {
      bookingId: randomUUIDv7(),
      askId: randomUUIDv7(),
      undoId: randomUUIDv7(),
      venueId: id,
      slotTime: slot.slot_time,
      startsAt: new Date(slot.starts_at),
      partySize: 2,
      guest: { details: { name: 'Ayu' }, eraseAfter: from },
    }
  })
  const answerBy = kind === 'itinerary' ? new Date(at.getTime() + 600_000) : null
  const group: NewGroup = {
    id: randomUUIDv7(),
    accountId,
    kind,
    idempotencyKey: null,
    bodyHash: Buffer.from('x'),
    naturalKey: null,
    door: 'rest',
    fromAgent: null,
    guestRef: null,
    reminders: null,
    answerBy,
    holdUntil: answerBy && new Date(answerBy.getTime() + ITINERARY_GRACE_MS),
    members,
    at,
    ...more,
  }
  expect(await insertGroup(db, group)).toBe(true)
  return group
}

async function startOf({ id, accountId, members }: NewGroup, position: number) {
  await insertMemberRequest(db, id, position, new Date())
  const bookingId = members[position - 1]?.bookingId ?? ''
  return selectOptionalBookingStartOf(db, accountId, bookingId)
}

async function hold(group: NewGroup, position: number): Promise<void> {
  const start = (await startOf(group, position)) as BookingStart
  await decideBooking(db, start, stepDeps, new Date())
}

const advance = async ({ id }: NewGroup, at = new Date()) =>
  advanceGroup(db, await selectGroupStart(db, id), stepDeps, at)

const left = async ({ id }: NewGroup) =>
  (
    await db.query(
      `select b.status, b.fee_status, (select count(*)::int from fee_entry f
         where f.booking_id = b.id) as fees
       from booking b where b.group_id = $1 order by b.id`,
      [id],
    )
  ).rows

test('a constraint prevents two alternatives from both being confirmed', async () => {
  const both = async () => {
    const group = await writeGroup('any_of')
    await hold(group, 1)
    await hold(group, 2)
    return left(group)
  }
  await expect(both()).rejects.toThrow('booking_any_of_one')
  await db.query('drop index booking_any_of_one')
  const confirmed = await both()
  expect(confirmed.map(({ status }) => status)).toEqual(['confirmed', 'confirmed'])
})

test('ten concurrent workers book an itinerary whole and once, with its fees', async () => {
  const group = await writeGroup('itinerary')
  await hold(group, 1)
  await hold(group, 2)
  const standings = await Promise.all(Array.from({ length: 10 }, () => advance(group)))
  for (const standing of standings) expect(standing).toEqual({ status: 'confirmed', work: [] })
  const confirmed = { status: 'confirmed', fee_status: 'accrued', fees: 1 }
  expect(await left(group)).toEqual([confirmed, confirmed])
  const { rows } = await db.query(
    `select array_agg(type order by number) as types,
     array_agg(number::int order by number) as numbers
     from event where account_id = $1`,
    [group.accountId],
  )
  expect(rows[0].types).toEqual([
    'booking.held',
    'booking.held',
    'booking.confirmed',
    'fee.accrued',
    'booking.confirmed',
    'fee.accrued',
  ])
  expect(rows[0].numbers).toEqual([1, 2, 3, 4, 5, 6])
})

test('an expired itinerary books nothing, though every part is held', async () => {
  const group = await writeGroup('itinerary')
  await hold(group, 1)
  await hold(group, 2)
  const standing = await advance(group, group.holdUntil as Date)
  expect(standing).toEqual({ status: 'undoing', work: [1, 2] })
  expect((await left(group)).map(({ fees }) => fees)).toEqual([0, 0])
})

test('an itinerary can neither be partly booked nor end while a part is held', async () => {
  const group = await writeGroup('itinerary')
  await hold(group, 1)
  const say = (status: string) =>
    db.query(
      `update booking_group set status = $2, next_action_at = null, lane = null where id = $1`,
      [group.id, status],
    )
  await db.query(`update booking_group set status = 'asking' where id = $1`, [group.id])
  await expect(say('confirmed')).rejects.toThrow('not booked whole')
  await expect(say('failed')).rejects.toThrow('still occupies')
})

test('a group that has progressed starts no other booking', async () => {
  const group = await writeGroup('itinerary')
  await db.query(`update booking_group set status = 'undoing' where id = $1`, [group.id])
  expect(await startOf(group, 2)).toBeUndefined()
  expect(await startOf(group, 1)).toBeDefined()
})

test('guests of untried choices are erased when the group ends', async () => {
  const group = await writeGroup('any_of')
  await hold(group, 1)
  expect(await advance(group)).toEqual({ status: 'confirmed', work: [] })
  const { rows } = await db.query(
    'select booking_id from booking_guest where booking_id = any($1::uuid[])',
    [group.members.map(({ bookingId }) => bookingId)],
  )
  expect(rows).toEqual([{ booking_id: group.members[0]?.bookingId }])
})

/** The group, if the sweep would find it this many seconds from now. */
async function lateIn(seconds: number, { id }: { id: string }) {
  const ago = (ms: number) => new Date(Date.now() + seconds * 1000 - ms)
  const before = { moved: ago(15_000), still: ago(120_000) }
  const late = await selectLostGroups(db, before, { after: null, limit: 1000 })
  return late.find((one) => one.id === id)
}

test('a stalled group in progress is found, and an ended one is not', async () => {
  const group = await writeGroup('any_of')
  expect(await lateIn(0, group)).toBeUndefined()
  await advance(group)
  expect(await lateIn(60, group)).toBeUndefined()
  expect(await lateIn(130, group)).toMatchObject({ hasMoved: false })
  await hold(group, 1)
  await advance(group)
  expect(await lateIn(130, group)).toBeUndefined()
})

test('a group that has not noticed a change to a booking is found after 15 seconds', async () => {
  const group = await writeGroup('itinerary')
  await advance(group)
  await hold(group, 1)
  expect(await lateIn(1, group)).toBeUndefined()
  expect(await lateIn(20, group)).toMatchObject({ hasMoved: true })
  await advance(group)
  expect(await lateIn(20, group)).toBeUndefined()
})

test('the sweep leaves a group that waits for its venues alone for two minutes', async () => {
  const group = await writeGroup('itinerary')
  await advance(group)
  const [resumed, announced]: string[][] = [[], []]
  const engine = {
    resumeGroup: async ({ groupId }: GroupStart) => {
      resumed?.push(groupId)
      return false
    },
    announceMoved: async ({ groupId }: GroupStart) => {
      announced?.push(groupId)
    },
  } as unknown as NetworkEngine
  const sweepIn = (seconds: number) =>
    resumeLostGroups(
      { db, engine, log: createLog('silent') },
      new Date(Date.now() + seconds * 1000),
    )
  await sweepIn(130)
  await sweepIn(145)
  expect(resumed?.filter((id) => id === group.id)).toHaveLength(1)
  expect(announced?.filter((id) => id === group.id)).toHaveLength(1)
})

test('an unreadable group is named, and the others are still resumed', async () => {
  const [broken, healthy] = [await writeGroup('itinerary'), await writeGroup('itinerary')]
  await advance(healthy)
  await db.query(`update booking_group set answer_by = '-infinity' where id = $1`, [broken.id])
  const helped: string[] = []
  const resumeGroup = async ({ groupId }: GroupStart) => {
    helped.push(groupId)
    return true
  }
  const engine = { resumeGroup, announceMoved: async () => {} } as unknown as NetworkEngine
  const deps = { db, engine, log: createLog('silent') }
  const pass = await resumeLostGroups(deps, new Date(Date.now() + 3_600_000))
  expect(pass.failures).toEqual([expect.stringContaining(broken.id)])
  expect(helped).toContain(healthy.id)
})

test('the same key creates one group', async () => {
  const first = await writeGroup('any_of', { idempotencyKey: 'once' })
  const again = { ...first, id: randomUUIDv7() }
  expect(await insertGroup(db, again)).toBe(false)
})
