import { z } from 'zod'
import { type Db, queryRows } from '../../platform/database/sql.ts'
import { endpointStatuses } from '../rules/statuses.ts'
import { type Endpoint, MAX_COUNTED } from '../schema/endpoints.ts'

const instant = z.coerce.date().transform((date) => date.toISOString())

const keyRow = z.object({
  id: z.uuid(),
  state: z.enum(['staged', 'current', 'expiring']),
  valid_from: instant.nullable(),
  valid_until: instant.nullable(),
  created_at: instant,
})

const viewRow = z
  .object({
    id: z.uuid(),
    url: z.string(),
    description: z.string(),
    event_types: z.array(z.string()),
    header_names: z.array(z.string()),
    rate_per_second: z.int().nullable(),
    is_fifo: z.boolean(),
    status: z.enum(endpointStatuses),
    status_reason: z.enum(['url_changed', 'owner', 'gone', 'failing']).nullable(),
    proved_at: z.date().nullable(),
    verified_at: instant.nullable(),
    failing_since: instant.nullable(),
    wait_until: instant.nullable(),
    wait_reason: z.enum(['breaker', 'retry_after', 'fifo']).nullable(),
    sequence: z.int(),
    waiting: z.int(),
    failed: z.int(),
    keys: z.array(keyRow),
    created_at: instant,
    updated_at: instant,
  })
  .transform(
    ({ header_names, is_fifo, proved_at, sequence, waiting, failed, ...row }): Endpoint => ({
      ...row,
      headers: Object.fromEntries(header_names.map((name) => [name, '[redacted]'])),
      fifo: is_fifo,
      verified: proved_at !== null,
      last_sequence: sequence,
      deliveries: {
        pending: row.status === 'active' ? waiting : 0,
        held: row.status === 'active' ? 0 : waiting,
        failed,
      },
    }),
  )

/** The endpoints of an account as it sees them, newest first; only one where `id` is given. */
export const selectEndpointViews = (
  db: Db,
  accountId: string,
  { id = null, at }: { id?: string | null; at: Date },
): Promise<Endpoint[]> =>
  queryRows(db, viewRow)`
    select e.id, e.url, e.description, e.event_types, e.header_names, e.rate_per_second, e.is_fifo,
      e.status, e.status_reason, e.proved_at, e.verified_at, e.failing_since, e.sequence,
      case when e.wait_until > ${at} then e.wait_until end as wait_until,
      case when e.wait_until > ${at} then e.wait_reason end as wait_reason,
      (select count(*) from (
         select from delivery d where d.endpoint_id = e.id and d.status in ('pending', 'sending')
         limit ${MAX_COUNTED}) as counted) as waiting,
      (select count(*) from (
         select from delivery d where d.endpoint_id = e.id and d.status = 'failed'
         limit ${MAX_COUNTED}) as counted) as failed,
      (select coalesce(json_agg(json_build_object('id', k.id, 'created_at', k.created_at,
           'valid_from', k.valid_from, 'valid_until', k.valid_until,
           'state', case when k.valid_from is null then 'staged'
             when k.valid_until is null then 'current' else 'expiring' end)
           order by k.valid_from desc nulls first, k.id desc), '[]')
       from signing_key k
       where k.endpoint_id = e.id and (k.valid_until is null or k.valid_until > ${at})) as keys,
      e.created_at, e.updated_at
    from endpoint e
    where e.account_id = ${accountId} and e.deleted_at is null and (${id}::uuid is null
      or e.id = ${id})
    order by e.id desc`

const urlRow = z.object({ id: z.uuid(), url: z.string() })

/** The URLs of an account's endpoints, without the counts. */
export const selectEndpointUrls = (db: Db, accountId: string): Promise<z.infer<typeof urlRow>[]> =>
  queryRows(db, urlRow)`
    select id, url from endpoint where account_id = ${accountId} and deleted_at is null`
