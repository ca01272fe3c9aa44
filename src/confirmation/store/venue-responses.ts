import { z } from 'zod'
import { text } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import {
  type DecidedStatus,
  type DeclineReason,
  decidedStatuses,
  declineReasons,
} from '../rules/venue-responses.ts'
import type { BookingStateStatement } from '../schema/venue-responses.ts'

/**
 * Maximum stored responses per booking. Acknowledgements are exempt, so a withdrawal can always
 * complete. Offers, which fail if their time is taken, leave as much room for other answers.
 */
const MAX_RESPONSES = 200

/**
 * Stores a decision under its webhook-id. Undecided responses are not stored, nor are the venue's
 * own words, which may name a guest. Returns false if there was nothing new to store.
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

/** A decision to store. The status `offered` has an `offeredSlotTime`, local to the venue. */
type NewDecision = {
  bookingId: string
  id: string
  revision: number
  status: DecidedStatus
  answeredAt: Date
  receivedAt: Date
  offeredSlotTime?: string | undefined
  reason?: DeclineReason | undefined
  /** the person at the venue who decided, if known */
  personId?: string | undefined
}

/** Stores a venue's decision; false if it is already stored, or the venue has sent too many. */
export async function insertDecision(db: Db, decision: NewDecision): Promise<boolean> {
  const { bookingId } = decision
  const inserted = await query.execute(db)`
    insert into venue_response (booking_id, id, revision, status, answered_at, received_at,
      offered_slot_time, reason, person_id)
    select ${bookingId}, ${decision.id}, ${decision.revision}, ${decision.status},
      ${decision.answeredAt}, ${decision.receivedAt}, ${decision.offeredSlotTime}::timestamp,
      ${decision.reason}, ${decision.personId}::uuid
    where (select count(*) from venue_response where booking_id = ${bookingId}
        and (status = 'offered') = ${decision.status === 'offered'}::boolean)
      < ${MAX_RESPONSES}::integer
      or exists (select from booking b where b.id = ${bookingId} and (
        b.venue_sync = 'withdraw_due' and ${decision.revision}::integer >= b.revision
          and ${decision.status}::text in ('declined', 'cancelled')
        or b.change_phase = 'restoring' and ${decision.revision}::integer = b.change_revision
          and ${decision.status}::text in ('confirmed', 'declined')))
    on conflict do nothing`
  return inserted === 1
}

const responseRow = z.object({
  id: z.string(),
  revision: z.int(),
  status: z.enum(decidedStatuses),
  answered_at: z.date(),
  received_at: z.date(),
  offered_slot_time: z.string().nullable(),
  reason: z.enum(declineReasons).nullable(),
})
/** An unapplied response. */
export type OpenResponse = z.infer<typeof responseRow>

/**
 * Unapplied responses: of a venue's system the latest by its clock first, because that prevails;
 * before them those of people, whose first answer counts. A repeated response counts as received
 * when it first was.
 */
export const selectOpenResponses = (db: Db, bookingId: string) =>
  query.rows(db, responseRow)`
    select id, revision, status, answered_at, received_at, offered_slot_time, reason from (
      select id, revision, status, answered_at, effect, offered_slot_time, reason,
        min(received_at) over (partition by revision, status, offered_slot_time) as received_at
      from venue_response where booking_id = ${bookingId}) s
    where effect is null
    order by case when id ~ '^(page|notice)_' then answered_at end, answered_at desc,
      received_at, id`

/** Stores the effect of a response. */
export const updateResponseEffect = (tx: Db, bookingId: string, id: string, effect: string) =>
  query.execute(tx)`
    update venue_response set effect = ${effect} where booking_id = ${bookingId} and id = ${id}`

const declinedValue = z.int().nullable()

/** The newest revision that the venue declined while the booking stayed as it was. */
export const selectDeclinedRevision = async (db: Db, bookingId: string): Promise<number | null> =>
  (await query.optionalValue(db, declinedValue)`
    select max(revision) as revision from venue_response
    where booking_id = ${bookingId} and effect = 'keep'`) ?? null

const effectValue = z.string().nullable()

/** The effect of a response; null until the response has been applied. */
export const selectEffect = async (db: Db, bookingId: string, id: string): Promise<string | null> =>
  (await query.optionalValue(db, effectValue)`
    select effect from venue_response where booking_id = ${bookingId} and id = ${id}`) ?? null

/** The name of the person who last decided about a booking; undefined if nobody's is known. */
export const selectOptionalDecider = (db: Db, bookingId: string) =>
  query.optionalValue(db, text)`
    select p.name from venue_response r join venue_person p on p.id = r.person_id
    where r.booking_id = ${bookingId}
      and r.effect in ('confirm', 'decline', 'offer', 'amend', 'keep', 'cancel')
    order by r.answered_at desc limit 1`
