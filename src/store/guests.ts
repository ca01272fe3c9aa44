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
