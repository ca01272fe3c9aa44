import { tendAccounts } from '../src/accounts/steps/tend-accounts.ts'
import type { StepDeps } from '../src/bookings/hooks.ts'
import type { BookingStart } from '../src/bookings/rules/booking-messages.ts'
import { actWhenDue } from '../src/bookings/steps/act-when-due.ts'
import { decideBooking } from '../src/bookings/steps/decide-booking.ts'
import { runCommands } from '../src/bookings/steps/run-commands.ts'
import {
  deliverCommands,
  deliverStatements,
  eraseGuestDetails,
  eraseOldKeys,
  resumeLostBookings,
} from '../src/bookings/steps/sweep.ts'
import { wakeOverdueHolds } from '../src/bookings/steps/wake-overdue-holds.ts'
import { callVenue, type VenueDeps } from '../src/confirmation/steps/call-venue.ts'
import { hearVenue } from '../src/confirmation/steps/hear-venue.ts'
import { mirrorAvailability } from '../src/confirmation/steps/mirror-availability.ts'
import { notifyVenue } from '../src/confirmation/steps/notify-venue.ts'
import type { Engine } from '../src/contract/define.ts'
import type { GroupStart } from '../src/itineraries/rules/group-messages.ts'
import type { GroupStatus } from '../src/itineraries/rules/groups.ts'
import { advanceGroup } from '../src/itineraries/steps/advance-group.ts'
import { resumeLostGroups } from '../src/itineraries/steps/resume-lost-groups.ts'
import {
  type GroupDeps,
  tellMembers,
  workOnMember,
} from '../src/itineraries/steps/work-on-member.ts'
import type { Pool } from '../src/platform/database/sql.ts'
import type { Log } from '../src/platform/telemetry/log.ts'
import { lookAtWatch } from '../src/waitlist/steps/look-at-watch.ts'
import { lookOut } from '../src/waitlist/steps/look-out.ts'
import type { SendOrder } from '../src/webhooks/rules/batch-messages.ts'
import type { EndpointStart } from '../src/webhooks/rules/endpoint-messages.ts'
import { retryDelivery } from '../src/webhooks/sender/retry-delivery.ts'
import { sendChallenge } from '../src/webhooks/sender/send-challenge.ts'
import { sendDue } from '../src/webhooks/sender/send-due.ts'
import type { SenderDeps } from '../src/webhooks/sender/send-request.ts'
import { expireHeld, wakeWaitingEndpoints } from '../src/webhooks/sender/upkeep.ts'
import { eraseDeliveries } from '../src/webhooks/steps/erase-deliveries.ts'
import { whileBeating } from './while-beating.ts'

export type ActivityDeps = {
  db: Pool
  engine: Engine
  log: Log
  steps: StepDeps
  webhookRetentionDays: number
  proMonthlyUsd: number
}

export type Activities = ReturnType<typeof createActivities>

/** Every effect of the workflows. `at` is workflow time in milliseconds since the epoch. */
export const createActivities = ({ db, engine, log, steps, ...kept }: ActivityDeps) => ({
  async decideBooking(start: BookingStart, at: number) {
    const decision = await decideBooking(db, start, steps, new Date(at))
    await wakeOverdueHolds({ db, engine, log }, start, decision, new Date(at))
    return decision
  },
  hearVenue: (start: BookingStart, at: number) => hearVenue(db, start, steps, new Date(at)),
  actWhenDue: (start: BookingStart, at: number) => actWhenDue(db, start, steps, notBefore(at)),
  /** As workflows from before holds call it. */
  completeBooking: (start: BookingStart, at: number) => actWhenDue(db, start, steps, notBefore(at)),
  runCommands: (start: BookingStart, asked: string[], at: number) =>
    runCommands(db, start, steps, { asked, at: notBefore(at) }),
  resumeLostBookings: (at: number, after: string | null) =>
    resumeLostBookings(db, engine, log, new Date(at), after),
  deliverStatements: (at: number) => deliverStatements(db, engine, new Date(at)),
  deliverCommands: (at: number) => deliverCommands(db, engine, new Date(at)),
  eraseGuestDetails: (at: number) => eraseGuestDetails(db, new Date(at)),
  eraseOldKeys: (at: number) => eraseOldKeys(db, new Date(at)),
  advanceGroup: (start: GroupStart, at: number) => advanceGroup(db, start, steps, new Date(at)),
  resumeLostGroups: (at: number) => resumeLostGroups(db, engine, log, new Date(at)),
  lookAtWatch: (watchId: string, at: number) => lookAtWatch(db, watchId, new Date(at)),
  eraseDeliveries: (at: number) => eraseDeliveries(db, kept.webhookRetentionDays, new Date(at)),
  tendAccounts: (at: number) => tendAccounts(db, kept.proMonthlyUsd * 100, new Date(at)),
  lookOut: (at: number) => lookOut(db, engine, new Date(at)),
  wakeWaitingEndpoints: (at: number) => wakeWaitingEndpoints(db, engine, new Date(at)),
})

/** A regular activity is tried again with the time of its first try: what it decides must not be judged by a time long past. */
const notBefore = (at: number) => new Date(Math.max(at, Date.now()))

export type VenueActivities = ReturnType<typeof createVenueActivities>

/** The effects that reach out to venues; their worker is the only one that does. */
export const createVenueActivities = (deps: VenueDeps) => ({
  callVenue: (start: BookingStart) => whileBeating((signal) => callVenue(deps, start, signal)),
  notifyVenue: (start: BookingStart) => notifyVenue(deps, start),
  mirrorAvailability: (at: number) => mirrorAvailability(deps, new Date(at)),
})

export type GroupActivities = ReturnType<typeof createGroupActivities>

/** The waits for the bookings of groups; their worker does nothing else. */
export const createGroupActivities = (deps: GroupDeps) => ({
  workOnMember: (start: GroupStart, status: GroupStatus, position: number, at: number) =>
    workOnMember(deps, start, { status, position, at: new Date(at) }),
  tellMembers: (start: GroupStart) => tellMembers(deps, start),
})

export type WebhookActivities = ReturnType<typeof createWebhookActivities>

/** The requests to subscribers; their worker is the only one that sends any. */
export const createWebhookActivities = (deps: SenderDeps) => ({
  sendDue: (start: EndpointStart, order: SendOrder) =>
    whileBeating((signal) => sendDue(deps, start, order, signal)),
  retryDelivery: (start: EndpointStart, deliveryId: string, at: number) =>
    whileBeating((signal) => retryDelivery(deps, start, { deliveryId, at }, signal)),
  sendChallenge: (start: EndpointStart, at: number, keyId: string) =>
    whileBeating((signal) => sendChallenge(deps, start, { at, keyId }, signal)),
  expireHeld: (at: number) => expireHeld(deps.db, deps.heldDays, new Date(at)),
})
