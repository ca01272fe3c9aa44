import { z } from 'zod'
import { type Db, execute, queryOptionalRow, queryRows } from '../../platform/database/sql.ts'
import {
  type DecidedStatus,
  type DeclineReason,
  decidedStatuses,
  declineReasons,
} from '../rules/venue-responses.ts'
import type { BookingStateStatement } from '../schema/venue-responses.ts'

/** More than an honest venue ever says of one booking. */
const MOST_STATEMENTS = 200

/**
 * Writes a yes or no down under its webhook-id; what is undecided leaves no trace, and neither do the venue's own words, which
 * may name a guest. False when there was nothing new to write, or when the venue has said more than enough.
 */
export async function insertStatedResponse(
  db: Db,
  message: { id: string; receivedAt: Date },
  statement: BookingStateStatement,
): Promise<boolean> {
  const { booking_id: bookingId, status, revision, answered_at: answeredAt } = statement
  if (status === 'pending' || status === 'unknown') return false
  return insertDecision(db, { ...message, bookingId, revision, status, answeredAt })
}

/** A statement to be written down; `offeredSlotTime` is local to the venue, and comes with `offered` only. */
export type NewDecision = {
  bookingId: string
  id: string
  revision: number
  status: DecidedStatus
  answeredAt: Date
  receivedAt: Date
  offeredSlotTime?: string | undefined
  reason?: DeclineReason | undefined
}

/** Writes down what a venue has decided; false when it is known already, or when the venue has said more than enough. */
export async function insertDecision(db: Db, decision: NewDecision): Promise<boolean> {
  const inserted = await execute(db)`
    insert into venue_statement (booking_id, id, revision, status, answered_at, received_at,
      offered_slot_time, reason)
    select ${decision.bookingId}, ${decision.id}, ${decision.revision}, ${decision.status},
      ${decision.answeredAt}, ${decision.receivedAt},
        ${decision.offeredSlotTime ?? null}::timestamp, ${decision.reason ?? null}
    where (select count(*) from venue_statement where booking_id = ${decision.bookingId}) <
      ${MOST_STATEMENTS}::integer
    on conflict do nothing`
  return inserted === 1
}

const statementRow = z
  .object({
    id: z.string(),
    revision: z.int(),
    status: z.enum(decidedStatuses),
    answered_at: z.date(),
    received_at: z.date(),
    offered_slot_time: z.string().nullable(),
    reason: z.enum(declineReasons).nullable(),
  })
  .transform(({ answered_at, received_at, offered_slot_time, ...row }) => ({
    ...row,
    answeredAt: answered_at,
    receivedAt: received_at,
    offeredSlotTime: offered_slot_time,
  }))
/** A statement that nobody has acted upon yet. */
export type OpenResponse = z.infer<typeof statementRow>

/**
 * What the venue said that has not been weighed, the latest by its own clock first: that one prevails. It was received when the
 * first like it was: a yes in time that is said again later is still in time.
 */
export const selectOpenResponses = (db: Db, bookingId: string): Promise<OpenResponse[]> =>
  queryRows(db, statementRow)`
    select id, revision, status, answered_at, received_at, offered_slot_time, reason from (
      select id, revision, status, answered_at, effect, offered_slot_time, reason,
        min(received_at) over (partition by revision, status, offered_slot_time) as received_at
      from venue_statement where booking_id = ${bookingId}) s
    where effect is null order by answered_at desc, received_at, id`

/** Notes what a statement led to. */
export async function updateResponseEffect(
  tx: Db,
  bookingId: string,
  id: string,
  effect: string,
): Promise<void> {
  await execute(tx)`
    update venue_statement set effect = ${effect} where booking_id = ${bookingId} and id = ${id}`
}

const declinedRow = z.object({ revision: z.int().nullable() })

/** The newest revision of a booking that its venue has declined while the booking stayed as it was. */
export async function selectDeclinedRevision(db: Db, bookingId: string): Promise<number | null> {
  const row = await queryOptionalRow(db, declinedRow)`
    select max(revision) as revision from venue_statement where booking_id = ${bookingId}
      and effect = 'keep'`
  return row?.revision ?? null
}

const effectRow = z.object({ effect: z.string().nullable() })

/** What a statement led to; null until it has been weighed. */
export async function selectEffect(db: Db, bookingId: string, id: string): Promise<string | null> {
  const row = await queryOptionalRow(db, effectRow)`
    select effect from venue_statement where booking_id = ${bookingId} and id = ${id}`
  return row?.effect ?? null
}
