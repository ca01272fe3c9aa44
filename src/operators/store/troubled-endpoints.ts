import { z } from 'zod'
import { type Db, queryRows } from '../../platform/database/sql.ts'
import { endpointStatuses } from '../../webhooks/rules/statuses.ts'
import { MAX_SHOWN } from './stuck.ts'

const endpointRow = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  account_name: z.string(),
  url: z.string(),
  status: z.enum(endpointStatuses),
  status_reason: z.string().nullable(),
  failing_since: z.date().nullable(),
  wait_until: z.date().nullable(),
})
export type TroubledEndpoint = z.infer<typeof endpointRow>

/** Endpoints that fail, or were disabled by the network or an operator, longest failing first. */
export const selectTroubledEndpoints = (db: Db) =>
  queryRows(db, endpointRow)`
    select e.id, e.account_id, a.name as account_name, e.url, e.status, e.status_reason,
      e.failing_since, e.wait_until
    from endpoint e join account a on a.id = e.account_id and a.mode = 'live'
    where e.deleted_at is null and (e.failing_since is not null or e.status = 'disabled')
      and (e.failing_since is not null or e.status_reason in ('gone', 'failing', 'operator'))
    order by e.failing_since nulls last, e.id limit ${MAX_SHOWN}`
