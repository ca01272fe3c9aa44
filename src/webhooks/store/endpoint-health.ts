import sql from 'sql-template-tag'
import { hideQueries } from '../../base/hide-queries.ts'
import { byNetwork, recordAudit } from '../../contract/audit.ts'
import { text } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { EndpointStart } from '../rules/endpoint-messages.ts'
import type { BatchEndpoint } from './batches.ts'
import { insertAccountEvent } from './events.ts'

/** An endpoint's health by its responses. `failed_at`: the last failure since `failing_since`. */
export type EndpointHealth = Pick<
  BatchEndpoint,
  'failing_since' | 'failed_at' | 'wait_until' | 'wait_reason'
>

/** An endpoint whose URL was verified at `provedAt`. Responses from another URL do not count. */
export type EndpointAddress = { endpointId: string; provedAt: Date | null }

const isAt = ({ endpointId, provedAt }: EndpointAddress) => sql`
  id = ${endpointId} and date_trunc('milliseconds', proved_at) is not distinct from ${provedAt}`

/**
 * Stores health and locks the row; false if the URL has changed or the owner has cleared the
 * failures in `before`. A new failure can trigger another warning. If the endpoint has ceased to be
 * FIFO since the batch began, it does not have to wait.
 */
export const updateHealth = (
  db: Db,
  address: EndpointAddress,
  before: EndpointHealth,
  { failing_since, failed_at, wait_until, wait_reason }: EndpointHealth,
) =>
  query.affectsRow(db)`
    update endpoint set failing_since = ${failing_since}, failed_at = ${failed_at},
      wait_until = case when ${wait_reason}::text = 'fifo' and not is_fifo then null
        else ${wait_until}::timestamptz end,
      wait_reason = case when ${wait_reason} = 'fifo' and not is_fifo then null
        else ${wait_reason} end,
      warned_at = case when ${failing_since}::timestamptz is null
        or ${failing_since} > failing_since then null else warned_at end
    where ${isAt(address)} and ${before.failing_since} is not distinct from
      date_trunc('milliseconds', failing_since)`

/** Clears failures after a success. A pause that the receiver requested stays. */
export const clearFailures = (db: Db, address: EndpointAddress) =>
  query.execute(db)`
    update endpoint set failing_since = null, warned_at = null,
      wait_until = case when wait_reason = 'retry_after' then wait_until end,
      wait_reason = case when wait_reason = 'retry_after' then wait_reason end
    where ${isAt(address)} and (failing_since is not null or wait_reason in ('breaker', 'fifo'))`

/**
 * Disables an endpoint because of its responses and writes the event; false if it is not active or
 * its URL has changed. Must come last in a transaction.
 */
export async function disableFailedEndpoint(
  tx: Db,
  { accountId, ...address }: EndpointStart & EndpointAddress,
  reason: 'gone' | 'failing',
  at: Date,
): Promise<boolean> {
  const url = await query.optionalValue(tx, text)`
    update endpoint set status = 'disabled', status_reason = ${reason}, wait_until = null,
      wait_reason = null, updated_at = ${at}
    where ${isAt(address)} and status = 'active' and deleted_at is null
    returning url`
  if (url === undefined) return false
  const change = { id: address.endpointId, name: url, details: { reason } }
  await recordAudit(tx, byNetwork(accountId, at), 'endpoint.disabled', change)
  const data = { endpoint_id: address.endpointId, url: hideQueries(url), reason }
  await insertAccountEvent(tx, { accountId, type: 'endpoint.disabled', data, at })
  return true
}

/** Writes the event that an endpoint keeps failing, once. Must come last in a transaction. */
export async function warnOwner(
  tx: Db,
  { endpointId, accountId }: EndpointStart,
  { failingSince, disabledAt, at }: { failingSince: Date; disabledAt: Date; at: Date },
): Promise<void> {
  const url = await query.optionalValue(tx, text)`
    update endpoint set warned_at = ${at}
    where id = ${endpointId} and status = 'active' and warned_at is null and deleted_at is null
    returning url`
  if (url === undefined) return
  const data = {
    endpoint_id: endpointId,
    url: hideQueries(url),
    failing_since: failingSince.toISOString(),
    disabled_at: disabledAt.toISOString(),
  }
  await insertAccountEvent(tx, { accountId, type: 'endpoint.failing', data, at })
}
