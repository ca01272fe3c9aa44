import { z } from 'zod'
import { type Db, queryRows } from '../../platform/database/sql.ts'

const keyRow = z.object({ id: z.uuid(), secret: z.string() })
/** A key that signs; the secret is sealed. */
export type SealedKey = z.infer<typeof keyRow>

/** The ids of the keys of endpoint `e` that sign at a moment, the newest first, as a part of a statement. */
export const validKeyIds = (endpointId: string, at: string): string => `array(
  select k.id from signing_key k
  where k.endpoint_id = ${endpointId} and k.valid_from <= ${at}
    and (k.valid_until is null or k.valid_until > ${at})
  order by k.valid_from desc)`

/** Every key that signs at this moment, the newest first. */
export const selectValidKeys = (db: Db, endpointId: string, at: Date): Promise<SealedKey[]> =>
  queryRows(
    db,
    keyRow,
    `select id, secret from signing_key
     where endpoint_id = $1 and valid_from <= $2 and (valid_until is null or valid_until > $2)
     order by valid_from desc`,
    [endpointId, at],
  )

/** A key of the endpoint that is staged; none when it is not, or not any more. */
export const selectStagedKeys = (db: Db, endpointId: string, id: string): Promise<SealedKey[]> =>
  queryRows(
    db,
    keyRow,
    'select id, secret from signing_key where endpoint_id = $1 and id = $2 and valid_from is null',
    [endpointId, id],
  )

/** Keys by their ids, in no order; those that were erased are missing. */
export const selectKeys = (db: Db, ids: readonly string[]): Promise<SealedKey[]> =>
  queryRows(db, keyRow, 'select id, secret from signing_key where id = any($1)', [ids])
