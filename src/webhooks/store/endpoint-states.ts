import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Db, execute, queryRows } from '../../platform/database/sql.ts'

/**
 * Verifies the URL of an endpoint that repeated its challenge. It becomes active unless its owner
 * has paused or disabled it. False when the challenge is out of date or was repeated before.
 */
export async function proveEndpoint(
  db: Db,
  { id, challenge, at }: { id: string; challenge: string; at: Date },
): Promise<boolean> {
  const proved = await execute(db)`
    update endpoint set proved_at = ${at}, verified_at = coalesce(verified_at, ${at}),
      updated_at = ${at},
      status_reason = case when status <> 'unverified' then status_reason end,
      status = case when status = 'unverified' then 'active' else status end
    where id = ${id} and challenge = ${challenge} and proved_at is null and deleted_at is null`
  return proved === 1
}

/**
 * Requires proof of a new URL. Until then the endpoint holds its deliveries; failures of the old
 * URL no longer count. A paused or disabled endpoint stays so.
 */
export async function requireProof(tx: Db, id: string, challenge: string): Promise<void> {
  await execute(tx)`
    update endpoint set challenge = ${challenge}, proved_at = null, failing_since = null,
      warned_at = null,
      wait_until = null, wait_reason = null,
      status_reason = case when status in ('active', 'unverified') then 'url_changed'
        else status_reason end,
      status = case when status = 'active' then 'unverified' else status end
    where id = ${id}`
}

/** Holds deliveries from now on; false when the endpoint is not active. */
export async function pauseEndpoint(db: Db, id: string, at: Date): Promise<boolean> {
  const paused = await execute(db)`
    update endpoint set status = 'paused', status_reason = 'owner', updated_at = ${at}
    where id = ${id} and status = 'active' and deleted_at is null`
  return paused === 1
}

const disable = (at: Date) => sql`
  update endpoint set status = 'disabled', status_reason = 'owner', updated_at = ${at}
  where status <> 'disabled' and deleted_at is null`

/** Holds deliveries until the owner enables the endpoint; false when it is disabled already. */
export async function disableEndpoint(db: Db, id: string, at: Date): Promise<boolean> {
  return (await execute(db)`${disable(at)} and id = ${id}`) === 1
}

const idRow = z.object({ id: z.uuid() })

/** Disables every endpoint of an account; returns the ids of those that were not disabled. */
export async function disableEndpointsOf(tx: Db, accountId: string, at: Date): Promise<string[]> {
  const rows = await queryRows(tx, idRow)`
    ${disable(at)} and account_id = ${accountId} returning id`
  return rows.map(({ id }) => id)
}

/**
 * Ends a pause or a disabling: the endpoint becomes active, or unverified where its URL is not
 * verified. Failures and waits that the network decided on no longer count; a pause that the
 * receiver asked for does. False when it is not in the status `from`.
 */
export async function reopenEndpoint(
  db: Db,
  id: string,
  { from, at }: { from: 'paused' | 'disabled'; at: Date },
): Promise<boolean> {
  const reopened = await execute(db)`
    update endpoint set updated_at = ${at}, failing_since = null, warned_at = null,
      status = case when proved_at is null then 'unverified' else 'active' end,
      status_reason = case when proved_at is null and verified_at is not null
        then 'url_changed' end,
      wait_until = case when wait_reason = 'retry_after' then wait_until end,
      wait_reason = case when wait_reason = 'retry_after' then wait_reason end
    where id = ${id} and status = ${from} and deleted_at is null`
  return reopened === 1
}

/**
 * Deletes an endpoint, in a transaction that also erases its keys: nothing is enqueued for it or
 * sent to it any more.
 */
export async function deleteEndpoint(tx: Db, id: string, at: Date): Promise<void> {
  await execute(tx)`
    update endpoint set deleted_at = ${at}, updated_at = ${at}, nth = null, status = 'disabled',
      status_reason = 'owner', header_names = '{}', headers = null, wait_until = null,
      wait_reason = null
    where id = ${id}`
}
