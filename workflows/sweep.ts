import { proxyActivities } from '@temporalio/workflow'
import type { BookingActivities } from '../activities/bookings.ts'
import type { ConfirmationActivities } from '../activities/confirmation.ts'
import type { ItineraryActivities } from '../activities/itineraries.ts'
import type { WebhookUpkeepActivities } from '../activities/webhooks.ts'

const options = { startToCloseTimeout: '10s', retry: { maximumAttempts: 3 } } as const
const bookings = proxyActivities<BookingActivities>(options)
const venues = proxyActivities<ConfirmationActivities>(options)
const groups = proxyActivities<ItineraryActivities>(options)
const webhooks = proxyActivities<WebhookUpkeepActivities>(options)

/** Ids of bookings and groups; counts of rows and endpoints. */
type Swept = {
  resumed: string[]
  responded: string[]
  commanded: string[]
  /** bookings whose guest details were erased */
  erased: number
  /** endpoints that were notified again of due deliveries */
  woken: number
}

/**
 * The guarantee behind every booking, every 15 s by a schedule: a booking that lost its workflow
 * gets it back, and responses, commands and deliveries that were not noticed are announced again.
 */
export async function sweep(): Promise<Swept> {
  const resumed: string[] = []
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<BookingActivities['resumeLostBookings']>> =
      await bookings.resumeLostBookings(Date.now(), after)
    resumed.push(...page.resumed)
    after = page.next
  } while (after !== null)
  const responded = await venues.deliverVenueResponses(Date.now())
  const commanded = await bookings.deliverCommands(Date.now())
  const erased = await bookings.eraseGuestDetails(Date.now())
  await bookings.eraseOldKeys(Date.now())
  resumed.push(...(await groups.resumeLostGroups(Date.now())))
  const woken = await webhooks.wakeWaitingEndpoints(Date.now())
  return { resumed, responded, commanded, erased, woken }
}
