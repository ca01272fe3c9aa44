import { type Db, execute } from '../../platform/database/sql.ts'

/** Who comes and what they ask for. For the venue only, erased after `eraseAfter`. */
export type GuestDetails = {
  details: Partial<Record<'name' | 'phone' | 'email' | 'notes', string | undefined>>
  eraseAfter: Date
}

const KEPT_MS = 90 * 24 * 3_600_000

/** When the details of a guest of this slot are erased. */
export const guestKeptUntil = (startsAt: Date): Date => new Date(startsAt.getTime() + KEPT_MS)

/** Moves the erasure of guest details with the slot. */
export const updateErasure = (tx: Db, bookingId: string, eraseAfter: Date) =>
  execute(tx)`
    update booking_guest set erase_after = ${eraseAfter} where booking_id = ${bookingId}`

/** Erases guest details that are due; answers how many. */
export const deleteDueGuestDetails = (db: Db, at: Date) =>
  execute(db)`delete from booking_guest where erase_after < ${at}`
