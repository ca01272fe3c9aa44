import { type Capability, capability } from '../../contract/capability.ts'
import { activateSecret } from './activate-secret.ts'
import { createEndpoint } from './create-endpoint.ts'
import { deleteEndpoint } from './delete-endpoint.ts'
import { disableEndpoint, pauseEndpoint } from './hold-endpoint.ts'
import { getEndpoint, listEndpoints } from './read-endpoints.ts'
import { enableEndpoint, resumeEndpoint } from './reopen-endpoint.ts'
import { revokeSecrets } from './revoke-secrets.ts'
import { rotateSecret } from './rotate-secret.ts'
import { testEndpoint } from './test-endpoint.ts'
import { updateEndpoint } from './update-endpoint.ts'
import { verifyEndpoint } from './verify-endpoint.ts'

const exampleId = '0197a1f0-0000-7000-8000-000000000000'

/** What an account can do with the endpoints that its events go to, and with their secrets. */
export const endpointCapabilities: readonly Capability[] = [
  capability({
    operation: createEndpoint,
    example: { url: 'https://agent.example/hooks', event_types: ['booking.*'] },
    rest: {
      route: 'POST /api/webhooks',
      statuses: { 200: 'The endpoint of an earlier request, without its secret', 201: 'Made' },
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
        202: 'Not known within `Prefer: wait=N` seconds: read the endpoint',
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
      statuses: { 200: 'The event of an earlier request', 201: 'Written, and on its way' },
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
]
