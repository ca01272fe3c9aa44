import { z } from 'zod'
import { type Db, execute, queryRows } from '../../platform/database/sql.ts'

/** The sealing context of a signing key's secret: it opens in this row only. */
export const signingKeyContext = (keyId: string): string => `signing_key/${keyId}`

/** `validFrom` null stages the key. */
export type NewSigningKey = {
  id: string
  endpointId: string
  /** sealed */
  secret: string
  validFrom: Date | null
  at: Date
}

/** Constraints allow one current and one staged key per endpoint. */
export async function insertSigningKey(tx: Db, key: NewSigningKey): Promise<void> {
  await execute(tx)`
    insert into signing_key (id, endpoint_id, secret, valid_from, created_at)
    values (${key.id}, ${key.endpointId}, ${key.secret}, ${key.validFrom}, ${key.at})`
}

const keyRow = z.object({
  id: z.uuid(),
  secret: z.string(),
  valid_from: z.date().nullable(),
  valid_until: z.date().nullable(),
  created_at: z.date(),
})
/** A key with its sealed secret: staged without `valid_from`, current without `valid_until`. */
export type SigningKey = z.infer<typeof keyRow>

/** The keys of an endpoint that are staged or have not ended at `at`, newest first. */
export const selectSigningKeys = (db: Db, endpointId: string, at: Date): Promise<SigningKey[]> =>
  queryRows(db, keyRow)`
    select id, secret, valid_from, valid_until, created_at from signing_key
    where endpoint_id = ${endpointId} and (valid_until is null or valid_until > ${at})
    order by valid_from desc nulls first, id desc`

/** Sets the end of the current key, in the transaction that makes its successor current. */
export async function endCurrentKey(tx: Db, endpointId: string, until: Date): Promise<void> {
  await execute(tx)`
    update signing_key set valid_until = ${until}
    where endpoint_id = ${endpointId} and valid_from is not null and valid_until is null`
}

/** Makes the staged key current, after `endCurrentKey`. */
export async function activateKey(tx: Db, id: string, from: Date): Promise<void> {
  await execute(tx)`
    update signing_key set valid_from = ${from}
    where id = ${id} and valid_from is null and valid_until is null`
}

/** Erases the staged key. */
export async function deleteStagedKey(tx: Db, endpointId: string): Promise<void> {
  await execute(tx)`
    delete from signing_key where endpoint_id = ${endpointId} and valid_from is null`
}

/** Erases every key of an endpoint. */
export async function deleteSigningKeys(tx: Db, endpointId: string): Promise<void> {
  await execute(tx)`delete from signing_key where endpoint_id = ${endpointId}`
}

const acceptedRow = z.object({ id: z.uuid() })

/**
 * Whether the endpoint's present URL has answered 2xx to a request that this key alone signed.
 * `since`: when the key was made.
 */
export async function hasBeenAccepted(
  db: Db,
  { endpointId, keyId, since }: { endpointId: string; keyId: string; since: Date },
): Promise<boolean> {
  const rows = await queryRows(db, acceptedRow)`
    select a.id from endpoint e join attempt a on a.endpoint_id = e.id and a.url = e.url
    where e.id = ${endpointId} and a.started_at >= ${since} and a.status = 'succeeded'
      and a.signed_with = array[${keyId}::uuid]
    limit 1`
  return rows.length > 0
}
