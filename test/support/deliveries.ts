import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { type Pool, transaction } from '../../src/platform/database/sql.ts'
import type { EventType } from '../../src/webhooks/rules/event-types.ts'
import { insertAccountEvent } from '../../src/webhooks/store/events.ts'

/** Differences from the default endpoint, which is verified and receives everything. */
export type GivenEndpoint = Partial<{
  status: string
  types: string[]
  verified: boolean
  headerNames: string[]
}>

/** Inserts an endpoint row without the operations that create endpoints. */
export async function insertEndpointRow(
  db: Pool,
  accountId: string,
  given: GivenEndpoint = {},
): Promise<string> {
  const { status = 'active', types = ['*'], verified = true, headerNames = [] } = given
  const id = randomUUIDv7()
  await db.query(
    `insert into endpoint (id, account_id, url, event_types, header_names, status, challenge,
       verified_at, proved_at, created_at, updated_at)
     values ($1, $2, 'https://receiver.example/hooks', $3, $4, $5, 'challenge',
       case when $6 then $7::timestamptz end, case when $6 then $7::timestamptz end, $7, $7)`,
    [id, accountId, types, headerNames, status, verified, new Date()],
  )
  return id
}

/** Writes this many events, each in its own transaction; returns their ids. */
export async function writeEvents(
  db: Pool,
  accountId: string,
  count: number,
  type: EventType = 'endpoint.disabled',
): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const event = { accountId, type, data: { n } as never, at: new Date() }
    ids.push(await transaction(db, (tx) => insertAccountEvent(tx, event)))
  }
  return ids
}

/** Writes tens of thousands of events in one statement, without enqueueing them for an endpoint. */
export async function writeLedger(db: Pool, accountId: string, count: number): Promise<void> {
  await db.query(
    `with counter as (insert into event_counter (account_id, last) values ($1, $2))
     insert into event (account_id, number, id, type, data, created_at)
     select $1, n, gen_random_uuid(), 'endpoint.disabled', '{}', now()
       from generate_series(1, $2) n`,
    [accountId, count],
  )
}

/** Settles deliveries as a sender would have: sent once, with this outcome. */
export async function settle(
  db: Pool,
  endpointId: string,
  status: 'delivered' | 'failed',
  numbers?: readonly number[],
): Promise<void> {
  await db.query(
    `with settled as (
       update delivery set status = $2, due_at = null, tries = 1, attempts = attempts + 1,
         sequence = coalesce(sequence, event_number), body = coalesce(body, '{"sent":true}'),
         delivered_at = case when $2 = 'delivered' then $5::timestamptz end, updated_at = $5
       where endpoint_id = $1 and status in ('pending', 'sending')
         and ($3::bigint[] is null or event_number = any($3))
       returning id, attempts
     )
     insert into attempt (id, delivery_id, endpoint_id, number, cause, status, started_at, ms,
       http_status, failure, response_headers, response_body, response_truncated, url, signed_with)
     select gen_random_uuid(), id, $1, attempts, 'schedule',
       case when $2 = 'delivered' then 'succeeded' else 'failed' end, $5, 12,
       case when $2 = 'delivered' then 200 else 500 end,
       case when $2 = 'failed' then 'server_error' end,
       '{"content-type": "text/plain"}', 'said by the receiver', false,
       'https://receiver.example/hooks', array[$4]::uuid[]
     from settled`,
    [endpointId, status, numbers ?? null, randomUUID(), new Date()],
  )
}

/** The event number and status of each delivery of an endpoint. */
export async function standing(db: Pool, endpointId: string): Promise<[number, string][]> {
  const { rows } = await db.query(
    'select event_number as n, status from delivery where endpoint_id = $1 order by event_number',
    [endpointId],
  )
  return rows.map(({ n, status }) => [n, status])
}
