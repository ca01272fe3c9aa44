import {
  type BookingHooks,
  type HookParts,
  joinHooks,
  type StepDeps,
  type Terms,
} from '../bookings/hooks.ts'
import { venueConfirmation } from '../confirmation/hooks.ts'
import { type NetworkEngine, rooms } from '../network.ts'
import type { Log } from '../platform/telemetry/log.ts'

type MakeHooks = (parts: HookParts<NetworkEngine>) => Partial<BookingHooks>
const makers: readonly MakeHooks[] = rooms.flatMap((room) =>
  'bookingHooks' in room ? [room.bookingHooks] : [],
)

/** What booking steps need, with the hooks of all rooms. */
export function bookingDeps(terms: Terms, engine: NetworkEngine, log: Log): StepDeps {
  const hooks = makers.map((make) => make({ engine, log, terms }))
  return { terms, venue: venueConfirmation, hooks: joinHooks(hooks) }
}

/** For steps that are rolled back; notifies no other room. */
export const dryRunDeps = (terms: Terms): StepDeps => ({
  terms,
  venue: venueConfirmation,
  hooks: joinHooks([]),
})
