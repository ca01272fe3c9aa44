import { type Capability, capability } from '../../contract/capability.ts'
import { cancelReplay, pauseReplay, resumeReplay } from './change-replay.ts'
import { deliveryStats } from './delivery-stats.ts'
import { getDelivery, listDeliveries } from './read-deliveries.ts'
import { getEvent, listEvents } from './read-events.ts'
import { getReplay, listReplays } from './read-replays.ts'
import { recentEvents } from './recent-events.ts'
import { replayEvents } from './replay-events.ts'
import { retryDelivery } from './retry-delivery.ts'

const exampleId = '0197a1f0-0000-7000-8000-000000000000'

/** The part of the catalogue that reads events and deliveries and has them sent again. */
export const deliveryCapabilities: readonly Capability[] = [
  capability({
    operation: listEvents,
    example: { after: 0, types: 'booking.*' },
    rest: { route: 'GET /api/events' },
    a2a: 'event.list',
  }),
  capability({
    operation: recentEvents,
    example: { types: 'booking.*', limit: 10 },
    rest: { route: 'GET /api/events/recent' },
    a2a: 'event.recent',
  }),
  capability({
    operation: getEvent,
    example: { id: exampleId },
    rest: { route: 'GET /api/events/{id}' },
    a2a: 'event.get',
  }),
  capability({
    operation: listDeliveries,
    example: { status: 'failed' },
    rest: { route: 'GET /api/deliveries' },
    a2a: 'webhook.deliveries',
  }),
  capability({
    operation: deliveryStats,
    example: { hours: 24 },
    rest: { route: 'GET /api/deliveries/stats' },
    a2a: 'webhook.stats',
  }),
  capability({
    operation: getDelivery,
    example: { id: exampleId },
    rest: { route: 'GET /api/deliveries/{id}' },
    a2a: 'webhook.delivery',
  }),
  capability({
    operation: retryDelivery,
    example: { id: exampleId },
    rest: {
      route: 'POST /api/deliveries/{id}/retry',
      statuses: {
        200: 'Sent: `status` says what came of it',
        202: 'No outcome within `Prefer: wait=N` seconds: read the delivery at `Location`',
      },
      answer: ({ status, delivery }) => ({
        status: status === 'pending' ? 202 : 200,
        headers: status === 'pending' ? { location: `/api/deliveries/${delivery.id}` } : {},
      }),
    },
    a2a: 'webhook.retry',
  }),
  capability({
    operation: replayEvents,
    example: { id: exampleId, failed_since: '2026-12-24T00:00:00Z', dry_run: true },
    rest: {
      route: 'POST /api/webhooks/{id}/replays',
      statuses: { 200: 'Counted, or made by an earlier request', 201: 'It runs' },
      answer: ({ replay, replayed }) =>
        replay
          ? { status: replayed ? 200 : 201, headers: { location: `/api/replays/${replay.id}` } }
          : { status: 200, headers: {} },
    },
    a2a: 'webhook.replay',
  }),
  capability({
    operation: listReplays,
    example: { id: exampleId },
    rest: { route: 'GET /api/webhooks/{id}/replays' },
    a2a: 'webhook.replays',
  }),
  capability({
    operation: getReplay,
    example: { id: exampleId },
    rest: { route: 'GET /api/replays/{id}' },
    a2a: 'webhook.get_replay',
  }),
  capability({
    operation: pauseReplay,
    example: { id: exampleId },
    rest: { route: 'POST /api/replays/{id}/pause' },
    a2a: 'webhook.pause_replay',
  }),
  capability({
    operation: resumeReplay,
    example: { id: exampleId },
    rest: { route: 'POST /api/replays/{id}/resume' },
    a2a: 'webhook.resume_replay',
  }),
  capability({
    operation: cancelReplay,
    example: { id: exampleId },
    rest: { route: 'POST /api/replays/{id}/cancel' },
    a2a: 'webhook.cancel_replay',
  }),
]
