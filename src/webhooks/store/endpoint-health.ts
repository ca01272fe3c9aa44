import { z } from 'zod'
import { type Db, execute, queryOptionalRow } from '../../platform/database/sql.ts'
import type { EndpointStart } from '../rules/webhooks.ts'
import { insertAccountEvent } from './events.ts'

/**
 * What the answers of an endpoint say about it. `failedAt` is the last failure since `failingSince`. `waitUntil`: nothing is sent before,
 * and `waitReason` says why.
 */
export type Health = {
  failingSince: Date | null
  failedAt: Date | null
  waitUntil: Date | null
  waitReason: 'breaker' | 'retry_after' | 'fifo' | null
}

/** An endpoint at the address that proved itself then: what another one answered says nothing about it. */
export type Address = { endpointId: string; provedAt: Date | null }

/**
 * Keeps how an endpoint is, and has its row locked; one that no longer fails, or begins to anew, can be warned of again. A batch that began
 * when the endpoint was first in, first out does not make it wait for its first event once it is not. False when it has moved to another
 * address.
 */
export async function updateHealth(
  db: Db,
  { endpointId, provedAt }: Address,
  health: Health,
): Promise<boolean> {
  const { failingSince, failedAt, waitUntil, waitReason } = health
  const kept = await execute(
    db,
    `update endpoint set failing_since = $2, failed_at = $3,
       wait_until = case when $5::text = 'fifo' and not is_fifo then null else $4::timestamptz end,
       wait_reason = case when $5 = 'fifo' and not is_fifo then null else $5 end,
       warned_at = case when $2::timestamptz is null or $2 > failing_since then null else warned_at end
     where id = $1 and date_trunc('milliseconds', proved_at) is not distinct from $6`,
    [endpointId, failingSince, failedAt, waitUntil, waitReason, provedAt],
  )
  return kept === 1
}

const urlRow = z.object({ url: z.string() })

/**
 * Disables an active endpoint, which from then on holds its events, and says so in one; false when it was not active, or has moved to
 * another address. Last in its transaction.
 */
export async function disableFailedEndpoint(
  tx: Db,
  { endpointId, accountId, provedAt }: EndpointStart & Address,
  reason: 'gone' | 'failing',
  at: Date,
): Promise<boolean> {
  const row = await queryOptionalRow(
    tx,
    urlRow,
    `update endpoint set status = 'disabled', status_reason = $2, wait_until = null, wait_reason = null,
       updated_at = $3
     where id = $1 and status = 'active' and deleted_at is null
       and date_trunc('milliseconds', proved_at) is not distinct from $4
     returning url`,
    [endpointId, reason, at, provedAt],
  )
  if (!row) return false
  const data = { endpoint_id: endpointId, url: row.url, reason }
  await insertAccountEvent(tx, { accountId, type: 'endpoint.disabled', data, at })
  return true
}

/** Says in an event, once, that an endpoint has been failing and when it will be disabled for it. Last in its transaction. */
export async function warnOwner(
  tx: Db,
  { endpointId, accountId }: EndpointStart,
  { failingSince, disabledAt, at }: { failingSince: Date; disabledAt: Date; at: Date },
): Promise<void> {
  const row = await queryOptionalRow(
    tx,
    urlRow,
    `update endpoint set warned_at = $2
     where id = $1 and status = 'active' and warned_at is null and deleted_at is null returning url`,
    [endpointId, at],
  )
  if (!row) return
  const data = {
    endpoint_id: endpointId,
    url: row.url,
    failing_since: failingSince.toISOString(),
    disabled_at: disabledAt.toISOString(),
  }
  await insertAccountEvent(tx, { accountId, type: 'endpoint.failing', data, at })
}
