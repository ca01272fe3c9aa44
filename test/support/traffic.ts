import { randomUUIDv7 } from 'node:crypto'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { insertEndpointRow, settle, writeEvents } from './deliveries.ts'
import { makeReplay } from './replays.ts'
import { requestDaysAhead, writeRequest } from './requests.ts'
import { stepDeps } from './terms.ts'

/** The objects of an account with some activity. */
export type Traffic = {
  bookingId: string
  endpointId: string
  deliveryId: string
  eventNumber: number
  replayId: string
}

/** A confirmed booking, an endpoint with failed deliveries, and a started replay. */
export async function makeTraffic(db: Pool, accountId: string): Promise<Traffic> {
  const endpointId = await insertEndpointRow(db, accountId)
  const at = new Date()
  const start = { ...(await requestDaysAhead(db, { at })), accountId, bookingId: randomUUIDv7() }
  await writeRequest(db, start, at)
  // Made while the account was on pro.
  await db.query(`update request set paid_by = 'pro' where booking_id = $1`, [start.bookingId])
  await decideBooking(db, start, stepDeps, at)
  await writeEvents(db, accountId, 2)
  await settle(db, endpointId, 'failed')
  const { rows } = await db.query(
    `select id, event_number::int as n from delivery where endpoint_id = $1 order by n desc
     limit 1`,
    [endpointId],
  )
  const { id: replayId } = await makeReplay(db, { endpointId }, { last: 1 })
  return {
    bookingId: start.bookingId,
    endpointId,
    deliveryId: rows[0].id,
    eventNumber: rows[0].n,
    replayId,
  }
}

/** Every page about any of these objects. */
export const pagesOf = (made: Traffic): string[] => [
  `/dashboard/bookings/${made.bookingId}`,
  `/dashboard/bookings/${made.bookingId}/cancel`,
  `/dashboard/webhooks/${made.endpointId}`,
  `/dashboard/webhooks/${made.endpointId}/delete`,
  `/dashboard/webhooks/${made.endpointId}/revoke`,
  `/dashboard/webhooks/${made.endpointId}/replay`,
  `/dashboard/webhooks/${made.endpointId}/replay?way=numbers&from_number=1`,
  `/dashboard/deliveries/${made.deliveryId}`,
  `/dashboard/replays/${made.replayId}`,
  `/dashboard/events/${made.eventNumber}`,
]

/** Every list page. */
export const lists = [
  '/dashboard/bookings',
  '/dashboard/webhooks',
  '/dashboard/deliveries',
  '/dashboard/events',
]

/** Every form that changes any of these objects. */
export const formsOf = (made: Traffic): string[] => [
  `/dashboard/bookings/${made.bookingId}/cancel`,
  `/dashboard/bookings/${made.bookingId}/offer/accept`,
  `/dashboard/bookings/${made.bookingId}/offer/refuse`,
  ...[
    'verify',
    'test',
    'pause',
    'disable',
    'resume',
    'enable',
    'delete',
    'rotate',
    'activate',
    'revoke',
    'replays',
  ].map((word) => `/dashboard/webhooks/${made.endpointId}/${word}`),
  `/dashboard/deliveries/${made.deliveryId}/retry`,
  ...['pause', 'resume', 'cancel'].map((word) => `/dashboard/replays/${made.replayId}/${word}`),
]
