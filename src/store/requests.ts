import { z } from 'zod'
import type { ConfirmAnswer } from '../model/booking-messages.ts'
import { type Db, execute, queryOptionalRow } from './sql.ts'

/** A booking request as it is written down before anything else happens. */
export type NewRequest = {
  bookingId: string
  accountId: string
  operation: string
  idempotencyKey: string | null
  bodyHash: Buffer
  naturalKey: Buffer | null
  door: string
  fromAgent: string | null
  guestRef: string | null
  venueId: string
  slotTime: string
  partySize: number
  guest: Partial<Record<'name' | 'phone' | 'email' | 'notes', string | undefined>> | null
  eraseGuestAfter: Date
  at: Date
}

/** True when it was written; false when an equal or equally keyed request is there already. */
export async function insertRequest(db: Db, request: NewRequest): Promise<boolean> {
  const written = await execute(
    db,
    `with written as (
       insert into request (booking_id, account_id, operation, idempotency_key, body_hash,
         natural_key, door, from_agent, guest_ref, venue_id, slot_time, party_size, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       on conflict do nothing
       returning booking_id
     ), guest as (
       insert into booking_guest (booking_id, name, phone, email, notes, erase_after)
       select booking_id, $14::jsonb ->> 'name', $14::jsonb ->> 'phone', $14::jsonb ->> 'email',
         $14::jsonb ->> 'notes', $15
       from written where $14::jsonb is not null
     )
     select booking_id from written`,
    [
      request.bookingId,
      request.accountId,
      request.operation,
      request.idempotencyKey,
      request.bodyHash,
      request.naturalKey,
      request.door,
      request.fromAgent,
      request.guestRef,
      request.venueId,
      request.slotTime,
      request.partySize,
      request.at,
      request.guest && JSON.stringify(request.guest),
      request.eraseGuestAfter,
    ],
  )
  return written === 1
}

const earlierRequest = z.object({
  booking_id: z.uuid(),
  body_hash: z.instanceof(Buffer),
  answer: z.custom<ConfirmAnswer>().nullable(),
  created_at: z.date(),
})
export type EarlierRequest = z.infer<typeof earlierRequest>

/** The request of this account with the same idempotency key or, without one, the same natural key. */
export async function selectOptionalEarlierRequest(
  db: Db,
  { accountId, idempotencyKey, naturalKey }: NewRequest,
): Promise<EarlierRequest | undefined> {
  return queryOptionalRow(
    db,
    earlierRequest,
    `select booking_id, body_hash, answer, created_at from request
     where account_id = $1 and (idempotency_key = $2 or natural_key = $3)`,
    [accountId, idempotencyKey, naturalKey],
  )
}

const answerRow = z.object({ answer: z.custom<ConfirmAnswer>().nullable() })

/** The answer that is stored for a request, or null while it is being decided. */
export async function selectOptionalAnswer(
  db: Db,
  bookingId: string,
): Promise<ConfirmAnswer | null> {
  const row = await queryOptionalRow(
    db,
    answerRow,
    'select answer from request where booking_id = $1',
    [bookingId],
  )
  return row?.answer ?? null
}

/** Stores the answer that everyone who asks again will get. */
export async function updateRequestAnswer(
  db: Db,
  bookingId: string,
  answer: ConfirmAnswer,
): Promise<void> {
  await execute(db, 'update request set answer = $2 where booking_id = $1', [
    bookingId,
    JSON.stringify(answer),
  ])
}

/** The booking is over: an equal request may now make another one. */
export async function clearNaturalKey(db: Db, bookingId: string): Promise<void> {
  await execute(db, 'update request set natural_key = null where booking_id = $1', [bookingId])
}

/** Erases guest details whose time has come; answers how many. */
export async function deleteDueGuestDetails(db: Db, at: Date): Promise<number> {
  return execute(db, 'delete from booking_guest where erase_after < $1', [at])
}
