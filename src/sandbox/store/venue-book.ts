import { z } from 'zod'
import type { DecidedStatus, DeclineReason } from '../../confirmation/rules/venue-responses.ts'
import { decidedStatuses, declineReasons } from '../../confirmation/rules/venue-responses.ts'
import { int } from '../../platform/database/columns.ts'
import { rowsBefore } from '../../platform/database/continue-pass.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'

/** Counts a call about a booking to a test venue's system; returns the number of calls. */
export const countCall = (
  db: Db,
  { bookingId, isCancel, at }: { bookingId: string; isCancel: boolean; at: Date },
) =>
  query.value(db, int)`
    insert into sandbox_call as c (booking_id, is_cancel, calls, first_at)
    values (${bookingId}, ${isCancel}, 1, ${at})
    on conflict (booking_id, is_cancel) do update set calls = c.calls + 1
    returning calls`

/** Call counts older than a given moment. */
export const oldCalls = (before: Date) =>
  rowsBefore('sandbox_call', 'first_at', before, 'booking_id, is_cancel')

/** A planned statement of a test venue. */
export type Reply = {
  bookingId: string
  accountId: string
  status: DecidedStatus
  reason?: DeclineReason | undefined
  /** with `offered`: the venue's local time */
  offeredSlotTime?: string | undefined
  dueAt: Date
}

/** Plans a reply; an earlier plan stays. */
export const insertReply = (db: Db, reply: Reply) =>
  query.execute(db)`
    insert into sandbox_reply (booking_id, status, reason, offered_slot_time, account_id, due_at)
    values (${reply.bookingId}, ${reply.status}, ${reply.reason},
      ${reply.offeredSlotTime}::timestamp, ${reply.accountId}, ${reply.dueAt})
    on conflict do nothing`

const idRow = z.object({ booking_id: z.uuid() })

/**
 * Bookings of one sandbox, or of all in real time, with a due reply whose venue is not waiting for
 * an earlier one to be applied.
 */
export const selectDueReplies = (
  db: Db,
  at: Date,
  accountId: string | null,
  { after, limit }: PageOfIds,
) =>
  query.rows(db, idRow)`
    select distinct r.booking_id from sandbox_reply r join account a on a.id = r.account_id
    where r.due_at <= ${at} and (${after}::uuid is null or r.booking_id > ${after})
      and case when ${accountId}::uuid is null then a.sandbox_kind = 'default'
        else r.account_id = ${accountId} end
      and not exists (select from venue_response s
        where s.booking_id = r.booking_id and s.effect is null)
    order by r.booking_id limit ${limit}`

const replyRow = z.object({
  venue_id: z.uuid(),
  revision: z.int(),
  status: z.enum(decidedStatuses),
  reason: z.enum(declineReasons).nullable(),
  offered_slot_time: z.string().nullable(),
  due_at: z.date(),
})

/** Takes the first due reply about a booking, with the revision that it answers. */
export const takeReply = (tx: Db, bookingId: string, at: Date) =>
  query.optionalRow(tx, replyRow)`
    delete from sandbox_reply r using booking b
    where b.id = r.booking_id and r.booking_id = ${bookingId} and r.status = (
      select status from sandbox_reply where booking_id = ${bookingId} and due_at <= ${at}
      order by due_at, status limit 1 for update skip locked)
    returning b.venue_id, coalesce(b.asked_revision, b.revision) as revision, r.status, r.reason,
      r.offered_slot_time, r.due_at`
