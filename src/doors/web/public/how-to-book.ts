import type { Slot } from '../../../contract/public.ts'
import { PROTOCOL } from '../../../contract/rules/ids.ts'

/** What is sent to book a slot through one of the doors. */
export type BookingCall = { label: string; code: string }

/** A booking of this very slot, ready to be sent with a key of one's own. */
export function callsToBook(
  publicUrl: string,
  venueId: string,
  { slot_time }: Pick<Slot, 'slot_time'>,
  partySize: number,
): BookingCall[] {
  const booking = { venue_id: venueId, slot_time, party_size: partySize }
  const curl = (path: string, body: unknown) =>
    [
      `curl -s ${publicUrl}${path} \\`,
      `  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\`,
      `  -d '${JSON.stringify(body)}'`,
    ].join('\n')
  const envelope = {
    protocol: PROTOCOL,
    intent: 'booking.confirm',
    payload: booking,
  }
  return [
    { label: 'REST', code: curl('/api/bookings', booking) },
    { label: 'A2A', code: curl('/a2a/v1', envelope) },
    {
      label: 'MCP tool call',
      code: JSON.stringify({ name: 'confirm_booking', arguments: booking }, null, 2),
    },
  ]
}
