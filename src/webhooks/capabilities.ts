import { type Capability, capability } from '../contract/capability.ts'
import { activateSecret } from './operations/activate-secret.ts'
import { cancelReplay, pauseReplay, resumeReplay } from './operations/change-replay.ts'
import { createEndpoint } from './operations/create-endpoint.ts'
import { deleteEndpoint } from './operations/delete-endpoint.ts'
import { deliveryStats } from './operations/delivery-stats.ts'
import { disableEndpoint, pauseEndpoint } from './operations/hold-endpoint.ts'
import { getDelivery, listDeliveries } from './operations/read-deliveries.ts'
import { getEndpoint, listEndpoints } from './operations/read-endpoints.ts'
import { getEvent, listEvents } from './operations/read-events.ts'
import { getReplay, listReplays } from './operations/read-replays.ts'
import { recentEvents } from './operations/recent-events.ts'
import { enableEndpoint, resumeEndpoint } from './operations/reopen-endpoint.ts'
import { replayEvents } from './operations/replay-events.ts'
import { retryDelivery } from './operations/retry-delivery.ts'
import { revokeSecrets } from './operations/revoke-secrets.ts'
import { rotateSecret } from './operations/rotate-secret.ts'
import { testEndpoint } from './operations/test-endpoint.ts'
import { updateEndpoint } from './operations/update-endpoint.ts'
import { verifyEndpoint } from './operations/verify-endpoint.ts'

const exampleId = '0197a1f0-0000-7000-8000-000000000000'

/** Webhook endpoints with their secrets, events, deliveries and replays. */
export const webhookCapabilities: readonly Capability[] = [
  capability({
    operation: createEndpoint,
    example: { url: 'https://agent.example/hooks', event_types: ['booking.*'] },
    rest: {
      route: 'POST /api/webhooks',
      statuses: { 200: 'The endpoint of an earlier request, without its secret', 201: 'Created' },
      answer: ({ endpoint, replayed }) => ({
        status: replayed ? 200 : 201,
        headers: { location: `/api/webhooks/${endpoint.id}` },
      }),
    },
    a2a: 'webhook.create',
  }),
  capability({
    operation: listEndpoints,
    example: {},
    rest: { route: 'GET /api/webhooks' },
    a2a: 'webhook.list',
  }),
  capability({
    operation: getEndpoint,
    example: { id: exampleId },
    rest: { route: 'GET /api/webhooks/{id}' },
    a2a: 'webhook.get',
  }),
  capability({
    operation: updateEndpoint,
    example: { id: exampleId, event_types: ['booking.*', 'fee.accrued'] },
    rest: { route: 'PATCH /api/webhooks/{id}' },
    a2a: 'webhook.update',
  }),
  capability({
    operation: deleteEndpoint,
    example: { id: exampleId },
    rest: { route: 'DELETE /api/webhooks/{id}' },
    a2a: 'webhook.delete',
  }),
  capability({
    operation: verifyEndpoint,
    example: { id: exampleId },
    rest: {
      route: 'POST /api/webhooks/{id}/verify',
      statuses: {
        200: 'Verified, or why not',
        202: 'No outcome within `Prefer: wait=N` seconds: read the endpoint',
      },
      answer: ({ status, endpoint }) =>
        status === 'pending'
          ? {
              status: 202,
              headers: { location: `/api/webhooks/${endpoint.id}`, 'retry-after': '2' },
            }
          : { status: 200, headers: {} },
    },
    a2a: 'webhook.verify',
  }),
  capability({
    operation: testEndpoint,
    example: { id: exampleId },
    rest: {
      route: 'POST /api/webhooks/{id}/test',
      statuses: { 200: 'The event of an earlier request', 201: 'Written and enqueued' },
      answer: ({ delivery_id, replayed }) => ({
        status: replayed ? 200 : 201,
        headers: delivery_id === null ? {} : { location: `/api/deliveries/${delivery_id}` },
      }),
    },
    a2a: 'webhook.test',
  }),
  capability({
    operation: pauseEndpoint,
    example: { id: exampleId },
    rest: { route: 'POST /api/webhooks/{id}/pause' },
    a2a: 'webhook.pause',
  }),
  capability({
    operation: resumeEndpoint,
    example: { id: exampleId, held: 'release' },
    rest: { route: 'POST /api/webhooks/{id}/resume' },
    a2a: 'webhook.resume',
  }),
  capability({
    operation: enableEndpoint,
    example: { id: exampleId, held: 'discard' },
    rest: { route: 'POST /api/webhooks/{id}/enable' },
    a2a: 'webhook.enable',
  }),
  capability({
    operation: disableEndpoint,
    example: { id: exampleId },
    rest: { route: 'POST /api/webhooks/{id}/disable' },
    a2a: 'webhook.disable',
  }),
  capability({
    operation: rotateSecret,
    example: { id: exampleId, overlap_hours: 24 },
    rest: { route: 'POST /api/webhooks/{id}/rotate' },
    a2a: 'webhook.rotate',
  }),
  capability({
    operation: activateSecret,
    example: { id: exampleId },
    rest: { route: 'POST /api/webhooks/{id}/activate' },
    a2a: 'webhook.activate',
  }),
  capability({
    operation: revokeSecrets,
    example: { id: exampleId },
    rest: { route: 'POST /api/webhooks/{id}/revoke' },
    a2a: 'webhook.revoke',
  }),
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
    a2a: 'delivery.list',
    a2aAliases: ['webhook.deliveries'],
  }),
  capability({
    operation: deliveryStats,
    example: { hours: 24 },
    rest: { route: 'GET /api/deliveries/stats' },
    a2a: 'delivery.stats',
    a2aAliases: ['webhook.stats'],
  }),
  capability({
    operation: getDelivery,
    example: { id: exampleId },
    rest: { route: 'GET /api/deliveries/{id}' },
    a2a: 'delivery.get',
    a2aAliases: ['webhook.delivery'],
  }),
  capability({
    operation: retryDelivery,
    example: { id: exampleId },
    rest: {
      route: 'POST /api/deliveries/{id}/retry',
      statuses: {
        200: 'Sent: `status` has the outcome',
        202: 'No outcome within `Prefer: wait=N` seconds: read the delivery at `Location`',
      },
      answer: ({ status, delivery }) => ({
        status: status === 'pending' ? 202 : 200,
        headers: status === 'pending' ? { location: `/api/deliveries/${delivery.id}` } : {},
      }),
    },
    a2a: 'delivery.retry',
    a2aAliases: ['webhook.retry'],
  }),
  capability({
    operation: replayEvents,
    example: { id: exampleId, failed_since: '2026-12-24T00:00:00Z', dry_run: true },
    rest: {
      route: 'POST /api/webhooks/{id}/replays',
      statuses: { 200: 'Counted, or created by an earlier request', 201: 'Created' },
      answer: ({ replay, replayed }) =>
        replay
          ? { status: replayed ? 200 : 201, headers: { location: `/api/replays/${replay.id}` } }
          : { status: 200, headers: {} },
    },
    a2a: 'replay.create',
    a2aAliases: ['webhook.replay'],
  }),
  capability({
    operation: listReplays,
    example: { id: exampleId },
    rest: { route: 'GET /api/webhooks/{id}/replays' },
    a2a: 'replay.list',
    a2aAliases: ['webhook.replays'],
  }),
  capability({
    operation: getReplay,
    example: { id: exampleId },
    rest: { route: 'GET /api/replays/{id}' },
    a2a: 'replay.get',
    a2aAliases: ['webhook.get_replay'],
  }),
  capability({
    operation: pauseReplay,
    example: { id: exampleId },
    rest: { route: 'POST /api/replays/{id}/pause' },
    a2a: 'replay.pause',
    a2aAliases: ['webhook.pause_replay'],
  }),
  capability({
    operation: resumeReplay,
    example: { id: exampleId },
    rest: { route: 'POST /api/replays/{id}/resume' },
    a2a: 'replay.resume',
    a2aAliases: ['webhook.resume_replay'],
  }),
  capability({
    operation: cancelReplay,
    example: { id: exampleId },
    rest: { route: 'POST /api/replays/{id}/cancel' },
    a2a: 'replay.cancel',
    a2aAliases: ['webhook.cancel_replay'],
  }),
]
