import sql from 'sql-template-tag'
import { DAY_MS } from '../../base/durations.ts'
import { rowsBefore } from '../../platform/database/continue-pass.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { MAX_NAMES_SENT, NAME_KEPT_DAYS } from '../rules/agents.ts'

type NameUse = { name: string; accountId: string; at: Date }

const lapsed = (at: Date) => new Date(at.getTime() - NAME_KEPT_DAYS * DAY_MS)

/**
 * Records that an account sends a name as `from`, so that others cannot register it. False if
 * another account has registered it, or if the account already sends too many names to reserve it.
 * Waits for a registration in progress.
 */
export async function keepSentName(db: Db, { name, accountId, at }: NameUse): Promise<boolean> {
  const inserted = await query.execute(db)`
    insert into agent_name (name, account_id, is_registered, used_at)
    select lower(${name}), ${accountId}, false, ${at}
    where (select count(*) from agent_name where account_id = ${accountId} and not is_registered)
      < ${MAX_NAMES_SENT}
    on conflict do nothing`
  if (inserted === 1) return true
  return query.affectsRow(db)`
    update agent_name set used_at = greatest(used_at, ${at})
    where name = lower(${name}) and account_id = ${accountId}`
}

/** Reserves a name for the account; false if another account has it or has sent it recently. */
export async function claimName(tx: Db, { name, accountId, at }: NameUse): Promise<boolean> {
  await query.execute(tx)`
    delete from agent_name where name = lower(${name})
      and (account_id = ${accountId} or (not is_registered and used_at < ${lapsed(at)}))`
  return query.affectsRow(tx)`
    insert into agent_name (name, account_id, is_registered, used_at)
    values (lower(${name}), ${accountId}, true, ${at})
    on conflict do nothing`
}

/** Names that are no longer reserved because their last use was too long ago. */
export const lapsedNames = (at: Date) =>
  rowsBefore('agent_name', 'used_at', lapsed(at), 'account_id, used_at', sql`not is_registered`)

/** Deletes the names that an account has sent. Names it registered stay with it. */
export const deleteSentNamesOf = (tx: Db, accountId: string) =>
  query.execute(tx)`delete from agent_name where account_id = ${accountId} and not is_registered`
