import type { BookingEngine } from '../src/engine/booking-engine.ts'
import type { BookingStart } from '../src/model/booking-messages.ts'
import type { GroupStart } from '../src/model/group-messages.ts'
import type { GroupStatus } from '../src/model/groups.ts'
import type { SendOrder } from '../src/model/sending.ts'
import type { EndpointStart } from '../src/model/webhooks.ts'
import type { Pool } from '../src/store/sql.ts'
import type { Log } from '../src/telemetry/log.ts'
import { actWhenDue } from './act-when-due.ts'
import { advanceGroup } from './advance-group.ts'
import { callVenue, type VenueDeps } from './call-venue.ts'
import type { Terms } from './confirm-booking.ts'
import { decideBooking } from './decide-booking.ts'
import { eraseDeliveries } from './erase-deliveries.ts'
import { hearVenue } from './hear-venue.ts'
import { lookAtWatch } from './look-at-watch.ts'
import { lookOut } from './look-out.ts'
import { mirrorAvailability } from './mirror-availability.ts'
import { notifyVenue } from './notify-venue.ts'
import { runCommands } from './run-commands.ts'
import {
  deliverCommands,
  deliverStatements,
  eraseGuestDetails,
  eraseOldKeys,
  resumeLostBookings,
  resumeLostGroups,
} from './sweep.ts'
import { tellingWatchers } from './tell-watchers.ts'
import { tendAccounts } from './tend-accounts.ts'
import { wakeOverdueHolds } from './wake-overdue-holds.ts'
import { retryDelivery } from './webhooks/retry-delivery.ts'
import { sendChallenge } from './webhooks/send-challenge.ts'
import { sendDue } from './webhooks/send-due.ts'
import type { SenderDeps } from './webhooks/send-request.ts'
import { expireHeld, wakeWaitingEndpoints } from './webhooks/upkeep.ts'
import { whileBeating } from './while-beating.ts'
import { type GroupDeps, tellMembers, workOnMember } from './work-on-member.ts'

export type ActivityDeps = {
  db: Pool
  engine: BookingEngine
  log: Log
  terms: Terms
  webhookRetentionDays: number
  proMonthlyUsd: number
}

export type Activities = ReturnType<typeof createActivities>

/** Every effect of the workflows. `at` is workflow time in milliseconds since the epoch. */
export const createActivities = (deps: ActivityDeps) => tellingWatchers(deps, createSteps(deps))

const createSteps = ({ db, engine, log, terms, ...kept }: ActivityDeps) => ({
  async decideBooking(start: BookingStart, at: number) {
    const decision = await decideBooking(db, start, terms, new Date(at))
    await wakeOverdueHolds({ db, engine, log }, start, decision, new Date(at))
    return decision
  },
  hearVenue: (start: BookingStart, at: number) => hearVenue(db, start, terms, new Date(at)),
  actWhenDue: (start: BookingStart, at: number) => actWhenDue(db, start, terms, notBefore(at)),
  /** As workflows from before holds call it. */
  completeBooking: (start: BookingStart, at: number) => actWhenDue(db, start, terms, notBefore(at)),
  runCommands: (start: BookingStart, asked: string[], at: number) =>
    runCommands(db, start, terms, { asked, at: notBefore(at) }),
  resumeLostBookings: (at: number, after: string | null) =>
    resumeLostBookings(db, engine, log, new Date(at), after),
  deliverStatements: (at: number) => deliverStatements(db, engine, new Date(at)),
  deliverCommands: (at: number) => deliverCommands(db, engine, new Date(at)),
  eraseGuestDetails: (at: number) => eraseGuestDetails(db, new Date(at)),
  eraseOldKeys: (at: number) => eraseOldKeys(db, new Date(at)),
  advanceGroup: (start: GroupStart, at: number) => advanceGroup(db, start, terms, new Date(at)),
  resumeLostGroups: (at: number) => resumeLostGroups(db, engine, log, new Date(at)),
  lookAtWatch: (watchId: string, at: number) => lookAtWatch(db, watchId, new Date(at)),
  eraseDeliveries: (at: number) => eraseDeliveries(db, kept.webhookRetentionDays, new Date(at)),
  tendAccounts: (at: number) => tendAccounts(db, kept.proMonthlyUsd * 100, new Date(at)),
  lookOut: (at: number) => lookOut({ db, engine, log }, new Date(at)),
  wakeWaitingEndpoints: (at: number) => wakeWaitingEndpoints(db, engine, new Date(at)),
})

/** A regular activity is tried again with the time of its first try: what it decides must not be judged by a time long past. */
const notBefore = (at: number) => new Date(Math.max(at, Date.now()))

export type VenueActivities = ReturnType<typeof createVenueActivities>

/** The effects that reach out to venues; their worker is the only one that does. */
export const createVenueActivities = (deps: VenueDeps) => ({
  callVenue: (start: BookingStart) => callVenue(deps, start),
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
