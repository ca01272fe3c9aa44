import {
  answers,
  books,
  byId,
  type Capability,
  cancels,
  capability,
  exampleId,
  reads,
} from '../contract/capability.ts'
import { cancelWatch } from './operations/cancel-watch.ts'
import { getWatch, listWatches } from './operations/read-watches.ts'
import { watchSlot } from './operations/watch-slot.ts'

const slot = { venue_id: exampleId, slot_time: '2026-12-24T19:00:00', party_size: 2 }

/** Watching a full slot. */
export const waitlistCapabilities: readonly Capability[] = [
  capability(watchSlot, 'POST /api/watches', 'watch.create', slot, {
    ...answers(
      { 200: 'You watch this slot already', 201: 'In the queue' },
      ({ watch }) => `/api/watches/${watch.id}`,
    ),
    formerly: 'booking.watch',
    mcp: books('watch_slot', 'watch'),
  }),
  capability(getWatch, 'GET /api/watches/{id}', 'watch.get', byId, {
    formerly: 'booking.get_watch',
    mcp: reads('watch_slot', 'read'),
  }),
  capability(
    listWatches,
    'GET /api/watches',
    'watch.list',
    { status: 'watching' },
    { formerly: 'booking.watches', mcp: reads('watch_slot', 'list') },
  ),
  capability(cancelWatch, 'POST /api/watches/{id}/cancel', 'watch.cancel', byId, {
    formerly: 'booking.cancel_watch',
    mcp: cancels('watch_slot', 'cancel'),
  }),
]
