import type { Services } from '../../contract/operation.ts'
import { MINUTE_MS, SECOND_MS } from '../../contract/rules/durations.ts'
import { type ErrorCode, errorCatalogue } from '../../contract/rules/error-catalogue.ts'
import { createCache } from '../../platform/database/cache.ts'
import type { Db } from '../../platform/database/sql.ts'
import {
  selectBookingsPerMinute,
  selectCallsPerMinute,
  selectDeliveriesPerMinute,
} from '../store/traffic.ts'

const TRAFFIC_MINUTES = 60

/** What happened in one minute; `bad` of calls are refusals, `faults` of them are ours. */
export type MinuteOfTraffic = {
  at: Date
  calls: { ok: number; bad: number; faults: number }
  bookings: { ok: number; bad: number }
  deliveries: { ok: number; bad: number }
}

const isFault = (code: string) =>
  Object.hasOwn(errorCatalogue, code) && errorCatalogue[code as ErrorCode].status >= 500
/** Bookings that came to nothing against their agent's will. */
const lostBookings = ['declined', 'expired', 'failed']

/** A call is logged within two seconds. */
const LOGGED_AFTER_MS = 5 * SECOND_MS

/** The hours until the last minutes. Each is read once, however often and by whom. */
const hours = createCache<MinuteOfTraffic[]>({ max: 2, ttlMs: 2 * MINUTE_MS })

/** The last hour by minute, oldest first, without the minute that is not over. */
export async function readTraffic(
  { db }: Pick<Services, 'db'>,
  at: Date,
): Promise<MinuteOfTraffic[]> {
  const last = Math.floor((at.getTime() - LOGGED_AFTER_MS) / MINUTE_MS)
  return hours(db, String(last), () => readHour(db, last))
}

async function readHour(db: Db, last: number): Promise<MinuteOfTraffic[]> {
  const first = last - TRAFFIC_MINUTES
  const [from, until] = [new Date(first * MINUTE_MS), new Date(last * MINUTE_MS)]
  const [calls, bookings, deliveries] = await Promise.all([
    selectCallsPerMinute(db, from, until),
    selectBookingsPerMinute(db, from, until),
    selectDeliveriesPerMinute(db, from, until),
  ])
  const minutes = Array.from({ length: TRAFFIC_MINUTES }, (_, index) => emptyMinute(first + index))
  for (const { minute, code, calls: count } of calls) {
    const counts = minutes[minute - first]?.calls
    if (!counts) continue
    counts[code === 'ok' ? 'ok' : 'bad'] += count
    if (isFault(code)) counts.faults += count
  }
  for (const { minute, status, bookings: count } of bookings) {
    const counts = minutes[minute - first]?.bookings
    if (counts) counts[lostBookings.includes(status) ? 'bad' : 'ok'] += count
  }
  for (const { minute, status, deliveries: count } of deliveries) {
    const counts = minutes[minute - first]?.deliveries
    if (counts && status !== 'discarded') counts[status === 'delivered' ? 'ok' : 'bad'] += count
  }
  return minutes
}

const emptyMinute = (minute: number): MinuteOfTraffic => ({
  at: new Date(minute * MINUTE_MS),
  calls: { ok: 0, bad: 0, faults: 0 },
  bookings: { ok: 0, bad: 0 },
  deliveries: { ok: 0, bad: 0 },
})
