import { type Capability, capability } from '../contract/capability.ts'
import { cancelWatch } from './operations/cancel-watch.ts'
import { getWatch, listWatches } from './operations/read-watches.ts'
import { watchSlot } from './operations/watch-slot.ts'

const exampleId = '0197a1f0-0000-7000-8000-000000000000'

/** Watching a full slot. */
export const waitlistCapabilities: readonly Capability[] = [
  capability({
    operation: watchSlot,
    example: { venue_id: exampleId, slot_time: '2026-12-24T19:00:00', party_size: 2 },
    rest: {
      route: 'POST /api/watches',
      statuses: { 200: 'You watch this slot already', 201: 'In the queue' },
      answer: ({ watch, joined, replayed }) => ({
        status: joined || replayed ? 200 : 201,
        headers: { location: `/api/watches/${watch.id}` },
      }),
    },
    a2a: 'watch.create',
    a2aAliases: ['booking.watch'],
  }),
  capability({
    operation: getWatch,
    example: { id: exampleId },
    rest: { route: 'GET /api/watches/{id}' },
    a2a: 'watch.get',
    a2aAliases: ['booking.get_watch'],
  }),
  capability({
    operation: listWatches,
    example: { status: 'watching' },
    rest: { route: 'GET /api/watches' },
    a2a: 'watch.list',
    a2aAliases: ['booking.watches'],
  }),
  capability({
    operation: cancelWatch,
    example: { id: exampleId },
    rest: { route: 'POST /api/watches/{id}/cancel' },
    a2a: 'watch.cancel',
    a2aAliases: ['booking.cancel_watch'],
  }),
]
