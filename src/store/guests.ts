import { GUEST_KEPT_DAYS } from '../model/booking.ts'
import { type Db, execute } from './sql.ts'

/** Who comes and what they ask for: for the venue only, erased when `eraseAfter` has passed. */
export type GuestDetails = {
  details: Partial<Record<'name' | 'phone' | 'email' | 'notes', string | undefined>>
  eraseAfter: Date
}

/** Erases guest details whose time has come; answers how many. */
export async function deleteDueGuestDetails(db: Db, at: Date): Promise<number> {
  return execute(db, 'delete from booking_guest where erase_after < $1', [at])
}

/** Keeps guest details as long as they are kept after the slot that the booking has now. */
export async function updateEraseAfter(tx: Db, bookingId: string): Promise<void> {
  await execute(
    tx,
    `update booking_guest g set erase_after = b.starts_at + make_interval(days => $2)
     from booking b where g.booking_id = $1 and b.id = $1`,
    [bookingId, GUEST_KEPT_DAYS],
  )
}
