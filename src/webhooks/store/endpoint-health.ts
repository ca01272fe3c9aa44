import { z } from 'zod'
import { type Db, execute, queryOptionalRow } from '../../platform/database/sql.ts'
import type { EndpointStart } from '../rules/endpoint-messages.ts'
import type { BatchEndpoint } from './batches.ts'
import { insertAccountEvent } from './events.ts'

/**
 * What an endpoint's responses say about it. `failed_at` is the last failure since `failing_since`.
 * Nothing is sent before `wait_until`, for the reason `wait_reason`.
 */
export type EndpointHealth = Pick<
  BatchEndpoint,
  'failing_since' | 'failed_at' | 'wait_until' | 'wait_reason'
>

/**
 * An endpoint with the URL that was verified at `provedAt`. Responses of another URL say nothing
 * about this one.
 */
export type EndpointAddress = { endpointId: string; provedAt: Date | null }

/**
 * Stores the health of an endpoint and locks its row. An endpoint that recovers, or starts failing
 * anew, can be warned about again. A batch that began while the endpoint was FIFO does not make it
 * wait once it no longer is. False when its URL has changed.
 */
export async function updateHealth(
  db: Db,
  { endpointId, provedAt }: EndpointAddress,
  { failing_since, failed_at, wait_until, wait_reason }: EndpointHealth,
): Promise<boolean> {
  const updated = await execute(db)`
    update endpoint set failing_since = ${failing_since}, failed_at = ${failed_at},
      wait_until = case when ${wait_reason}::text = 'fifo' and not is_fifo then null
        else ${wait_until}::timestamptz end,
      wait_reason = case when ${wait_reason} = 'fifo' and not is_fifo then null
        else ${wait_reason} end,
      warned_at = case when ${failing_since}::timestamptz is null
        or ${failing_since} > failing_since then null
        else warned_at end
    where id = ${endpointId} and date_trunc('milliseconds', proved_at) is not distinct
      from ${provedAt}`
  return updated === 1
}

/**
 * Clears failures after a request that the owner asked for succeeded. A pause that the receiver
 * asked for stays.
 */
export async function clearFailures(
  db: Db,
  { endpointId, provedAt }: EndpointAddress,
): Promise<void> {
  await execute(db)`
    update endpoint set failing_since = null, warned_at = null,
      wait_until = case when wait_reason = 'retry_after' then wait_until end,
      wait_reason = case when wait_reason = 'retry_after' then wait_reason end
    where id = ${endpointId} and (failing_since is not null or wait_reason in ('breaker', 'fifo'))
      and date_trunc('milliseconds', proved_at) is not distinct from ${provedAt}`
}

const urlRow = z.object({ url: z.string() })

/**
 * Disables an active endpoint for its responses and writes the event that says so; false when it
 * was not active or its URL has changed. Call it last in a transaction.
 */
export async function disableFailedEndpoint(
  tx: Db,
  { endpointId, accountId, provedAt }: EndpointStart & EndpointAddress,
  reason: 'gone' | 'failing',
  at: Date,
): Promise<boolean> {
  const row = await queryOptionalRow(tx, urlRow)`
    update endpoint set status = 'disabled', status_reason = ${reason}, wait_until = null,
      wait_reason = null, updated_at = ${at}
    where id = ${endpointId} and status = 'active' and deleted_at is null
      and date_trunc('milliseconds', proved_at) is not distinct from ${provedAt}
    returning url`
  if (!row) return false
  const data = { endpoint_id: endpointId, url: row.url, reason }
  await insertAccountEvent(tx, { accountId, type: 'endpoint.disabled', data, at })
  return true
}

/**
 * Writes, once, the event that an endpoint keeps failing and when it will be disabled. Call it last
 * in a transaction.
 */
export async function warnOwner(
  tx: Db,
  { endpointId, accountId }: EndpointStart,
  { failingSince, disabledAt, at }: { failingSince: Date; disabledAt: Date; at: Date },
): Promise<void> {
  const row = await queryOptionalRow(tx, urlRow)`
    update endpoint set warned_at = ${at}
    where id = ${endpointId} and status = 'active' and warned_at is null and deleted_at is null
    returning url`
  if (!row) return
  const data = {
    endpoint_id: endpointId,
    url: row.url,
    failing_since: failingSince.toISOString(),
    disabled_at: disabledAt.toISOString(),
  }
  await insertAccountEvent(tx, { accountId, type: 'endpoint.failing', data, at })
}
