import { answers, byId, capability, reads } from '../contract/capability.ts'
import type { Room } from '../contract/room.ts'
import { sealedColumn } from '../platform/sealing/sealed-columns.ts'
import { revokeKey, updateKey } from './operations/change-key.ts'
import { changePlan, getPlan } from './operations/change-plan.ts'
import { createKey } from './operations/create-key.ts'
import { getRequest } from './operations/get-request.ts'
import { listAudit } from './operations/list-audit.ts'
import { listMembers } from './operations/list-members.ts'
import { listRequests } from './operations/list-requests.ts'
import { getKey, listKeys } from './operations/read-keys.ts'
import { readOverview } from './operations/read-overview.ts'
import { readUsage } from './operations/read-usage.ts'
import { changeRecording, readRecording } from './operations/recording.ts'
import { rollKey } from './operations/roll-key.ts'
import { totpContext } from './store/second-factors.ts'

const createsKey = (created: string) =>
  answers(
    { 200: 'The key of an earlier request, without the raw key', 201: created },
    ({ key }: { key: { id: string }; replayed?: boolean | undefined }) => `/api/keys/${key.id}`,
  )
const newKey = { name: 'booking agent', scopes: ['bookings' as const] }

const requestColumns = [
  ...['at', 'request_id', 'key_id', 'door', 'operation', 'method', 'path', 'status', 'code', 'ms'],
  ...['from', 'calls'],
]

const capabilities = [
  capability(createKey, 'POST /api/keys', 'key.create', newKey, createsKey('Created')),
  capability(listKeys, 'GET /api/keys', 'key.list', {}),
  capability(getKey, 'GET /api/keys/{id}', 'key.get', byId),
  capability(updateKey, 'PATCH /api/keys/{id}', 'key.update', { ...byId, name: 'agent, Ubud' }),
  capability(
    rollKey,
    'POST /api/keys/{id}/roll',
    'key.roll',
    { ...byId, overlap_hours: 24 },
    createsKey('Created; the old key ends later'),
  ),
  capability(revokeKey, 'POST /api/keys/{id}/revoke', 'key.revoke', byId),
  capability(getPlan, 'GET /api/plan', 'plan.get', {}, { mcp: reads('get_account', 'plan') }),
  capability(changePlan, 'POST /api/plan', 'plan.change', { tier: 'pro' }),
  capability(
    readUsage,
    'GET /api/usage',
    'usage.get',
    { days: 30 },
    {
      mcp: reads('get_account', 'usage'),
    },
  ),
  capability(readOverview, 'GET /api/overview', 'overview.get', {}),
  capability(
    listRequests,
    'GET /api/requests',
    'request.list',
    { code: 'refused' },
    {
      csv: { list: 'requests', columns: requestColumns },
    },
  ),
  capability(readRecording, 'GET /api/requests/recording', 'request.recording', {}),
  capability(changeRecording, 'PATCH /api/requests/recording', 'request.record', { bodies: false }),
  capability(getRequest, 'GET /api/requests/{id}', 'request.get', byId),
  capability(listMembers, 'GET /api/members', 'member.list', {}),
  capability(listAudit, 'GET /api/audit', 'audit.list', { action: 'key' }),
]

/** An account's keys, plan, usage, request log and audit log. */
export const accounts = {
  name: 'accounts',
  inRealTime: true,
  capabilities,
  sealed: [
    sealedColumn('secrets of authenticator apps', 'second_factor.id', 'secret', totpContext),
  ],
  activities: {
    bookings: async () => (await import('../../activities/accounts.ts')).createAccountActivities,
    venues: async () => (await import('../../activities/accounts.ts')).createAccountMailActivities,
  },
} as const satisfies Room
