import { type Capability, capability } from '../contract/capability.ts'
import { revokeKey, updateKey } from './operations/change-key.ts'
import { changePlan, getPlan } from './operations/change-plan.ts'
import { createKey } from './operations/create-key.ts'
import { listRequests } from './operations/list-requests.ts'
import { getKey, listKeys } from './operations/read-keys.ts'
import { readUsage } from './operations/read-usage.ts'
import { rollKey } from './operations/roll-key.ts'

const exampleId = '0197a1f0-0000-7000-8000-000000000000'

/** How REST answers an operation that creates a key. */
const makesKey = (made: string) => ({
  statuses: { 200: 'The key of an earlier request, without the raw key', 201: made },
  answer: ({ key, replayed }: { key: { id: string }; replayed?: boolean | undefined }) => ({
    status: replayed ? 200 : 201,
    headers: { location: `/api/keys/${key.id}` },
  }),
})

/** An account's keys, plan, usage and request log. */
export const accountCapabilities: readonly Capability[] = [
  capability({
    operation: createKey,
    example: { name: 'booking agent', scopes: ['webhooks'] },
    rest: { route: 'POST /api/keys', ...makesKey('Made') },
    a2a: 'key.create',
  }),
  capability({
    operation: listKeys,
    example: {},
    rest: { route: 'GET /api/keys' },
    a2a: 'key.list',
  }),
  capability({
    operation: getKey,
    example: { id: exampleId },
    rest: { route: 'GET /api/keys/{id}' },
    a2a: 'key.get',
  }),
  capability({
    operation: updateKey,
    example: { id: exampleId, name: 'booking agent, Ubud' },
    rest: { route: 'PATCH /api/keys/{id}' },
    a2a: 'key.update',
  }),
  capability({
    operation: rollKey,
    example: { id: exampleId, overlap_hours: 24 },
    rest: { route: 'POST /api/keys/{id}/roll', ...makesKey('Made; the old key ends later') },
    a2a: 'key.roll',
  }),
  capability({
    operation: revokeKey,
    example: { id: exampleId },
    rest: { route: 'POST /api/keys/{id}/revoke' },
    a2a: 'key.revoke',
  }),
  capability({
    operation: getPlan,
    example: {},
    rest: { route: 'GET /api/plan' },
    a2a: 'plan.get',
  }),
  capability({
    operation: changePlan,
    example: { tier: 'pro' },
    rest: { route: 'POST /api/plan' },
    a2a: 'plan.change',
  }),
  capability({
    operation: readUsage,
    example: { days: 30 },
    rest: { route: 'GET /api/usage' },
    a2a: 'usage.get',
  }),
  capability({
    operation: listRequests,
    example: { code: 'refused' },
    rest: { route: 'GET /api/requests' },
    a2a: 'request.list',
  }),
]
