import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Db, execute, queryOptionalRow } from '../../platform/database/sql.ts'
import { MAX_ENDPOINTS } from '../rules/limits.ts'
import { endpointStatuses } from '../rules/statuses.ts'

/** The sealing context of custom headers: they open in this row only. */
export const headersContext = (endpointId: string): string => `endpoint/${endpointId}`

const endpointRow = z.object({
  id: z.uuid(),
  url: z.string(),
  description: z.string(),
  event_types: z.array(z.string()),
  header_names: z.array(z.string()),
  headers: z.string().nullable(),
  rate_per_second: z.int().nullable(),
  is_fifo: z.boolean(),
  status: z.enum(endpointStatuses),
  challenge: z.string(),
  is_proved: z.boolean(),
  is_verified: z.boolean(),
})
/**
 * An endpoint as it is stored. `headers` is a sealed JSON object. `is_proved`: its present URL is
 * verified. `is_verified`: one of its URLs was.
 */
export type StoredEndpoint = z.infer<typeof endpointRow>

/** What the owner decides about an endpoint. */
export type EndpointTerms = Pick<
  StoredEndpoint,
  'url' | 'description' | 'event_types' | 'header_names' | 'headers' | 'rate_per_second' | 'is_fifo'
>

/** A new endpoint proves its URL by repeating `challenge`. */
export type NewEndpoint = EndpointTerms & {
  id: string
  accountId: string
  challenge: string
  at: Date
}

/**
 * Takes one of the account's free numbers; false when there is none, or another transaction takes
 * the same one.
 */
export async function insertEndpoint(tx: Db, endpoint: NewEndpoint): Promise<boolean> {
  const inserted = await execute(tx)`
    insert into endpoint (id, account_id, nth, url, description, event_types, header_names,
      headers, rate_per_second, is_fifo, status, challenge, created_at, updated_at)
    select ${endpoint.id}, ${endpoint.accountId}, n, ${endpoint.url}, ${endpoint.description},
      ${endpoint.event_types}, ${endpoint.header_names}, ${endpoint.headers},
      ${endpoint.rate_per_second}, ${endpoint.is_fifo}, 'unverified', ${endpoint.challenge},
      ${endpoint.at}, ${endpoint.at}
    from generate_series(1, ${MAX_ENDPOINTS}) n
    where n not in (
      select nth from endpoint where account_id = ${endpoint.accountId} and nth is not null)
    order by random() limit 1
    on conflict do nothing`
  return inserted === 1
}

const countRow = z.object({ live: z.int() })

/** Whether the account has as many endpoints as it may have. */
export async function hasMaxEndpoints(db: Db, accountId: string): Promise<boolean> {
  const row = await queryOptionalRow(db, countRow)`
    select count(*) as live from endpoint where account_id = ${accountId} and nth is not null`
  return row !== undefined && row.live >= MAX_ENDPOINTS
}

const selectOwn = (accountId: string, id: string) => sql`
  select id, url, description, event_types, header_names, headers,
  rate_per_second, is_fifo, status, challenge, proved_at is not null as is_proved,
  verified_at is not null as is_verified
  from endpoint where id = ${id} and account_id = ${accountId} and deleted_at is null`

/** An endpoint of this account that is not deleted. */
export const selectOptionalEndpoint = (
  db: Db,
  accountId: string,
  id: string,
): Promise<StoredEndpoint | undefined> =>
  queryOptionalRow(db, endpointRow)`${selectOwn(accountId, id)}`

/** Selects an endpoint and locks it and its keys against change until the transaction ends. */
export const lockOptionalEndpoint = (
  tx: Db,
  accountId: string,
  id: string,
): Promise<StoredEndpoint | undefined> =>
  queryOptionalRow(tx, endpointRow)`${selectOwn(accountId, id)} for no key update`

/**
 * Changes what the owner decides. An endpoint that is FIFO no longer stops waiting for the first in
 * order.
 */
export async function updateEndpointTerms(
  tx: Db,
  id: string,
  terms: EndpointTerms,
  at: Date,
): Promise<void> {
  await execute(tx)`
    update endpoint set url = ${terms.url}, description = ${terms.description},
      event_types = ${terms.event_types}, header_names = ${terms.header_names},
      headers = ${terms.headers}, rate_per_second = ${terms.rate_per_second},
      is_fifo = ${terms.is_fifo}, updated_at = ${at},
      wait_until = case when ${terms.is_fifo} or wait_reason <> 'fifo' then wait_until end,
      wait_reason = case when ${terms.is_fifo} or wait_reason <> 'fifo' then wait_reason end
    where id = ${id}`
}

/** Whether the account had this endpoint and deleted it. */
export async function isDeletedEndpoint(db: Db, accountId: string, id: string): Promise<boolean> {
  const row = await queryOptionalRow(db, z.object({ id: z.uuid() }))`
    select id from endpoint where id = ${id} and account_id = ${accountId}
      and deleted_at is not null`
  return row !== undefined
}
