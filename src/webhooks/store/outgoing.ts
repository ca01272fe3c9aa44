import { z } from 'zod'
import { type Db, execute, queryOptionalRow } from '../../platform/database/sql.ts'
import { endpointStatuses } from '../rules/webhooks.ts'
import type { Address } from './endpoint-health.ts'

const outgoingRow = z
  .object({
    status: z.enum(endpointStatuses),
    url: z.string(),
    headers: z.string().nullable(),
    challenge: z.string(),
    is_verified: z.boolean(),
  })
  .transform(({ is_verified, ...row }) => ({ ...row, isVerified: is_verified }))

/** Where a single request to an endpoint goes, and with which sealed headers; undefined when it is deleted. */
export const selectOptionalOutgoing = (
  db: Db,
  endpointId: string,
): Promise<z.infer<typeof outgoingRow> | undefined> =>
  queryOptionalRow(
    db,
    outgoingRow,
    `select status, url, headers, challenge, verified_at is not null as is_verified
     from endpoint where id = $1 and deleted_at is null`,
    [endpointId],
  )

/** A request of its owner's succeeded: the endpoint fails no longer, and is only left in peace where it has asked for that. */
export async function clearFailing(db: Db, { endpointId, provedAt }: Address): Promise<void> {
  await execute(
    db,
    `update endpoint set failing_since = null, warned_at = null,
       wait_until = case when wait_reason = 'retry_after' then wait_until end,
       wait_reason = case when wait_reason = 'retry_after' then wait_reason end
     where id = $1 and (failing_since is not null or wait_reason in ('breaker', 'fifo'))
       and date_trunc('milliseconds', proved_at) is not distinct from $2`,
    [endpointId, provedAt],
  )
}
