import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { type Db, queryRows } from '../../platform/database/sql.ts'

const keyRow = z.object({ id: z.uuid(), secret: z.string() })
/** A signing key with its sealed secret. */
export type SealedKey = z.infer<typeof keyRow>

/** SQL for the ids of the keys of endpoint `e` that are valid at a moment, newest first. */
export const validKeyIds = (endpointId: Sql, at: Date) => sql`array(
  select k.id from signing_key k
  where k.endpoint_id = ${endpointId} and k.valid_from <= ${at}
    and (k.valid_until is null or k.valid_until > ${at})
  order by k.valid_from desc)`

/** The keys that are valid at a moment, newest first. */
export const selectValidKeys = (db: Db, endpointId: string, at: Date): Promise<SealedKey[]> =>
  queryRows(db, keyRow)`
    select id, secret from signing_key
    where endpoint_id = ${endpointId} and valid_from <= ${at} and (valid_until is null
      or valid_until > ${at})
    order by valid_from desc`

/** The staged key with this id; none when it is not staged any more. */
export const selectStagedKeys = (db: Db, endpointId: string, id: string): Promise<SealedKey[]> =>
  queryRows(db, keyRow)`
    select id, secret from signing_key where endpoint_id = ${endpointId} and id = ${id}
      and valid_from is null`

/** Keys by their ids, in no order, without those that were erased. */
export const selectKeys = (db: Db, ids: readonly string[]): Promise<SealedKey[]> =>
  queryRows(db, keyRow)`select id, secret from signing_key where id = any(${ids})`
