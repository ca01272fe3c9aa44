import { randomUUIDv7 } from 'node:crypto'
import { Refusal } from '../../src/base/errors.ts'
import { toInstant } from '../../src/base/local-time.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { selectOptionalBookingStartOf } from '../../src/bookings/store/booking-starts.ts'
import type { NetworkEngine } from '../../src/network.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { recordWatch } from '../../src/waitlist/operations/record-watch.ts'
import { scanWaitlist } from '../../src/waitlist/steps/scan-waitlist.ts'
import type { Arena } from './arena.ts'
import type { World } from './world.ts'

const HOLD_SECONDS = 900

type WatchRequest = { arena: Arena; accountId: string; slotTime: string; partySize: number }

/** Watches a slot as a door does: joins the waitlist, or is refused because the slot is free. */
export async function watch(
  { db }: World,
  { arena, accountId, ...slot }: WatchRequest,
): Promise<string> {
  const { slotTime, partySize } = slot
  const startsAt = toInstant(arena.timezone, slotTime) ?? new Date(Number.NaN)
  const start = {
    entryId: randomUUIDv7(),
    accountId,
    slotTime,
    partySize,
    venueSlug: arena.slug,
    venueName: arena.name,
    timezone: arena.timezone,
    startsAt: startsAt.toISOString(),
  }
  const times = { earliest: startsAt, latest: startsAt, until: startsAt, at: new Date() }
  const sender = { flexMinutes: 0, holdSeconds: HOLD_SECONDS, door: 'rest', fromAgent: null }
  try {
    const asked = { venueId: arena.id, start, ...times, ...sender }
    const caller = { db, account: null, at: new Date(), egress: { digests: () => [] } }
    const { repeats } = await recordWatch(caller, asked, slot, undefined)
    return repeats === 'nothing' ? 'watching' : 'already watching'
  } catch (error) {
    if (error instanceof Refusal) return `refused: ${error.data.code}`
    throw error
  }
}

/** A venue's open waitlist entries, and those with an offered hold. */
export async function watchesAt({ db }: World, { id }: Arena) {
  const { rows } = await db.query(
    `select id, account_id, hold_id from waitlist_entry
     where venue_id = $1 and status in ('watching', 'offered') order by id`,
    [id],
  )
  const watches = rows as { id: string; account_id: string; hold_id: string | null }[]
  return { watches, offered: watches.filter(({ hold_id }) => hold_id !== null) }
}

/** The workflow input of the hold offered to an entry, if it has one. */
export const holdOf = async (
  { db }: World,
  { account_id, hold_id }: { account_id: string; hold_id: string | null },
): Promise<BookingStart | undefined> =>
  hold_id === null ? undefined : selectOptionalBookingStartOf(db, account_id, hold_id)

const silentEngine: Pick<NetworkEngine, 'begin' | 'notifyEntry'> = {
  begin: async () => {},
  notifyEntry: async () => {},
}
/** Runs the schedule `waitlistScan` as of `at` until no venue is due. Returns the holds offered. */
export async function runWaitlistScan(world: World, at: Date): Promise<number> {
  const deps = { db: world.db, engine: silentEngine as NetworkEngine, log: createLog('silent') }
  let holds = 0
  for (;;) {
    const { venues, offered } = await scanWaitlist(deps, at)
    holds += offered.length
    if (venues === 0) return holds
  }
}
