import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { bookingStatuses } from '../../base/booking-status.ts'
import type { StuckSince } from '../../bookings/rules/late.ts'
import { timeInPage } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { stuckReasons } from '../rules/stuck.ts'

/** Maximum length of each list for operators; the worst cases come first. */
export const MAX_SHOWN = 50

const stuckRow = z.object({
  id: z.uuid(),
  reason: z.enum(stuckReasons),
  since: timeInPage,
  account_id: z.uuid(),
  account_name: z.string(),
  venue_slug: z.string(),
  status: z.enum(bookingStatuses).nullable(),
  venue_sync: z.string().nullable(),
})
export type StuckBooking = z.infer<typeof stuckRow>

/** Excludes sandboxes, which may follow test clocks and which nobody attends to. */
const isLive = (accountId: Sql) => sql`not exists (
  select from account a where a.id = ${accountId} and a.mode = 'test')`
const isCommandLive = isLive(sql`(select account_id from booking where id = c.booking_id)`)

type Since = StuckSince & { givenUp: Date }

/** The first rows for each reason; each query has an index of its own. */
const reasonsOf = ({ late, unanswered, givenUp }: Since) => sql`
  (select booking_id as id, 'undecided' as reason, created_at as since from request q
   where answer is null and created_at < ${late} and ${isLive(sql`q.account_id`)}
     and not exists (select from booking where id = q.booking_id)
   order by created_at limit ${MAX_SHOWN})
  union all
  (select id, 'action_overdue', next_action_at from booking b
   where next_action_at < ${late} and ${isLive(sql`b.account_id`)}
   order by next_action_at limit ${MAX_SHOWN})
  union all
  (select id, 'answer_overdue', answer_by from booking b
   where (status = 'pending' or change_phase is not null) and answer_by < ${late}
     and ${isLive(sql`b.account_id`)}
   order by answer_by limit ${MAX_SHOWN})
  union all
  (select booking_id, 'command_waiting', created_at from command c
   where failures = 0 and answer is null and begun_at is null and created_at < ${unanswered}
     and ${isCommandLive}
   order by created_at limit ${MAX_SHOWN})
  union all
  (select booking_id, 'command_failing', created_at from command c
   where failures > 0 and answer is null and ${isCommandLive}
   order by created_at limit ${MAX_SHOWN})
  union all
  (select booking_id, 'command_given_up', created_at from command c
   where failures > 0 and created_at > ${givenUp} and ${isCommandLive}
     and answer #>> '{refusal,code}' = 'internal_error'
   order by created_at limit ${MAX_SHOWN})
  union all
  (select id, 'venue_not_told', updated_at from booking b
   where venue_sync = 'given_up' and updated_at > ${givenUp} and ${isLive(sql`b.account_id`)}
   order by updated_at limit ${MAX_SHOWN})`

/** Bookings that need an operator, longest first; abandoned ones only since `givenUp`. */
export const selectStuck = (db: Db, since: Since) =>
  query.rows(db, stuckRow)`
    select distinct on (s.since, r.booking_id, s.reason) r.booking_id as id, s.reason, s.since,
      r.account_id, a.name as account_name, v.slug as venue_slug, b.status, b.venue_sync
    from (${reasonsOf(since)}) as s
    join request r on r.booking_id = s.id
    join account a on a.id = r.account_id join venue v on v.id = r.venue_id
    left join booking b on b.id = r.booking_id
    order by s.since, r.booking_id, s.reason limit ${2 * MAX_SHOWN}`
