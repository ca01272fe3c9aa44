import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { boolean, int } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { MAX_PASSKEYS, PROOF_MINUTES, RECOVERY_CODES } from '../rules/second-factors.ts'
import { hashToken } from './token-secret.ts'

const factorRow = z.object({
  id: z.uuid(),
  kind: z.enum(['passkey', 'totp']),
  name: z.string(),
  credential_id: z.string().nullable(),
  created_at: z.date(),
  used_at: z.date().nullable(),
})

/** A developer's passkeys and authenticator app, oldest first. */
export const selectFactors = (db: Db, developerId: string) =>
  query.rows(db, factorRow)`
    select id, kind, name, credential_id, created_at, used_at from second_factor
    where developer_id = ${developerId} order by created_at, id`

export const hasFactor = (db: Db, developerId: string) =>
  query.value(db, boolean)`
    select exists (select from second_factor where developer_id = ${developerId}) as has_factor`

/** Locks a developer's factors until the transaction ends: no session begins meanwhile. */
export const lockFactors = (tx: Db, developerId: string) =>
  query.execute(tx)`select from developer where id = ${developerId} for no key update`

/** What a sealed TOTP secret is bound to. */
export const totpContext = (id: string) => `second_factor/${id}`

const totpRow = z.object({ id: z.uuid(), secret: z.string(), counter: z.int() })

export const selectOptionalTotp = (db: Db, developerId: string) =>
  query.optionalRow(db, totpRow)`
    select id, secret, counter from second_factor
    where developer_id = ${developerId} and kind = 'totp'`

const passkeyRow = z.object({
  id: z.uuid(),
  developer_id: z.uuid(),
  email: z.string(),
  public_key: z.instanceof(Buffer),
  counter: z.int(),
})

export const selectOptionalPasskey = (db: Db, credentialId: string) =>
  query.optionalRow(db, passkeyRow)`
    select f.id, f.developer_id, d.email, f.public_key, f.counter
    from second_factor f join developer d on d.id = f.developer_id
    where f.credential_id = ${credentialId}`

/** `counter`: the passkey's, or the time step of the code that proved the secret. */
export type Factor = { id: string; name: string; counter: number } & (
  | { secret: string }
  | { credentialId: string; publicKey: Uint8Array }
)
type NewFactor = Factor & { developerId: string; at: Date }

/** Adds a factor; false if it exists, if there is an authenticator app, or 20 passkeys. */
export function insertFactor(tx: Db, { id, developerId, name, counter, at, ...key }: NewFactor) {
  const [secret, credentialId, publicKey] =
    'secret' in key ? [key.secret] : [null, key.credentialId, Buffer.from(key.publicKey)]
  return query.affectsRow(tx)`
    insert into second_factor (id, developer_id, kind, name, credential_id, public_key, secret,
      counter, created_at)
    select ${id}, ${developerId}, ${secret ? 'totp' : 'passkey'}, ${name}, ${credentialId ?? null},
      ${publicKey ?? null}, ${secret}, ${counter}, ${at}
    where (select count(*) from second_factor
      where developer_id = ${developerId} and kind = 'passkey') < ${MAX_PASSKEYS}
    on conflict do nothing`
}

/** Notes the use of a factor; false for a replay. Many passkeys have no counter: it stays 0. */
export const updateFactorUsed = (tx: Db, id: string, counter: number, at: Date) =>
  query.affectsRow(tx)`
    update second_factor set counter = ${counter}, used_at = ${at}
    where id = ${id} and (counter < ${counter} or counter = 0 and ${counter}::bigint = 0)`

/** Removes a developer's factor, or all, and unless one is left the recovery codes; their names. */
export async function deleteFactors(tx: Db, developerId: string, id: string | null = null) {
  const rows = await query.rows(tx, factorRow.pick({ id: true, name: true }))`
    delete from second_factor where developer_id = ${developerId}
      and (${id}::uuid is null or id = ${id}) returning id, name`
  if (!(await hasFactor(tx, developerId))) await deleteRecoveryCodes(tx, developerId)
  return rows
}

const deleteRecoveryCodes = (tx: Db, developerId: string) =>
  query.execute(tx)`delete from recovery_code where developer_id = ${developerId}`

/** Replaces a developer's recovery codes and returns the new ones: 80 random bits each. */
export async function replaceRecoveryCodes(tx: Db, developerId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomBytes(10).toString('hex'))
  await deleteRecoveryCodes(tx, developerId)
  await query.execute(tx)`
    insert into recovery_code (developer_id, hash)
    select ${developerId}, hash from unnest(${codes.map(hashToken)}::bytea[]) hash`
  return codes.map((code) => code.replace(/.{5}(?=.)/g, '$&-'))
}

/** Uses a recovery code; false if the developer has no such code. */
export const deleteRecoveryCode = (tx: Db, developerId: string, code: string) =>
  query.affectsRow(tx)`
    delete from recovery_code where developer_id = ${developerId} and hash = ${hashToken(code)}`

export const countRecoveryCodes = (db: Db, developerId: string) =>
  query.value(db, int)`
    select count(*) as codes from recovery_code where developer_id = ${developerId}`

export type Challenge = { challenge: string; sessionId: string | null }

/** Stores a challenge, and deletes some that have expired. */
export const insertChallenge = (db: Db, { challenge, sessionId }: Challenge, at: Date) =>
  query.execute(db)`
    with expired as (
      delete from passkey_challenge where hash in (
        select hash from passkey_challenge where expires_at <= ${at} limit 10
        for update skip locked)
    )
    insert into passkey_challenge (hash, session_id, expires_at)
    values (${hashToken(challenge)}, ${sessionId},
      ${at}::timestamptz + ${PROOF_MINUTES} * interval '1 minute')`

/** Uses a challenge; false if it is unknown, has expired or belongs to another session. */
export const deleteChallenge = (db: Db, { challenge, sessionId }: Challenge, at: Date) =>
  query.affectsRow(db)`
    delete from passkey_challenge where hash = ${hashToken(challenge)}
      and session_id is not distinct from ${sessionId}::uuid and expires_at > ${at}`

/** Whether members of an account need a second factor; false if that is how it was. */
export const updateRequiresFactor = (tx: Db, accountId: string, requires: boolean) =>
  query.affectsRow(tx)`
    update account set requires_factor = ${requires}
    where id = ${accountId} and requires_factor <> ${requires}`
