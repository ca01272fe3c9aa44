import { z } from 'zod'
import type { Wish } from '../../availability/rules/service-terms.ts'
import { bookingStatuses } from '../../base/booking-status.ts'
import { alternative } from '../../contract/alternative.ts'
import { text } from '../../platform/database/columns.ts'
import { type Db, query, together } from '../../platform/database/sql.ts'
import type { BookingStart, ConfirmAnswer, Decision } from '../rules/booking-messages.ts'
import { selectOptionalBookingState } from './bookings.ts'
import { type GuestDetails, guestColumns, guestValues } from './guests.ts'

/** A booking request as stored before anything else happens. */
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
  /** books although the account has a similar booking */
  also?: boolean | undefined
  wish?: Wish | undefined
  /** null lets the account decide */
  paid_by?: 'x402' | null
  at: Date
}

/** The columns of a request that are taken from its `BookingStart`. */
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

/** The agent or signed-in program that made a booking, as it calls itself, if it has a name. */
export const selectOptionalBooker = (db: Db, accountId: string, bookingId: string) =>
  query.optionalValue(db, text)`
    select from_agent from request
    where booking_id = ${bookingId} and account_id = ${accountId} and from_agent is not null`

/** Returns false if an equal request, or one with the same key, is already stored. */
export async function insertRequest(db: Db, request: NewRequest): Promise<boolean> {
  const { booking_id, account_id, operation, idempotency_key: key, body_hash, at } = request
  const { wish = {} } = request
  const guest = request.guest && JSON.stringify(request.guest.details)
  const count = await query.execute(db)`
    with used as (
      insert into idempotency_key (account_id, key, operation, subject_id, body_hash, created_at)
      select ${account_id}, ${key}::text, ${operation}, ${booking_id}, ${body_hash}, ${at}
      where ${key}::text is not null
      on conflict do nothing
      returning key
    ), written as (
      insert into request (booking_id, account_id, operation, body_hash, natural_key, door,
        from_agent, guest_ref, venue_id, slot_time, party_size, created_at, reminders, service_id,
        session, minutes, leader_id, also, paid_by)
      select ${booking_id}::uuid, ${account_id}::uuid, ${operation}::text, ${body_hash}::bytea,
        ${request.natural_key}::bytea, ${request.door}::text, ${request.from_agent}::text,
        ${request.guest_ref}::text, ${request.venue_id}::uuid, ${request.slot_time}::timestamp,
        ${request.party_size}::integer, ${at}::timestamptz, ${request.reminders}::integer[],
        ${wish.serviceId}::uuid, ${wish.session}::text, ${wish.minutes}::integer,
        ${wish.leaderId}::uuid, ${request.also ?? false}::boolean, ${request.paid_by}::text
      where ${key}::text is null or exists (select from used)
      on conflict do nothing
      returning booking_id
    ), guest as (
      insert into booking_guest (booking_id, erase_after, ${guestColumns})
      select booking_id, ${request.guest?.eraseAfter}::timestamptz, ${guestValues(guest)}
      from written where ${guest}::jsonb is not null
    )
    select booking_id from written`
  return count === 1
}

const earlierRequest = z.object({
  booking_id: z.uuid(),
  operation: z.string(),
  body_hash: z.instanceof(Buffer),
  answer: z.custom<ConfirmAnswer>().nullable(),
  created_at: z.date(),
  /** whether it was found by its idempotency key */
  by_key: z.boolean(),
  /** its booking's status; null before it holds anything */
  status: z.enum(bookingStatuses).nullable(),
})
export type EarlierRequest = z.infer<typeof earlierRequest>

/**
 * The account's request with the same idempotency key or, without a key, the same natural key. Also
 * finds a key that was used for something else, as `operation` shows.
 */
export const selectOptionalEarlierRequest = (
  db: Db,
  {
    account_id,
    idempotency_key,
    natural_key,
  }: Pick<NewRequest, 'account_id' | 'idempotency_key' | 'natural_key'>,
) =>
  query.optionalRow(db, earlierRequest)`
    select u.subject_id as booking_id, u.operation, u.body_hash, r.answer, u.created_at,
      true as by_key, null as status
    from idempotency_key u left join request r on r.booking_id = u.subject_id
    where u.account_id = ${account_id} and u.key = ${idempotency_key}
    union all
    select r.booking_id, r.operation, r.body_hash, r.answer, r.created_at, false, b.status
    from request r left join booking b on b.id = r.booking_id
    where r.account_id = ${account_id} and r.natural_key = ${natural_key}`

/** The request of a booking, as an `EarlierRequest`. */
export const selectEarlierRequest = (db: Db, bookingId: string) =>
  query.row(db, earlierRequest)`
    select booking_id, operation, body_hash, answer, created_at, false as by_key, null as status
    from request where booking_id = ${bookingId}`

const answerValue = z.custom<ConfirmAnswer>().nullable()

/** The stored answer to a request; null before the decision. */
export const selectOptionalAnswer = async (db: Db, bookingId: string) =>
  (await query.optionalValue(db, answerValue)`
    select answer from request where booking_id = ${bookingId}`) ?? null

const alternativesValue = z.array(alternative)

/**
 * The alternatives listed in the refusal of a request or of a hold's confirmation, or in the event
 * of the venue's cancellation.
 */
export const selectAlternativesNamed = async (db: Db, bookingId: string) =>
  (await query.optionalValue(db, alternativesValue)`
    select answer #> '{refusal,facts,alternatives}' as alternatives from (
      select answer, created_at from request where booking_id = ${bookingId}
      union all
      select answer, created_at from command where booking_id = ${bookingId} and kind = 'confirm'
      union all
      select jsonb_build_object('refusal', jsonb_build_object('facts', data)), created_at
      from event where booking_id = ${bookingId} and type = 'booking.cancelled'
    ) a where answer #> '{refusal,facts,alternatives}' is not null
    order by created_at desc limit 1`) ?? []

/** The stored answer to a request and the state of its booking. */
export async function selectDecision(db: Db, bookingId: string): Promise<Decision> {
  const [state = null, answer] = await together(
    selectOptionalBookingState(db, bookingId),
    selectOptionalAnswer(db, bookingId),
  )
  return { answer, state }
}

/** Stores the answer for repeated requests, unless one is already stored. */
export const updateRequestAnswer = (db: Db, bookingId: string, answer: ConfirmAnswer) =>
  query.execute(db)`
    update request set answer = ${JSON.stringify(answer)}
    where booking_id = ${bookingId} and answer is null`

/** Answers the request, and the commands that were waiting for the venue. */
export const updateWaitingAnswers = (tx: Db, bookingId: string, answer: ConfirmAnswer) =>
  query.execute(tx)`
    with answered as (
      update request set answer = ${JSON.stringify(answer)}
      where booking_id = ${bookingId} and answer is null
    )
    update command set answer = ${JSON.stringify(answer)}
    where booking_id = ${bookingId} and begun_at is not null and answer is null`

/** Replaces the reminder times of a booking. */
export const updateReminders = (tx: Db, bookingId: string, reminders: readonly number[]) =>
  query.execute(tx)`update request set reminders = ${reminders} where booking_id = ${bookingId}`

type Target = {
  service_id: string
  starts_at: Date
  ends_at: Date
  session: string | null
  leader_id: string | null
}

/** Updates a request's wish after its booking was changed. */
export const updateWish = (tx: Db, bookingId: string, to: Target) =>
  query.execute(tx)`
    update request set session = ${to.session}, leader_id = ${to.leader_id},
      service_id = case when service_id is not null or ${to.session}::text is not null
        then ${to.service_id}::uuid end,
      minutes = case when minutes is not null
        then extract(epoch from ${to.ends_at}::timestamptz - ${to.starts_at}) / 60 end
    where booking_id = ${bookingId} and num_nonnulls(service_id, session, minutes, leader_id,
      ${to.session}::text, ${to.leader_id}::uuid) > 0`

/** Lets an equal request make another booking. */
export const clearNaturalKey = (db: Db, bookingId: string) =>
  query.execute(db)`update request set natural_key = null where booking_id = ${bookingId}`
