import { READING_LATE_MS } from '../../availability/rules/mirror.ts'
import { refuse } from '../../base/errors.ts'
import type { Services } from '../../contract/operation.ts'
import { selectBookingDetail, selectCommands, selectSteps } from '../store/bookings.ts'
import { selectVenueDetail } from '../store/connected-venues.ts'
import * as webhooks from '../store/webhooks.ts'
import { findRequest } from './find-anything.ts'
import { readStuckBookings } from './read-health.ts'

type Reads = Pick<Services, 'db'>

const required = <T>(row: T | undefined, what: string): T => {
  if (row === undefined) throw refuse('page_not_found', `There is no such ${what}.`)
  return row
}

/** A booking by any account with its steps and commands and, if it is stuck, the reasons. */
export async function readBooking(services: Reads, id: string, at: Date) {
  const { db } = services
  const [booking, steps, commands, stuck] = await Promise.all([
    selectBookingDetail(db, id),
    selectSteps(db, id),
    selectCommands(db, id),
    readStuckBookings(services, at),
  ])
  const reasons = stuck.filter((one) => one.id === id)
  return { booking: required(booking, 'booking'), steps, commands, stuck: reasons }
}
export type InspectedBooking = Awaited<ReturnType<typeof readBooking>>

/** An endpoint of any account with its latest attempts. */
export async function readEndpoint({ db }: Reads, id: string) {
  const [endpoint, attempts] = await Promise.all([
    webhooks.selectEndpointDetail(db, id),
    webhooks.selectLatestAttempts(db, id, null),
  ])
  return { endpoint: required(endpoint, 'endpoint'), attempts }
}
export type EndpointPage = Awaited<ReturnType<typeof readEndpoint>>

/** A delivery of any account with its latest attempts. */
export async function readDelivery({ db }: Reads, id: string) {
  const delivery = required(await webhooks.selectDeliveryDetail(db, id), 'delivery')
  return { delivery, attempts: await webhooks.selectLatestAttempts(db, delivery.endpoint_id, id) }
}
export type DeliveryPage = Awaited<ReturnType<typeof readDelivery>>

/** An event of any account with its deliveries. */
export async function readEvent({ db }: Reads, id: string) {
  const event = required(await webhooks.selectEventDetail(db, id), 'event')
  const { account_id, number } = event
  return { event, deliveries: await webhooks.selectDeliveriesOfEvent(db, account_id, number) }
}
export type EventPage = Awaited<ReturnType<typeof readEvent>>

/** A logged request by any account. */
export const readRequest = async (services: Reads, id: string) =>
  required(await findRequest(services, id), 'request in the log of the last 7 days')

/** A venue, with its connection and upcoming bookings. */
export const readVenue = async ({ db }: Reads, slug: string, at: Date) => {
  const due = new Date(at.getTime() - READING_LATE_MS)
  return required(await selectVenueDetail(db, slug, { due, at }), 'venue')
}
