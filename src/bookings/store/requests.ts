import { z } from 'zod'
import { type Db, execute, queryOptionalRow } from '../../platform/database/sql.ts'
import type { BookingStart, ConfirmAnswer } from '../rules/booking-messages.ts'
import type { GuestDetails } from './guests.ts'

/** A booking request as it is stored before anything else happens. */
export type NewRequest = {
  booking_id: string
  account_id: string
  operation: 'confirm' | 'hold'
  idempotency_key: string | null
  body_hash: Buffer
  natural_key: Buffer | null
  door: string
  from_agent: string | null
  guest_ref: string | null
  venue_id: string
  slot_time: string
  party_size: number
  guest: GuestDetails | null
  /** minutes before the slot; undefined for the default */
  reminders?: readonly number[] | undefined
  at: Date
}

/** The columns of a request that the start of its booking has. */
export const requestOf = (
  start: Pick<
    BookingStart,
    'bookingId' | 'accountId' | 'venueId' | 'slotTime' | 'partySize' | 'purpose'
  >,
) => ({
  booking_id: start.bookingId,
  account_id: start.accountId,
  operation: start.purpose ?? ('confirm' as const),
  venue_id: start.venueId,
  slot_time: start.slotTime,
  party_size: start.partySize,
})

/** False when an equal request, or one with the same key, is stored already. */
export async function insertRequest(db: Db, request: NewRequest): Promise<boolean> {
  const guest = request.guest && JSON.stringify(request.guest.details)
  const written = await execute(db)`
    with used as (
      insert into used_key (account_id, key, operation, subject_id, body_hash, created_at)
      select ${request.account_id}, ${request.idempotency_key}::text, ${request.operation},
        ${request.booking_id}, ${request.body_hash}, ${request.at}
          where ${request.idempotency_key}::text is not null
      on conflict do nothing
      returning key
    ), written as (
      insert into request (booking_id, account_id, operation, body_hash, natural_key, door,
        from_agent, guest_ref, venue_id, slot_time, party_size, created_at, reminders)
      select ${request.booking_id}::uuid, ${request.account_id}::uuid, ${request.operation}::text,
        ${request.body_hash}::bytea, ${request.natural_key}::bytea, ${request.door}::text,
          ${request.from_agent}::text, ${request.guest_ref}::text,
        ${request.venue_id}::uuid, ${request.slot_time}::timestamp, ${request.party_size}::integer,
          ${request.at}::timestamptz,
        ${request.reminders ?? null}::integer[]
      where ${request.idempotency_key}::text is null or exists (select from used)
      on conflict do nothing
      returning booking_id
    ), guest as (
      insert into booking_guest (booking_id, name, phone, email, notes, erase_after)
      select booking_id, ${guest}::jsonb ->> 'name', ${guest}::jsonb ->> 'phone',
        ${guest}::jsonb ->> 'email', ${guest}::jsonb ->> 'notes',
        ${request.guest?.eraseAfter ?? null}::timestamptz
      from written where ${guest}::jsonb is not null
    )
    select booking_id from written`
  return written === 1
}

const earlierRequest = z.object({
  booking_id: z.uuid(),
  operation: z.string(),
  body_hash: z.instanceof(Buffer),
  answer: z.custom<ConfirmAnswer>().nullable(),
  created_at: z.date(),
})
export type EarlierRequest = z.infer<typeof earlierRequest>

/**
 * The account's request with the same idempotency key or, without one, the same natural key. Also
 * finds a key that was used for something else; `operation` says for what.
 */
export async function selectOptionalEarlierRequest(
  db: Db,
  { account_id, idempotency_key, natural_key }: NewRequest,
): Promise<EarlierRequest | undefined> {
  return queryOptionalRow(db, earlierRequest)`
    select u.subject_id as booking_id, u.operation, u.body_hash, r.answer, u.created_at
    from used_key u left join request r on r.booking_id = u.subject_id
    where u.account_id = ${account_id} and u.key = ${idempotency_key}
    union all
    select booking_id, operation, body_hash, answer, created_at from request
    where account_id = ${account_id} and natural_key = ${natural_key}`
}

const answerRow = z.object({ answer: z.custom<ConfirmAnswer>().nullable() })

/** The stored answer to a request, null while it is being decided. */
export async function selectOptionalAnswer(
  db: Db,
  bookingId: string,
): Promise<ConfirmAnswer | null> {
  const row = await queryOptionalRow(db, answerRow)`
    select answer from request where booking_id = ${bookingId}`
  return row?.answer ?? null
}

/** Stores the answer that repetitions get; the first one stays. */
export async function updateRequestAnswer(
  db: Db,
  bookingId: string,
  answer: ConfirmAnswer,
): Promise<void> {
  await execute(db)`
    update request set answer = ${JSON.stringify(answer)} where booking_id = ${bookingId}
      and answer is null`
}

/**
 * Answers everyone who waits for the decision: the request, and the commands that the venue was to
 * decide about.
 */
export async function updateWaitingAnswers(
  tx: Db,
  bookingId: string,
  answer: ConfirmAnswer,
): Promise<void> {
  await execute(tx)`
    with answered as (
      update request set answer = ${JSON.stringify(answer)} where booking_id = ${bookingId}
        and answer is null
    )
    update command set answer = ${JSON.stringify(answer)}
    where booking_id = ${bookingId} and begun_at is not null and answer is null`
}

/** Replaces the reminder times of a booking. */
export async function updateReminders(
  tx: Db,
  bookingId: string,
  reminders: readonly number[],
): Promise<void> {
  await execute(tx)`update request set reminders = ${reminders} where booking_id = ${bookingId}`
}

/** Allows an equal request to make another booking. */
export async function clearNaturalKey(db: Db, bookingId: string): Promise<void> {
  await execute(db)`update request set natural_key = null where booking_id = ${bookingId}`
}
