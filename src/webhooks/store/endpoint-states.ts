import sql from 'sql-template-tag'
import { uuid } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'

/**
 * Marks a URL as verified. The endpoint becomes active unless its owner has paused or disabled it.
 * False if the challenge is outdated or already answered.
 */
export const proveEndpoint = (
  db: Db,
  { id, challenge, at }: { id: string; challenge: string; at: Date },
) =>
  query.affectsRow(db)`
    update endpoint set proved_at = ${at}, verified_at = coalesce(verified_at, ${at}),
      updated_at = ${at},
      status_reason = case when status <> 'unverified' then status_reason end,
      status = case when status = 'unverified' then 'active' else status end
    where id = ${id} and challenge = ${challenge} and proved_at is null and deleted_at is null`

/**
 * Requires a new URL to be verified and ignores the old one's failures. A paused or disabled
 * endpoint stays so.
 */
export const requireProof = (tx: Db, id: string, challenge: string) =>
  query.execute(tx)`
    update endpoint set challenge = ${challenge}, proved_at = null, failing_since = null,
      warned_at = null, wait_until = null, wait_reason = null,
      status_reason = case when status in ('active', 'unverified') then 'url_changed'
        else status_reason end,
      status = case when status = 'active' then 'unverified' else status end
    where id = ${id}`

/** Who has stopped an endpoint's deliveries, for `status_reason`. */
export type HeldBy = 'owner' | 'operator'

/** Holds deliveries from now on; false if the endpoint is not active. */
export const pauseEndpoint = (db: Db, id: string, at: Date, by: HeldBy = 'owner') =>
  query.affectsRow(db)`
    update endpoint set status = 'paused', status_reason = ${by}, updated_at = ${at}
    where id = ${id} and status = 'active' and deleted_at is null`

const disable = (at: Date, by: HeldBy) => sql`
  update endpoint set status = 'disabled', status_reason = ${by}, updated_at = ${at}
  where status <> 'disabled' and deleted_at is null`

/** Holds deliveries until the owner enables the endpoint; false if it is already disabled. */
export const disableEndpoint = (db: Db, id: string, at: Date, by: HeldBy = 'owner') =>
  query.affectsRow(db)`${disable(at, by)} and id = ${id}`

/** Disables all endpoints of an account; returns the ids of those not yet disabled. */
export const disableEndpointsOf = (tx: Db, accountId: string, at: Date) =>
  query.values(tx, uuid)`
    ${disable(at, 'owner')} and account_id = ${accountId} returning id`

/**
 * Ends a pause or re-enables an endpoint. Failures, waits and emails about them no longer count,
 * but a pause that the receiver requested does. False if the status is not `from`.
 */
export const reopenEndpoint = (
  db: Db,
  id: string,
  { from, at }: { from: 'paused' | 'disabled'; at: Date },
) =>
  query.affectsRow(db)`
    update endpoint set updated_at = ${at}, failing_since = null, warned_at = null,
      mailed_about = null,
      status = case when proved_at is null then 'unverified' else 'active' end,
      status_reason = case when proved_at is null and verified_at is not null
        then 'url_changed' end,
      wait_until = case when wait_reason = 'retry_after' then wait_until end,
      wait_reason = case when wait_reason = 'retry_after' then wait_reason end
    where id = ${id} and status = ${from} and deleted_at is null`

/** Deletes an endpoint. The same transaction must erase its keys. */
export const deleteEndpoint = (tx: Db, id: string, at: Date) =>
  query.execute(tx)`
    update endpoint set deleted_at = ${at}, updated_at = ${at}, nth = null, status = 'disabled',
      status_reason = 'owner', header_names = '{}', headers = null, wait_until = null,
      wait_reason = null
    where id = ${id}`
