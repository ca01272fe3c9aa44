import type { Booking } from '../../contract/public.ts'
import type { BookingStatus } from '../../contract/rules/booking-status.ts'
import { type Db, queryRowsAsAsked } from '../../platform/database/sql.ts'
import { viewColumns, viewRow } from './booking-view.ts'

/** A filter of an account's bookings; null for all. `from` and `to` are local dates, inclusive. */
export type BookingFilter = {
  status: BookingStatus | null
  venueId: string | null
  from: string | null
  to: string | null
}

type Page = { before: string | null; limit: number }

/** The account's bookings, newest first (UUIDv7), those before `before` if given. */
export async function selectBookingsOf(
  db: Db,
  accountId: string,
  filter: BookingFilter,
  page: Page,
): Promise<Booking[]> {
  const values: unknown[] = [accountId]
  const ids = idsOf(filter, page, (one) => `$${values.push(one)}`)
  return queryRowsAsAsked(
    db,
    viewRow,
    `select ${viewColumns} from booking_view where id = any(array(${ids})) order by id desc`,
    values,
  )
}

type Value = (one: unknown) => string

/**
 * A booking is a row of `booking`, or a request that has none yet or never will. A filter reads
 * both, each by its own index; without one, requests are in order already.
 */
function idsOf({ status, venueId, from, to }: BookingFilter, page: Page, value: Value): string {
  // Conditions that are not needed stay out, so that each statement gets its own plan.
  const asked = (one: unknown, condition: (parameter: string) => string) =>
    one === null ? [] : [condition(value(one))]
  const limit = value(page.limit)
  const conditions = (id: string) => [
    'account_id = $1',
    ...asked(page.before, (before) => `${id} < ${before}::uuid`),
    ...asked(venueId, (venue) => `venue_id = ${venue}::uuid`),
    ...asked(from, (date) => `slot_time >= ${date}::date`),
    ...asked(to, (date) => `slot_time < ${date}::date + 1`),
  ]
  // The matches may all be old or at one venue: without the fence, a scan of the newest would read
  // everything.
  const fence = venueId === null && to === null ? '' : 'offset 0'
  const newest = (id: string, table: string, more: readonly string[]) =>
    `select id from (select ${id} as id from ${table}
       where ${[...conditions(id), ...more].join(' and ')} ${fence}) as found
     order by id desc limit ${limit}`

  if (status === null && venueId === null && from === null && to === null) {
    return newest('booking_id', 'request', [])
  }
  const booked = newest('id', 'booking', status === null ? [] : [`status = '${status}'`])
  const stands = unbooked(status)
  if (stands === null) return booked
  const alone = 'not exists (select from booking b where b.id = request.booking_id)'
  const rest = newest('booking_id', 'request', [stands, alone])
  return `select id from ((${booked}) union all (${rest})) as either order by id desc limit ${limit}`
}

/**
 * The condition of a request without a booking in this status, as its index words it; null when
 * there can be none.
 */
function unbooked(status: BookingStatus | null): string | null {
  const ofIndex = `(answer is null or answer ? 'refusal')`
  if (status === null) return ofIndex
  if (status === 'pending') return `${ofIndex} and answer is null`
  return status === 'failed' ? `${ofIndex} and answer is not null` : null
}
