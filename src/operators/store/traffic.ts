import sql from 'sql-template-tag'
import { z } from 'zod'
import { bookingStatuses } from '../../contract/rules/booking-status.ts'
import { firstIdAt } from '../../contract/rules/ids.ts'
import { type Db, queryRows } from '../../platform/database/sql.ts'

/** Sandboxes are no traffic. */
const isLive = sql`account_id not in (select id from account where mode = 'test')`

/** Minutes since 1970. */
const minute = z.int()

const callRow = z.object({ minute, code: z.string(), calls: z.int() })

/** The logged calls of all accounts in a span of time, by minute and code. */
export const selectCallsPerMinute = (db: Db, from: Date, until: Date) =>
  queryRows(db, callRow)`
    select floor(extract(epoch from at) / 60)::int as minute, code, sum(calls)::int as calls
    from request_log where at >= ${from} and at < ${until} and ${isLive} group by 1, 2`

const bookingRow = z.object({ minute, status: z.enum(bookingStatuses), bookings: z.int() })

/** The bookings made in a span of time, by minute and present status. */
export const selectBookingsPerMinute = (db: Db, from: Date, until: Date) =>
  queryRows(db, bookingRow)`
    select floor(extract(epoch from created_at) / 60)::int as minute, status,
      count(*)::int as bookings
    from booking where id >= ${firstIdAt(from)} and id < ${firstIdAt(until)} and ${isLive}
    group by 1, 2`

const deliveryRow = z.object({ minute, status: z.string(), deliveries: z.int() })

/** The deliveries that came to an end in a span of time, by minute and how. */
export const selectDeliveriesPerMinute = (db: Db, from: Date, until: Date) =>
  queryRows(db, deliveryRow)`
    select floor(extract(epoch from updated_at) / 60)::int as minute, status,
      count(*)::int as deliveries
    from delivery
    where status not in ('pending', 'sending') and updated_at >= ${from} and updated_at < ${until}
      and ${isLive}
    group by 1, 2`
