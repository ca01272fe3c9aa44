import { answers } from '../../contract/capability.ts'

/** The meaning of 202. */
export const later = 'Not decided within `Prefer: wait=N` seconds. Read the booking at `Location`'

type Decided = {
  status: string
  booking: { id: string }
  joined?: boolean | undefined
  replayed?: boolean | undefined
}
/** The path at which an answer's booking is read. */
export const locationOf = ({ booking }: Decided) => `/api/bookings/${booking.id}`

/** REST answers for operations that change a booking. */
export const changes = answers({ 200: 'OK', 202: later }, locationOf)
