import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import {
  type Db,
  execute,
  queryOptionalRow,
  queryRow,
  queryRows,
} from '../../platform/database/sql.ts'

/** `default`: the one of a live account, in real time; `clock`: that of a test clock. */
type SandboxKind = 'default' | 'clock'

const idRow = z.object({ id: z.uuid() })

/** The default sandbox of a live account. */
const selectOptionalSandbox = async (db: Db, liveAccountId: string) =>
  (
    await queryOptionalRow(db, idRow)`
      select id from account where live_account_id = ${liveAccountId} and sandbox_kind = 'default'`
  )?.id

/** The sandboxes of an account, oldest first. */
export async function selectSandboxes(db: Db, liveAccountId: string): Promise<string[]> {
  const rows = await queryRows(db, idRow)`
    select id from account where live_account_id = ${liveAccountId} order by id`
  return rows.map(({ id }) => id)
}

/** Opens a sandbox of a live account; returns its id. */
async function insertSandbox(
  tx: Db,
  { liveAccountId, kind, at }: { liveAccountId: string; kind: SandboxKind; at: Date },
): Promise<string> {
  const { id } = await queryRow(tx, idRow)`
    insert into account (id, name, tier, created_at, mode, live_account_id, sandbox_kind)
    select ${randomUUIDv7()}, name, 'pro', ${at}, 'test', id, ${kind}
    from account where id = ${liveAccountId}
    returning id`
  return id
}

/** The default sandbox of a live account, which it locks until the transaction ends. */
export async function findOrCreateSandbox(tx: Db, liveAccountId: string, at: Date) {
  const known = await selectOptionalSandbox(tx, liveAccountId)
  if (known) return known
  await execute(tx)`select from account where id = ${liveAccountId} for no key update`
  return (
    (await selectOptionalSandbox(tx, liveAccountId)) ??
    (await insertSandbox(tx, { liveAccountId, kind: 'default', at }))
  )
}
