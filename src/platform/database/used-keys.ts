import { z } from 'zod'
import { type Db, execute, queryOptionalRow } from './sql.ts'

/** What an idempotency key is used for: `subjectId` is what came of it. */
export type Use = {
  accountId: string
  key: string
  operation: string
  subjectId: string
  bodyHash: Buffer
  at: Date
}

/** The key was used for what was there already. */
export async function updateUseSubject(
  tx: Db,
  accountId: string,
  key: string,
  subjectId: string,
): Promise<void> {
  await execute(tx)`
    update used_key set subject_id = ${subjectId} where account_id = ${accountId} and key = ${key}`
}

/** True when the key is used for this from now on; false when it was used before. Waits for whoever uses it at this moment. */
export async function insertUse(tx: Db, use: Use): Promise<boolean> {
  const written = await execute(tx)`
    insert into used_key (account_id, key, operation, subject_id, body_hash, created_at)
    values (${use.accountId}, ${use.key}, ${use.operation}, ${use.subjectId}, ${use.bodyHash},
      ${use.at}) on conflict do nothing`
  return written === 1
}

const usedRow = z.object({
  subject_id: z.uuid(),
  operation: z.string(),
  body_hash: z.instanceof(Buffer),
})

/** What an idempotency key of this account was used for. */
export const selectOptionalUse = (db: Db, accountId: string, key: string) =>
  queryOptionalRow(db, usedRow)`
    select subject_id, operation, body_hash from used_key where account_id = ${accountId}
      and key = ${key}`

/** Forgets the idempotency keys that were used before; answers how many. */
export async function deleteOldKeys(db: Db, before: Date): Promise<number> {
  return execute(db)`delete from used_key where created_at < ${before}`
}
