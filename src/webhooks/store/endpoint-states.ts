import { z } from 'zod'
import { type Db, execute, queryRows } from '../../platform/database/sql.ts'

/**
 * The address of an endpoint has repeated its challenge: what waits is sent from now on, unless its owner has paused or disabled it.
 * False when that challenge is no longer the one that counts, or was repeated before.
 */
export async function proveEndpoint(
  db: Db,
  { id, challenge, at }: { id: string; challenge: string; at: Date },
): Promise<boolean> {
  const proved = await execute(
    db,
    `update endpoint set proved_at = $3, verified_at = coalesce(verified_at, $3), updated_at = $3,
       status_reason = case when status <> 'unverified' then status_reason end,
       status = case when status = 'unverified' then 'active' else status end
     where id = $1 and challenge = $2 and proved_at is null and deleted_at is null`,
    [id, challenge, at],
  )
  return proved === 1
}

/**
 * The address of an endpoint is another: it has to prove itself anew, holds what comes until then, and nothing that the old one
 * did wrong counts. An endpoint that is paused or disabled stays so.
 */
export async function askForProof(tx: Db, id: string, challenge: string): Promise<void> {
  await execute(
    tx,
    `update endpoint set challenge = $2, proved_at = null, failing_since = null, warned_at = null,
       wait_until = null, wait_reason = null,
       status_reason = case when status in ('active', 'unverified') then 'url_changed' else status_reason end,
       status = case when status = 'active' then 'unverified' else status end
     where id = $1`,
    [id, challenge],
  )
}

/** Holds what comes; false when the endpoint is not active. */
export async function pauseEndpoint(db: Db, id: string, at: Date): Promise<boolean> {
  const paused = await execute(
    db,
    `update endpoint set status = 'paused', status_reason = 'owner', updated_at = $2
     where id = $1 and status = 'active' and deleted_at is null`,
    [id, at],
  )
  return paused === 1
}

/** Holds what comes until its owner enables it; false when it is disabled already. */
export async function disableEndpoint(db: Db, id: string, at: Date): Promise<boolean> {
  const disabled = await execute(
    db,
    `update endpoint set status = 'disabled', status_reason = 'owner', updated_at = $2
     where id = $1 and status <> 'disabled' and deleted_at is null`,
    [id, at],
  )
  return disabled === 1
}

const idRow = z.object({ id: z.uuid() })

/** The same for every endpoint of an account: the ids of those that were not disabled. */
export async function disableEndpointsOf(tx: Db, accountId: string, at: Date): Promise<string[]> {
  const disabled = await queryRows(
    tx,
    idRow,
    `update endpoint set status = 'disabled', status_reason = 'owner', updated_at = $2
     where account_id = $1 and status <> 'disabled' and deleted_at is null returning id`,
    [accountId, at],
  )
  return disabled.map(({ id }) => id)
}

/**
 * Ends a pause or a disabling: active from now on, or unverified where the address has not proved itself. What made the network
 * disable it no longer counts, nor does a wait that the network chose; one that the receiver asked for does. False when it is not in
 * that status.
 */
export async function reopenEndpoint(
  db: Db,
  id: string,
  { from, at }: { from: 'paused' | 'disabled'; at: Date },
): Promise<boolean> {
  const reopened = await execute(
    db,
    `update endpoint set updated_at = $3, failing_since = null, warned_at = null,
       status = case when proved_at is null then 'unverified' else 'active' end,
       status_reason = case when proved_at is null and verified_at is not null then 'url_changed' end,
       wait_until = case when wait_reason = 'retry_after' then wait_until end,
       wait_reason = case when wait_reason = 'retry_after' then wait_reason end
     where id = $1 and status = $2 and deleted_at is null`,
    [id, from, at],
  )
  return reopened === 1
}

/** Part of a transaction that erases its keys: nothing is put up for the endpoint or sent to it any more. */
export async function deleteEndpoint(tx: Db, id: string, at: Date): Promise<void> {
  await execute(
    tx,
    `update endpoint set deleted_at = $2, updated_at = $2, nth = null, status = 'disabled',
       status_reason = 'owner', header_names = '{}', headers = null, wait_until = null, wait_reason = null
     where id = $1`,
    [id, at],
  )
}
