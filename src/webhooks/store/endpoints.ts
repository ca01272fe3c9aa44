import { z } from 'zod'
import { type Db, execute, queryOptionalRow } from '../../platform/database/sql.ts'
import { endpointStatuses, MOST_ENDPOINTS } from '../rules/webhooks.ts'

/** What the custom headers of an endpoint are sealed to: they open in this row only. */
export const headersContext = (endpointId: string): string => `endpoint/${endpointId}`

/** What its owner decides about an endpoint. `headers` is the sealed JSON object of names and values, null for none. */
export type EndpointTerms = {
  url: string
  description: string
  eventTypes: readonly string[]
  headerNames: readonly string[]
  headers: string | null
  ratePerSecond: number | null
  isFifo: boolean
}

/** An endpoint that has to prove itself by repeating `challenge`. */
export type NewEndpoint = EndpointTerms & {
  id: string
  accountId: string
  challenge: string
  at: Date
}

/** Takes one of the account's free numbers; false when it has none, or somebody takes the same at this moment. */
export async function insertEndpoint(tx: Db, endpoint: NewEndpoint): Promise<boolean> {
  const written = await execute(
    tx,
    `insert into endpoint (id, account_id, nth, url, description, event_types, header_names, headers,
       rate_per_second, is_fifo, status, challenge, created_at, updated_at)
     select $1, $2, n, $3, $4, $5, $6, $7, $8, $9, 'unverified', $10, $11, $11
     from generate_series(1, $12) n
     where n not in (select nth from endpoint where account_id = $2 and nth is not null)
     order by random() limit 1
     on conflict do nothing`,
    [
      endpoint.id,
      endpoint.accountId,
      ...termsOf(endpoint),
      endpoint.challenge,
      endpoint.at,
      MOST_ENDPOINTS,
    ],
  )
  return written === 1
}

const termsOf = (terms: EndpointTerms): unknown[] => [
  terms.url,
  terms.description,
  terms.eventTypes,
  terms.headerNames,
  terms.headers,
  terms.ratePerSecond,
  terms.isFifo,
]

const countRow = z.object({ live: z.int() })

/** Whether the account has as many endpoints as it may have. */
export async function hasMostEndpoints(db: Db, accountId: string): Promise<boolean> {
  const row = await queryOptionalRow(
    db,
    countRow,
    'select count(*) as live from endpoint where account_id = $1 and nth is not null',
    [accountId],
  )
  return row !== undefined && row.live >= MOST_ENDPOINTS
}

const endpointRow = z
  .object({
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
    proved_at: z.date().nullable(),
  })
  .transform((row) => ({
    id: row.id,
    url: row.url,
    description: row.description,
    eventTypes: row.event_types,
    headerNames: row.header_names,
    headers: row.headers,
    ratePerSecond: row.rate_per_second,
    isFifo: row.is_fifo,
    status: row.status,
    challenge: row.challenge,
    isProved: row.proved_at !== null,
  }))
/** An endpoint as it is stored; `isProved` says that the address that it has now is its owner's. */
export type StoredEndpoint = z.infer<typeof endpointRow>

const selectColumns = `select id, url, description, event_types, header_names, headers,
  rate_per_second, is_fifo, status, challenge, proved_at from endpoint`

/** An endpoint of this account that is not deleted. */
export const selectOptionalEndpoint = (
  db: Db,
  accountId: string,
  id: string,
): Promise<StoredEndpoint | undefined> =>
  queryOptionalRow(
    db,
    endpointRow,
    `${selectColumns} where id = $2 and account_id = $1 and deleted_at is null`,
    [accountId, id],
  )

/** The same, and until the transaction ends nobody else changes it or its keys. */
export const lockOptionalEndpoint = (
  tx: Db,
  accountId: string,
  id: string,
): Promise<StoredEndpoint | undefined> =>
  queryOptionalRow(
    tx,
    endpointRow,
    `${selectColumns} where id = $2 and account_id = $1 and deleted_at is null for no key update`,
    [accountId, id],
  )

/** Changes what its owner decides, and ends a wait for the first in order when none is any more; whoever gives it another address asks for proof of that in the same transaction. */
export async function updateEndpointTerms(
  tx: Db,
  id: string,
  terms: EndpointTerms,
  at: Date,
): Promise<void> {
  await execute(
    tx,
    `update endpoint set url = $2, description = $3, event_types = $4, header_names = $5, headers = $6,
       rate_per_second = $7, is_fifo = $8, updated_at = $9,
       wait_until = case when $8 or wait_reason <> 'fifo' then wait_until end,
       wait_reason = case when $8 or wait_reason <> 'fifo' then wait_reason end
     where id = $1`,
    [id, ...termsOf(terms), at],
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
