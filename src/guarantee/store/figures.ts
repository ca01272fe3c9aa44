import { z } from 'zod'
import { type Db, queryRow } from '../../platform/database/sql.ts'
import { answeredAt } from './late-answers.ts'

const figuresRow = z.object({
  answer: z.number().nullable(),
  recovery: z.number().nullable(),
  webhook: z.number().nullable(),
})

/** Of how many of the latest rows. */
const LATEST = 1_000
const LATEST_CANCELLED = 100

/**
 * The 95th percentile of how long each promise takes now, in milliseconds: over the latest requests
 * at venues that the network confirms, events of bookings, and cancellations by venues.
 */
export const selectFigures = (db: Db, since: Date) =>
  queryRow(db, figuresRow)`
    select
      (select percentile_cont(0.95) within group (
          order by extract(epoch from d.at - r.created_at) * 1000)::int
        from (
          select r.booking_id, r.created_at from request r join venue v on v.id = r.venue_id
          where v.confirm_mode = 'auto' and r.created_at >= ${since}
            and not exists (select from group_member m where m.booking_id = r.booking_id)
          order by r.booking_id desc limit ${LATEST}
        ) r cross join lateral (select ${answeredAt} as at) d
      ) as answer,
      (select percentile_cont(0.95) within group (
          order by extract(epoch from c.at - c.received_at) * 1000)::int
        from (
          select greatest(e.created_at, time_of_id(e.id)) as at, s.received_at
          from venue_statement s
          join event e on e.booking_id = s.booking_id and e.transition_id = 'venue:' || s.id
            and e.type = 'booking.cancelled'
          where s.status = 'cancelled' and s.received_at >= ${since}
          order by s.received_at desc limit ${LATEST_CANCELLED}
        ) c
      ) as recovery,
      (select percentile_cont(0.95) within group (
          order by greatest(0, extract(epoch from t.started_at - n.created_at)) * 1000)::int
        from (
          select e.account_id, e.number, e.created_at from event e
          where e.booking_id is not null and e.created_at >= ${since}
          order by e.id desc limit ${LATEST}
        ) n
        join delivery d on d.account_id = n.account_id and d.event_number = n.number
        join attempt t on t.delivery_id = d.id and t.number = 1 and t.cause = 'schedule'
      ) as webhook`
