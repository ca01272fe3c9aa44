import { answers } from '../../contract/capability.ts'

/** What 202 means. */
export const later = 'Not decided within `Prefer: wait=N` seconds. Read the booking at `Location`'

type Decided = {
  status: string
  booking: { id: string }
  joined?: boolean | undefined
  replayed?: boolean | undefined
}
/** Where the booking of an answer is read. */
export const locationOf = ({ booking }: Decided) => `/api/bookings/${booking.id}`

/** How REST answers an operation that changes a booking. */
export const changes = answers({ 200: 'OK', 202: later }, locationOf)
