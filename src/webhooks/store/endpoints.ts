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
  const inserted = await execute(
    tx,
    `insert into endpoint (id, account_id, nth, url, description, event_types, header_names,
       headers, rate_per_second, is_fifo, status, challenge, created_at, updated_at)
     select $1, $2, n, $3, $4, $5, $6, $7, $8, $9, 'unverified', $10, $11, $11
     from generate_series(1, $12) n
     where n not in (select nth from endpoint where account_id = $2 and nth is not null)
     order by random() limit 1
     on conflict do nothing`,
    [
      endpoint.id,
      endpoint.accountId,
      ...valuesOf(endpoint),
      endpoint.challenge,
      endpoint.at,
      MAX_ENDPOINTS,
    ],
  )
  return inserted === 1
}

const valuesOf = (terms: EndpointTerms): unknown[] => [
  terms.url,
  terms.description,
  terms.event_types,
  terms.header_names,
  terms.headers,
  terms.rate_per_second,
  terms.is_fifo,
]

const countRow = z.object({ live: z.int() })

/** Whether the account has as many endpoints as it may have. */
export async function hasMaxEndpoints(db: Db, accountId: string): Promise<boolean> {
  const row = await queryOptionalRow(
    db,
    countRow,
    'select count(*) as live from endpoint where account_id = $1 and nth is not null',
    [accountId],
  )
  return row !== undefined && row.live >= MAX_ENDPOINTS
}

const selectOwn = `select id, url, description, event_types, header_names, headers,
  rate_per_second, is_fifo, status, challenge, proved_at is not null as is_proved,
  verified_at is not null as is_verified
  from endpoint where id = $2 and account_id = $1 and deleted_at is null`

/** An endpoint of this account that is not deleted. */
export const selectOptionalEndpoint = (
  db: Db,
  accountId: string,
  id: string,
): Promise<StoredEndpoint | undefined> =>
  queryOptionalRow(db, endpointRow, selectOwn, [accountId, id])

/** Selects an endpoint and locks it and its keys against change until the transaction ends. */
export const lockOptionalEndpoint = (
  tx: Db,
  accountId: string,
  id: string,
): Promise<StoredEndpoint | undefined> =>
  queryOptionalRow(tx, endpointRow, `${selectOwn} for no key update`, [accountId, id])

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
  await execute(
    tx,
    `update endpoint set url = $2, description = $3, event_types = $4, header_names = $5,
       headers = $6, rate_per_second = $7, is_fifo = $8, updated_at = $9,
       wait_until = case when $8 or wait_reason <> 'fifo' then wait_until end,
       wait_reason = case when $8 or wait_reason <> 'fifo' then wait_reason end
     where id = $1`,
    [id, ...valuesOf(terms), at],
  )
}

/** Whether the account had this endpoint and deleted it. */
export async function isDeletedEndpoint(db: Db, accountId: string, id: string): Promise<boolean> {
  const row = await queryOptionalRow(
    db,
    z.object({ id: z.uuid() }),
    'select id from endpoint where id = $2 and account_id = $1 and deleted_at is not null',
    [accountId, id],
  )
  return row !== undefined
}
