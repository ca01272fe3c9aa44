import sql from 'sql-template-tag'
import { z } from 'zod'
import { int, uuid } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { MAX_ENDPOINTS } from '../rules/limits.ts'
import { endpointStatuses } from '../rules/statuses.ts'

/** The sealing context of custom headers: they can be decrypted in this row only. */
export const headersContext = (endpointId: string): string => `endpoint/${endpointId}`

/** The owner's settings of an endpoint. `headers` is a sealed JSON object. */
const endpointTerms = z.object({
  url: z.string(),
  description: z.string(),
  event_types: z.array(z.string()),
  header_names: z.array(z.string()),
  headers: z.string().nullable(),
  rate_per_second: z.int().nullable(),
  fifo: z.boolean(),
})
type EndpointTerms = z.infer<typeof endpointTerms>

const endpointRow = endpointTerms.extend({
  id: z.uuid(),
  status: z.enum(endpointStatuses),
  challenge: z.string(),
  is_proved: z.boolean(),
})
/** A stored endpoint. `is_proved`: its URL is verified. */
export type StoredEndpoint = z.infer<typeof endpointRow>

/** A new endpoint proves that it owns its URL by signing `challenge`. */
type NewEndpoint = EndpointTerms & { id: string; accountId: string; challenge: string; at: Date }

/** Takes a free number of the account; false if there is none or another transaction takes it. */
export const insertEndpoint = (tx: Db, endpoint: NewEndpoint, most = MAX_ENDPOINTS) =>
  query.affectsRow(tx)`
    insert into endpoint (id, account_id, nth, url, description, event_types, header_names,
      headers, rate_per_second, is_fifo, status, challenge, created_at, updated_at)
    select ${endpoint.id}, ${endpoint.accountId}, n, ${endpoint.url}, ${endpoint.description},
      ${endpoint.event_types}, ${endpoint.header_names}, ${endpoint.headers},
      ${endpoint.rate_per_second}, ${endpoint.fifo}, 'unverified', ${endpoint.challenge},
      ${endpoint.at}, ${endpoint.at}
    from generate_series(1, ${most}::integer) n
    where n not in (
      select nth from endpoint where account_id = ${endpoint.accountId} and nth is not null)
    order by random() limit 1
    on conflict do nothing`

/** Whether the account has reached its endpoint limit. */
export async function hasMaxEndpoints(db: Db, accountId: string, most: number): Promise<boolean> {
  return (
    (await query.value(db, int)`
    select count(*) from endpoint where account_id = ${accountId} and nth is not null`) >= most
  )
}

const selectOwn = (accountId: string, id: string) => sql`
  select id, url, description, event_types, header_names, headers, rate_per_second,
    is_fifo as fifo, status, challenge, proved_at is not null as is_proved
  from endpoint where id = ${id} and account_id = ${accountId} and deleted_at is null`

/** An endpoint of this account, unless deleted. */
export const selectOptionalEndpoint = (db: Db, accountId: string, id: string) =>
  query.optionalRow(db, endpointRow)`${selectOwn(accountId, id)}`

/** Selects an endpoint and locks it and its keys until the transaction ends. */
export const lockOptionalEndpoint = (tx: Db, accountId: string, id: string) =>
  query.optionalRow(tx, endpointRow)`${selectOwn(accountId, id)} for no key update`

/** Changes the owner's settings. One that ceases to be FIFO stops waiting for its first event. */
export const updateEndpointTerms = (tx: Db, id: string, terms: EndpointTerms, at: Date) =>
  query.execute(tx)`
    update endpoint set url = ${terms.url}, description = ${terms.description},
      event_types = ${terms.event_types}, header_names = ${terms.header_names},
      headers = ${terms.headers}, rate_per_second = ${terms.rate_per_second},
      is_fifo = ${terms.fifo}, updated_at = ${at},
      wait_until = case when ${terms.fifo} or wait_reason <> 'fifo' then wait_until end,
      wait_reason = case when ${terms.fifo} or wait_reason <> 'fifo' then wait_reason end
    where id = ${id}`

/** Whether the account once had this endpoint and deleted it. */
export const isDeletedEndpoint = (db: Db, accountId: string, id: string) =>
  query.affectsRow(db)`
    select from endpoint
    where id = ${id} and account_id = ${accountId} and deleted_at is not null`

/** Locks the account's endpoints that are not deleted. */
export const lockEndpointsOf = (tx: Db, accountId: string): Promise<string[]> =>
  query.values(tx, uuid)`
    select id from endpoint where account_id = ${accountId} and deleted_at is null
    order by id for no key update`

/** The account's deleted endpoints that still have pending deliveries. */
export const selectDeletedEndpointsOf = (db: Db, accountId: string): Promise<string[]> =>
  query.values(db, uuid)`
    select id from endpoint e
    where account_id = ${accountId} and deleted_at is not null and exists (
      select from delivery d where d.endpoint_id = e.id and d.status = 'pending')`
