import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { reasons } from '../../src/bookings/rules/timeline-reasons.ts'
import { actWhenDue } from '../../src/bookings/steps/act-when-due.ts'
import { confirm } from '../../src/bookings/steps/confirm.ts'
import { end } from '../../src/bookings/steps/end-booking.ts'
import { selectBookingForUpdate } from '../../src/bookings/store/bookings.ts'
import { stepOnce } from '../../src/bookings/store/transitions.ts'
import { offerSlot } from '../../src/confirmation/steps/offer-slot.ts'
import type { NetworkEngine } from '../../src/network.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import type { EntryStart } from '../../src/waitlist/rules/entry.ts'
import { scanWaitlist } from '../../src/waitlist/steps/scan-waitlist.ts'
import { expireEntry } from '../../src/waitlist/store/entries.ts'
import { selectOptionalEntryOf } from '../../src/waitlist/store/entry-view.ts'
import { createDatabase, openTestPool } from '../support/database.ts'
import * as freeing from '../support/full-slot.ts'
import { type FullSlot, fillSlot } from '../support/full-slot.ts'
import { stepDeps } from '../support/terms.ts'
import { addWatch } from './add-watch.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Pool

beforeEach(async () => {
  database = await createDatabase()
  db = openTestPool(database.url, 30)
})

afterEach(async () => {
  await db.end()
  await database.drop()
})

const releaseBooking = (holder: Pick<BookingStart, 'bookingId' | 'accountId'>) =>
  freeing.releaseBooking(db, holder)

const read = async ({ entryId, accountId }: EntryStart) => {
  const found = await selectOptionalEntryOf(db, accountId, entryId)
  if (!found) throw new Error('no such watch')
  return found
}

/** The hold offered to a watch, as its workflow knows it. */
const holdOf = async (slot: FullSlot['slot'], watcher: EntryStart): Promise<BookingStart> => {
  const { hold_id } = await read(watcher)
  return { ...slot, accountId: watcher.accountId, bookingId: hold_id ?? '', purpose: 'hold' }
}

const minutes = (count: number) => new Date(Date.now() + count * 60_000)

/** What an offer must never leave behind. */
async function expectSound() {
  const { rows } = await db.query(`
    select (select count(*)::int from allocation a join allocation b
        on a.resource_id = b.resource_id and a.during && b.during and a.booking_id < b.booking_id
        where a.active and b.active) as overlaps,
      (select count(*)::int from slot_counter c where used <> (
        select coalesce(sum(places), 0) from slot_count t
        where t.active and t.service_id = c.service_id
          and t.starts_at = c.starts_at)) as miscounts,
      (select count(*)::int from booking b where (status = 'held') <> (
        exists (select from allocation a where a.booking_id = b.id and a.active)
        or exists (select from slot_count t where t.booking_id = b.id and t.active))) as orphans,
      (select count(*)::int from (
        select max(number) <> count(*) or max(number) <> (
          select last from event_counter c where c.account_id = e.account_id) as gap
        from event e group by account_id) g where gap) as gaps,
      (select count(*)::int from hold_counter where live <> 0) as counted`)
  expect(rows).toEqual([{ overlaps: 0, miscounts: 0, orphans: 0, gaps: 0, counted: 0 }])
}

test('a released table is held for the first watch in the same transaction', async () => {
  const { slot, holders } = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  const [first, second] = [await addWatch(db, slot), await addWatch(db, slot)]
  expect([(await read(first)).position, (await read(second)).position]).toEqual([1, 2])
  await releaseBooking(holders[0] as BookingStart)
  const offered = await read(first)
  expect(offered).toMatchObject({ status: 'offered', hold_slot_time: slot.slotTime })
  expect(Date.parse(offered.hold_until ?? '') - Date.now()).toBeGreaterThan(14 * 60_000)
  expect(await read(second)).toMatchObject({ status: 'watching', position: 1, hold_id: null })
  const { rows } = await db.query(
    'select number::int, type, data from event where account_id = $1 order by number',
    [first.accountId],
  )
  expect(rows).toMatchObject([
    { number: 1, type: 'booking.held', data: { booking: { id: offered.hold_id } } },
    {
      number: 2,
      type: 'venue.availability_opened',
      data: { watch_id: first.entryId, hold_id: offered.hold_id, slot_time: slot.slotTime },
    },
  ])
  await expectSound()
})

test('an expired hold passes to the next watch in one step; its own watch requeues', async () => {
  const { slot, holders } = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  const [first, second] = [await addWatch(db, slot), await addWatch(db, slot)]
  await releaseBooking(holders[0] as BookingStart)
  await actWhenDue(db, await holdOf(slot, first), stepDeps, minutes(15.1))
  expect(await read(first)).toMatchObject({ status: 'watching', turns_missed: 1, position: 1 })
  expect(await read(second)).toMatchObject({ status: 'offered' })
  await expectSound()
})

test('a watch that misses three holds ends; a sole one is not offered again at once', async () => {
  const { slot, holders } = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  const watcher = await addWatch(db, slot)
  for (const [turn, holder] of holders.slice(0, 3).entries()) {
    await releaseBooking(holder)
    expect(await read(watcher)).toMatchObject({ status: 'offered', turns_missed: turn })
    await releaseBooking(await holdOf(slot, watcher))
    expect((await read(watcher)).hold_id).toBeNull()
  }
  expect(await read(watcher)).toMatchObject({ status: 'expired', reason_code: 'turns_missed' })
  await expectSound()
})

test('confirming the hold fulfils the watch; a later cancellation revives nothing', async () => {
  const { slot, holders } = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  const watcher = await addWatch(db, slot)
  await releaseBooking(holders[0] as BookingStart)
  const { bookingId, accountId } = await holdOf(slot, watcher)
  const at = new Date()
  await stepOnce(db, { bookingId, accountId, transitionId: 'confirm', at }, async (tx) =>
    confirm(tx, await selectBookingForUpdate(tx, bookingId), reasons.agentConfirms, {
      ...stepDeps,
      at,
    }),
  )
  expect(await read(watcher)).toMatchObject({ status: 'fulfilled', hold_id: bookingId })
  await stepOnce(db, { bookingId, accountId, transitionId: 'cancel', at }, async (tx) =>
    end(
      tx,
      await selectBookingForUpdate(tx, bookingId),
      { to: 'cancelled', nextActionAt: null, ...reasons.agentWants },
      { ...stepDeps, at },
    ),
  )
  expect(await read(watcher)).toMatchObject({ status: 'fulfilled', turns_missed: 0 })
})

test('a booking whose venue offers another time frees its slot for the first watch', async () => {
  const { slot, holders } = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  const watcher = await addWatch(db, slot)
  const { bookingId, accountId } = holders[0] as BookingStart
  await db.query(`update booking set status = 'pending', answer_by = starts_at where id = $1`, [
    bookingId,
  ])
  const at = new Date()
  // The same day of the week, because a venue may be closed on the next day.
  const later = Date.parse(`${slot.slotTime}Z`) + 7 * 86_400_000
  const nextWeek = new Date(later).toISOString().slice(0, 19)
  await stepOnce(db, { bookingId, accountId, transitionId: 'offer', at }, async (tx) => {
    const pending = await selectBookingForUpdate(tx, bookingId)
    const proposal = { offered_slot_time: nextWeek, answered_at: at }
    const offered = await offerSlot(tx, pending, proposal, { ...stepDeps, at })
    if (!offered) throw new Error('the other time cannot be had')
    return offered
  })
  expect(await read(watcher)).toMatchObject({
    status: 'offered',
    hold_slot_time: slot.slotTime,
  })
})

test('a watch that does not fit the slot is skipped and keeps its position', async () => {
  const { slot, holders } = await fillSlot(db, { category: 'gym', partySize: 2, atLeast: 3 })
  const [four, two] = [await addWatch(db, slot, { partySize: 4 }), await addWatch(db, slot)]
  await releaseBooking(holders[0] as BookingStart)
  expect((await read(two)).status).toBe('offered')
  expect(await read(four)).toMatchObject({ status: 'watching', position: 1 })
  await releaseBooking(holders[1] as BookingStart)
  await expectSound()
  const { rows } = await db.query('select used, cap from slot_counter where used > cap')
  expect(rows).toEqual([])
})

test('a flexible watch is offered a table near the wanted time', async () => {
  const { slot, holders } = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  const halfAnHour = 30 * 60_000
  const startsAt = new Date(Date.parse(slot.startsAt) + halfAnHour).toISOString()
  const local = new Date(Date.parse(`${slot.slotTime}Z`) + halfAnHour).toISOString().slice(0, 19)
  const later = { ...slot, startsAt, slotTime: local }
  const watcher = await addWatch(db, later, { flexMinutes: 60 })
  await releaseBooking(holders[0] as BookingStart)
  const offered = await read(watcher)
  expect(offered.status).toBe('offered')
  const apart = Date.parse(`${offered.hold_slot_time}Z`) - Date.parse(`${local}Z`)
  expect(Math.abs(apart)).toBeLessThanOrEqual(2 * halfAnHour)
})

test.each([
  ['restaurant', 2],
  ['gym', 1],
])(
  'at a %s, ten slots freed at once go to the first ten of fifty watches, once each',
  async (category, partySize) => {
    const { slot, holders } = await fillSlot(db, { category, partySize, atLeast: 10 })
    const begun = Date.now() - 60_000
    const watchers: EntryStart[] = []
    for (let n = 0; n < 50; n++) {
      watchers.push(await addWatch(db, slot, { at: new Date(begun + n) }))
    }
    await Promise.all(holders.slice(0, 10).map((holder) => releaseBooking(holder)))
    const seen = await Promise.all(watchers.map(read))
    const offered = seen.filter(({ status }) => status === 'offered')
    expect(offered.map(({ id }) => id)).toEqual(watchers.slice(0, 10).map(({ entryId }) => entryId))
    expect(new Set(offered.map(({ hold_id }) => hold_id)).size).toBe(10)
    await expectSound()
  },
)

test('accounts that free slots for each other concurrently do not deadlock', async () => {
  const { slot, holders } = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  const many = holders.slice(0, 10)
  const begun = Date.now() - 60_000
  // Every holder also watches, in reverse order.
  for (const [n, { accountId }] of many.toReversed().entries()) {
    await addWatch(db, slot, { accountId, at: new Date(begun + n) })
  }
  await Promise.all(many.map((holder) => releaseBooking(holder)))
  const { rows } = await db.query(`select status, count(*)::int from waitlist_entry group by 1`)
  expect(rows).toEqual([{ status: 'offered', count: many.length }])
  const deadlocks = await db.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  expect(deadlocks.rows).toEqual([{ deadlocks: 0 }])
  await expectSound()
})

test('the scan offers a table that an operator adds, and starts a lost hold', async () => {
  const { slot, holders } = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  const [first, second] = [await addWatch(db, slot), await addWatch(db, slot)]
  await releaseBooking(holders[0] as BookingStart)
  await db.query(
    `insert into resource (id, venue_id, kind, name, party_min, party_max)
     select gen_random_uuid(), venue_id, 'table', 'a new one', 1, 4 from booking where id = $1`,
    [holders[0]?.bookingId],
  )
  const begun: string[] = []
  const engine = {
    resumeEntry: async () => false,
    begin: async (start: BookingStart) => begun.push(start.bookingId) > 0,
    notifyEntry: async () => {},
  } as unknown as NetworkEngine
  const deps = { db, engine, log: createLog('silent') }
  const looked = await scanWaitlist(deps, minutes(6))
  expect(await read(second)).toMatchObject({ status: 'offered' })
  expect(looked.offered).toEqual([(await read(second)).hold_id])
  expect(begun.sort()).toEqual([(await read(first)).hold_id, (await read(second)).hold_id].sort())
  expect(await scanWaitlist(deps, minutes(6))).toMatchObject({
    offered: [],
    started: 0,
  })
  await expectSound()
})

test('an account has at most twenty live watches', async () => {
  const { slot } = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  const { accountId } = await addWatch(db, slot)
  await Promise.all(
    Array.from({ length: 40 }, (_, flexMinutes) => addWatch(db, slot, { accountId, flexMinutes })),
  )
  const { rows } = await db.query('select count(*)::int as live from waitlist_entry')
  expect(rows[0].live).toBeLessThanOrEqual(20)
})

test('a watch expires at its end, is offered nothing, and frees its number', async () => {
  const { slot, holders } = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  const watcher = await addWatch(db, slot)
  await db.query(`update waitlist_entry set until = now() - interval '1 second'`)
  await releaseBooking(holders[0] as BookingStart)
  expect((await read(watcher)).status).toBe('watching')
  await expireEntry(db, watcher.entryId, new Date())
  expect(await read(watcher)).toMatchObject({ status: 'expired', reason_code: 'time_over' })
})
