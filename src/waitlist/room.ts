import {
  answers,
  byId,
  capability,
  commits,
  exampleId,
  prepares,
  reads,
  readsAgain,
} from '../contract/capability.ts'
import type { Room } from '../contract/room.ts'
import { createWaitlistEngine } from './engine.ts'
import { waitlistHooks } from './hooks.ts'
import { cancelWatch } from './operations/cancel-watch.ts'
import { getWatch, listWatches } from './operations/read-watches.ts'
import { watchSlot } from './operations/watch-slot.ts'
import { entriesOnClock } from './steps/clock-part.ts'
import { openEntries } from './steps/open-entries.ts'
import { cancelEntriesOf } from './store/entries.ts'

const slot = { venue_id: exampleId, slot_time: '2026-12-24T19:00:00', party_size: 2 }

const capabilities = [
  capability(watchSlot, 'POST /api/watches', 'watch.create', slot, {
    ...answers(
      { 200: 'You already watch this slot', 201: 'In the queue' },
      ({ watch }) => `/api/watches/${watch.id}`,
    ),
    mcp: prepares('watch_slot'),
  }),
  capability(getWatch, 'GET /api/watches/{id}', 'watch.get', byId, {
    ...readsAgain,
    mcp: reads('get_watch', 'read'),
  }),
  capability(
    listWatches,
    'GET /api/watches',
    'watch.list',
    { status: 'watching' },
    { mcp: reads('get_watch', 'list') },
  ),
  capability(cancelWatch, 'POST /api/watches/{id}/cancel', 'watch.cancel', byId, {
    mcp: commits('cancel_watch'),
  }),
]

/** Watching a full slot. */
export const waitlist = {
  name: 'waitlist',
  optional: true,
  capabilities,
  engine: createWaitlistEngine,
  settings: ({ WATCH_HOLD_SECONDS }: { WATCH_HOLD_SECONDS: number }) => ({
    watchHoldSeconds: WATCH_HOLD_SECONDS,
  }),
  bookingHooks: waitlistHooks,
  clock: () => entriesOnClock,
  openWork: openEntries,
  endWithAccount: cancelEntriesOf,
  schedules: [
    {
      workflow: 'waitlistScan',
      every: '10m',
      longest: '15m',
      rounds: { count: 20, seconds: 30 },
      does: 'Offers freed slots to waitlist entries',
    },
  ],
  activities: {
    bookings: async () => (await import('../../activities/waitlist.ts')).createWaitlistActivities,
  },
} as const satisfies Room
