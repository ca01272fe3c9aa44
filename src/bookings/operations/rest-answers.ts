import { answers } from '../../contract/capability.ts'

/** What status 202 means. */
export const later =
  'Not decided within `Prefer: wait=N` seconds, or another time is offered: read `Location`'

type Decided = {
  status: string
  booking: { id: string }
  joined?: boolean | undefined
  replayed?: boolean | undefined
}
/** The path for reading the booking in an answer. */
export const locationOf = ({ booking }: Decided) => `/api/bookings/${booking.id}`

/** REST answers for operations that change a booking. */
export const changes = answers({ 200: 'OK', 202: later }, locationOf)
