import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'

/** The sealing context of a signing key's secret: it can be decrypted in this row only. */
export const signingKeyContext = (keyId: string): string => `signing_key/${keyId}`

/** `secret` is sealed; `validFrom` null stages the key. */
type NewSigningKey = {
  id: string
  endpointId: string
  secret: string
  validFrom: Date | null
  at: Date
  /** false if its owner has not seen the secret; true by default */
  isShown?: boolean
}

/** Constraints allow each endpoint one current and one staged key. */
export const insertSigningKey = (tx: Db, key: NewSigningKey) =>
  query.execute(tx)`
    insert into signing_key (id, endpoint_id, secret, valid_from, created_at, is_shown)
    values (${key.id}, ${key.endpointId}, ${key.secret}, ${key.validFrom}, ${key.at},
      ${key.isShown ?? true})`

const sealedKeyRow = z.object({ id: z.uuid(), secret: z.string() })
export type SealedKey = z.infer<typeof sealedKeyRow>

const keyRow = sealedKeyRow.extend({
  valid_from: z.date().nullable(),
  valid_until: z.date().nullable(),
  created_at: z.date(),
  is_shown: z.boolean(),
})
/**
 * A key with its sealed secret: a staged one has no `valid_from`, a current one no `valid_until`.
 */
export type SigningKey = z.infer<typeof keyRow>

/** An endpoint's keys that are staged or have not ended by `at`, newest first. */
export const selectSigningKeys = (db: Db, endpointId: string, at: Date) =>
  query.rows(db, keyRow)`
    select id, secret, valid_from, valid_until, created_at, is_shown from signing_key
    where endpoint_id = ${endpointId} and (valid_until is null or valid_until > ${at})
    order by valid_from desc nulls first, id desc`

/** The keys valid at a moment, newest first. */
export const selectValidKeys = (db: Db, endpointId: string, at: Date) =>
  query.rows(db, sealedKeyRow)`
    select id, secret from signing_key
    where endpoint_id = ${endpointId} and valid_from <= ${at}
      and (valid_until is null or valid_until > ${at})
    order by valid_from desc`

/** SQL for the ids of the keys valid at a moment, newest first. */
export const validKeyIds = (endpointId: Sql, at: Date) => sql`array(
  select k.id from signing_key k
  where k.endpoint_id = ${endpointId} and k.valid_from <= ${at}
    and (k.valid_until is null or k.valid_until > ${at})
  order by k.valid_from desc)`

/** The staged key with this id; undefined if it is no longer staged. */
export const selectStagedKeys = (db: Db, endpointId: string, id: string) =>
  query.rows(db, sealedKeyRow)`
    select id, secret from signing_key
    where endpoint_id = ${endpointId} and id = ${id} and valid_from is null`

/** Keys by id, without erased ones, in no particular order. */
export const selectKeys = (db: Db, ids: readonly string[]) =>
  query.rows(db, sealedKeyRow)`select id, secret from signing_key where id = any(${ids})`

/** Sets the current key's end in the transaction that makes its successor current. */
export const endCurrentKey = (tx: Db, endpointId: string, until: Date) =>
  query.execute(tx)`
    update signing_key set valid_until = ${until}
    where endpoint_id = ${endpointId} and valid_from is not null and valid_until is null`

/** Makes the staged key current, after `endCurrentKey`. */
export const activateKey = (tx: Db, id: string, from: Date) =>
  query.execute(tx)`
    update signing_key set valid_from = ${from}
    where id = ${id} and valid_from is null and valid_until is null`

/** Records that the owner has seen a secret. */
export const markKeyShown = (tx: Db, id: string) =>
  query.execute(tx)`update signing_key set is_shown = true where id = ${id}`

export const deleteStagedKey = (tx: Db, endpointId: string) =>
  query.execute(
    tx,
  )`delete from signing_key where endpoint_id = ${endpointId} and valid_from is null`

export const deleteSigningKeys = (tx: Db, endpointId: string) =>
  query.execute(tx)`delete from signing_key where endpoint_id = ${endpointId}`

/** Whether the endpoint's current URL has answered 2xx to a request signed with only this key. */
export const hasBeenAccepted = (db: Db, endpointId: string, { id, created_at }: SigningKey) =>
  query.affectsRow(db)`
    select from endpoint e join attempt a on a.endpoint_id = e.id and a.url = e.url
    where e.id = ${endpointId} and a.started_at >= ${created_at} and a.status = 'succeeded'
      and a.signed_with = array[${id}::uuid]
    limit 1`
