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
    mcp: books('watch_slot', 'watch'),
  }),
  capability(getWatch, 'GET /api/watches/{id}', 'watch.get', byId, {
    mcp: reads('watch_slot', 'read'),
  }),
  capability(
    listWatches,
    'GET /api/watches',
    'watch.list',
    { status: 'watching' },
    { mcp: reads('watch_slot', 'list') },
  ),
  capability(cancelWatch, 'POST /api/watches/{id}/cancel', 'watch.cancel', byId, {
    mcp: cancels('watch_slot', 'cancel'),
  }),
]
