import { answers, byId, capability, exampleId, reads } from '../contract/capability.ts'
import type { Room, ServiceParts } from '../contract/room.ts'
import { sealedColumn } from '../platform/sealing/sealed-columns.ts'
import { createWebhookEngine } from './engine.ts'
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
import { retryDeliveries } from './operations/retry-deliveries.ts'
import { retryDelivery } from './operations/retry-delivery.ts'
import { revokeSecrets } from './operations/revoke-secrets.ts'
import { rotateSecret } from './operations/rotate-secret.ts'
import { testEndpoint } from './operations/test-endpoint.ts'
import { updateEndpoint } from './operations/update-endpoint.ts'
import { verifyEndpoint } from './operations/verify-endpoint.ts'
import { type WakeDeps, wakeWaitingEndpoints } from './sender/upkeep.ts'
import { endpointsOnClock } from './steps/clock-part.ts'
import { openEndpoints } from './steps/open-endpoints.ts'
import { showDeliveries } from './steps/webhook-metrics.ts'
import { createAwaitEvents } from './store/await-events.ts'
import { headersContext } from './store/endpoints.ts'
import { signingKeyContext } from './store/signing-keys.ts'

const newEndpoint = { url: 'https://agent.example/hooks', event_types: ['booking.*'] }
const failedOnes = { ...byId, failed_since: '2026-12-24T00:00:00Z', dry_run: true }

const deliveryColumns = [
  ...['id', 'event.id', 'event.number', 'event.type', 'endpoint_id', 'status', 'sequence', 'tries'],
  ...['attempt_count', 'last_attempt.status', 'last_attempt.started_at', 'last_attempt.ms'],
  ...['last_attempt.http_status', 'last_attempt.failure', 'next.at', 'give_up_at', 'delivered_at'],
  ...['replay_id', 'created_at', 'updated_at'],
]

const capabilities = [
  capability(createEndpoint, 'POST /api/webhooks', 'webhook.create', newEndpoint, {
    ...answers(
      { 200: 'The endpoint of an earlier request, without its secret', 201: 'Created' },
      ({ endpoint }) => `/api/webhooks/${endpoint.id}`,
    ),
  }),
  capability(listEndpoints, 'GET /api/webhooks', 'webhook.list', {}),
  capability(getEndpoint, 'GET /api/webhooks/{id}', 'webhook.get', byId),
  capability(updateEndpoint, 'PATCH /api/webhooks/{id}', 'webhook.update', {
    ...byId,
    event_types: ['booking.*', 'fee.accrued'],
  }),
  capability(deleteEndpoint, 'DELETE /api/webhooks/{id}', 'webhook.delete', byId),
  capability(verifyEndpoint, 'POST /api/webhooks/{id}/verify', 'webhook.verify', byId, {
    ...answers(
      {
        200: 'Verified, or why not',
        202: 'No outcome within `Prefer: wait=N` seconds: read the endpoint',
      },
      ({ endpoint }) => `/api/webhooks/${endpoint.id}`,
    ),
  }),
  capability(testEndpoint, 'POST /api/webhooks/{id}/test', 'webhook.test', byId, {
    ...answers(
      { 200: 'The event of an earlier request', 201: 'Written and enqueued' },
      ({ delivery_id }) => delivery_id && `/api/deliveries/${delivery_id}`,
    ),
  }),
  capability(pauseEndpoint, 'POST /api/webhooks/{id}/pause', 'webhook.pause', byId),
  capability(resumeEndpoint, 'POST /api/webhooks/{id}/resume', 'webhook.resume', {
    ...byId,
    held: 'release',
  }),
  capability(enableEndpoint, 'POST /api/webhooks/{id}/enable', 'webhook.enable', {
    ...byId,
    held: 'discard',
  }),
  capability(disableEndpoint, 'POST /api/webhooks/{id}/disable', 'webhook.disable', byId),
  capability(rotateSecret, 'POST /api/webhooks/{id}/rotate', 'webhook.rotate', {
    ...byId,
    overlap_hours: 24,
  }),
  capability(activateSecret, 'POST /api/webhooks/{id}/activate', 'webhook.activate', byId),
  capability(revokeSecrets, 'POST /api/webhooks/{id}/revoke', 'webhook.revoke', byId),
  capability(
    listEvents,
    'GET /api/events',
    'event.list',
    { after: 0, types: 'booking.*' },
    {
      mcp: reads('list_events', 'after'),
    },
  ),
  capability(
    recentEvents,
    'GET /api/events/recent',
    'event.recent',
    { types: 'booking.*', limit: 10 },
    { mcp: reads('list_events', 'newest') },
  ),
  capability(getEvent, 'GET /api/events/{id}', 'event.get', byId),
  capability(
    listDeliveries,
    'GET /api/deliveries',
    'delivery.list',
    { status: 'failed' },
    { csv: { list: 'deliveries', columns: deliveryColumns } },
  ),
  capability(deliveryStats, 'GET /api/deliveries/stats', 'delivery.stats', { hours: 24 }),
  capability(getDelivery, 'GET /api/deliveries/{id}', 'delivery.get', byId),
  capability(retryDelivery, 'POST /api/deliveries/{id}/retry', 'delivery.retry', byId, {
    ...answers(
      {
        200: 'Sent: `status` has the outcome',
        202: 'No outcome within `Prefer: wait=N` seconds: read the delivery at `Location`',
      },
      ({ delivery }) => `/api/deliveries/${delivery.id}`,
    ),
  }),
  capability(retryDeliveries, 'POST /api/deliveries/retry', 'delivery.retry_many', {
    endpoint: exampleId,
    failed_since: '2026-12-24T00:00:00Z',
  }),
  capability(replayEvents, 'POST /api/webhooks/{id}/replays', 'replay.create', failedOnes, {
    statuses: { 200: 'Counted, or created by an earlier request', 201: 'Created' },
    answer: ({ replay, replayed }) =>
      replay
        ? { status: replayed ? 200 : 201, headers: { location: `/api/replays/${replay.id}` } }
        : { status: 200, headers: {} },
  }),
  capability(listReplays, 'GET /api/webhooks/{id}/replays', 'replay.list', byId),
  capability(getReplay, 'GET /api/replays/{id}', 'replay.get', byId),
  capability(pauseReplay, 'POST /api/replays/{id}/pause', 'replay.pause', byId),
  capability(resumeReplay, 'POST /api/replays/{id}/resume', 'replay.resume', byId),
  capability(cancelReplay, 'POST /api/replays/{id}/cancel', 'replay.cancel', byId),
]

/** Webhook endpoints with their secrets, events, deliveries and replays. */
export const webhooks = {
  name: 'webhooks',
  comesLast: true,
  capabilities,
  engine: createWebhookEngine,
  services: ({ db, stopping }: ServiceParts) => ({ awaitEvents: createAwaitEvents(db, stopping) }),
  settings: ({ ENDPOINTS_PER_ACCOUNT }: { ENDPOINTS_PER_ACCOUNT: number }) => ({
    endpointsPerAccount: ENDPOINTS_PER_ACCOUNT,
  }),
  clock: () => endpointsOnClock,
  openWork: openEndpoints,
  schedules: [
    {
      workflow: 'webhookUpkeep',
      every: '15m',
      longest: '40m',
      does: 'Mails owners of failing endpoints, discards events held for too long',
    },
  ],
  sealed: [
    sealedColumn('signing secrets of endpoints', 'signing_key.id', 'secret', signingKeyContext),
    sealedColumn('headers of endpoints', 'endpoint.id', 'headers', headersContext),
  ],
  gauges: showDeliveries,
  sweep: (deps: WakeDeps) => ({
    endpoints: (at: Date) => wakeWaitingEndpoints(deps, at),
  }),
  activities: {
    bookings: async () =>
      (await import('../../activities/webhooks.ts')).createWebhookUpkeepActivities,
    webhooks: async () => (await import('../../activities/webhooks.ts')).createWebhookActivities,
  },
} as const satisfies Room
