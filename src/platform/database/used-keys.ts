import sql from 'sql-template-tag'
import { z } from 'zod'
import { isInRealTime } from './account-time.ts'
import { rowsBefore } from './continue-pass.ts'
import { type Db, query } from './sql.ts'

/** A use of an idempotency key, which created `subjectId`. */
type Use = {
  accountId: string
  key: string
  operation: string
  subjectId: string
  bodyHash: Buffer
  at: Date
}

/** Makes a key refer to a subject that already existed. */
export const updateUseSubject = (tx: Db, accountId: string, key: string, subjectId: string) =>
  query.execute(tx)`
    update idempotency_key set subject_id = ${subjectId}
    where account_id = ${accountId} and key = ${key}`

/** False if the key was already used. Waits for any concurrent transaction using it. */
export const insertUse = (tx: Db, use: Use) =>
  query.affectsRow(tx)`
    insert into idempotency_key (account_id, key, operation, subject_id, body_hash, created_at)
    values (${use.accountId}, ${use.key}, ${use.operation}, ${use.subjectId}, ${use.bodyHash},
      ${use.at}) on conflict do nothing`

const usedRow = z.object({
  subject_id: z.uuid(),
  operation: z.string(),
  body_hash: z.instanceof(Buffer),
})

export const selectOptionalUse = (db: Db, accountId: string, key: string) =>
  query.optionalRow(db, usedRow)`
    select subject_id, operation, body_hash from idempotency_key
    where account_id = ${accountId} and key = ${key}`

/** Keys that accounts without a test clock used before a given time. */
export const oldKeys = (before: Date) => {
  const isDue = isInRealTime(sql`idempotency_key.account_id`)
  return rowsBefore('idempotency_key', 'created_at', before, 'account_id, subject_id', isDue)
}
