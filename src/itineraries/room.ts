import { confirmBooking } from '../bookings/operations/confirm-booking.ts'
import {
  answers,
  byId,
  type Capability,
  capability,
  commits,
  exampleId,
  reads,
  readsAgain,
} from '../contract/capability.ts'
import type { Room } from '../contract/room.ts'
import { createGroupEngine, type GroupServices } from './engine.ts'
import { cancelItinerary } from './operations/cancel-itinerary.ts'
import { confirmAnyOf } from './operations/confirm-any-of.ts'
import { getItinerary } from './operations/get-itinerary.ts'
import { makeItinerary } from './operations/make-itinerary.ts'
import { groupsOnClock } from './steps/clock-part.ts'
import { openGroups } from './steps/open-groups.ts'
import { type GroupSweepDeps, resumeLostGroups } from './steps/resume-lost-groups.ts'

/** Replaces `confirm booking` with a variant that accepts `alternatives`. */
const withAlternatives = <S extends GroupServices>(one: Capability<S>): Capability<S> =>
  one.operation.name === confirmBooking.name
    ? { ...one, operation: confirmAnyOf as Capability<S>['operation'] }
    : one

type Decided = {
  status: string
  itinerary: { id: string }
  joined?: boolean | undefined
  replayed?: boolean | undefined
}
const settles = (statuses: { 201?: string }) =>
  answers(
    {
      200: 'Done, or the answer to an earlier request',
      ...statuses,
      202: 'Not decided within `Prefer: wait=N` seconds: read the itinerary at `Location`',
    },
    ({ itinerary }: Decided) => `/api/itineraries/${itinerary.id}`,
  )
const parts = ['2026-12-24T15:00:00', '2026-12-24T19:00:00'].map((slot_time) => ({
  venue_id: exampleId,
  slot_time,
  party_size: 2,
}))

const capabilities = [
  capability(
    makeItinerary,
    'POST /api/itineraries',
    'itinerary.create',
    { parts },
    {
      ...settles({ 201: 'Booked' }),
      mcp: commits('book_itinerary'),
    },
  ),
  capability(getItinerary, 'GET /api/itineraries/{id}', 'itinerary.get', byId, {
    ...readsAgain,
    mcp: reads('get_itinerary'),
  }),
  capability(cancelItinerary, 'POST /api/itineraries/{id}/cancel', 'itinerary.cancel', byId, {
    ...settles({}),
    mcp: commits('cancel_itinerary'),
  }),
]

/** Several bookings, all or none. */
export const itineraries = {
  name: 'itineraries',
  optional: true,
  capabilities,
  wrap: withAlternatives,
  engine: createGroupEngine,
  clock: () => groupsOnClock,
  openWork: openGroups,
  sweep: (deps: GroupSweepDeps) => ({ groups: (at: Date) => resumeLostGroups(deps, at) }),
  activities: {
    bookings: async () =>
      (await import('../../activities/itineraries.ts')).createItineraryActivities,
  },
} as const satisfies Room
