import { HOUR_MS } from '../../base/durations.ts'
import { refuse } from '../../base/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import { MAX_SIGNING_KEYS } from '../rules/limits.ts'
import { insertEndpointCommand } from '../store/endpoint-commands.ts'
import {
  deleteSigningKeys,
  deleteStagedKey,
  endCurrentKey,
  insertSigningKey,
  type SigningKey,
  signingKeyContext,
} from '../store/signing-keys.ts'

/**
 * How a new key begins: staged; current, with its predecessor signing alongside for some hours; or
 * alone, with all others revoked.
 */
export type Rotation = { staged: true } | { overlapHours: number } | { revoke: true }

type NewKey = {
  endpointId: string
  id: string
  secret: string
  isShown: boolean
  commandId: string
  at: Date
}

/** Stores a key and its sealed secret; `validFrom` null stages it. */
export const insertSecret = (
  tx: Db,
  sealer: Pick<Sealer, 'seal'>,
  { secret, ...key }: Parameters<typeof insertSigningKey>[1],
) => insertSigningKey(tx, { ...key, secret: sealer.seal(secret, signingKeyContext(key.id)) })

/**
 * Adds a key under the endpoint's lock; `keys` are the existing ones. False if the command has
 * already added one. Throws `too_many_secrets`.
 */
export async function addKey(
  tx: Db,
  sealer: Pick<Sealer, 'seal'>,
  keys: readonly SigningKey[],
  { commandId, ...key }: NewKey,
  how: Rotation,
): Promise<boolean> {
  const { endpointId } = key
  const at = changeTime(keys, key.at)
  const command = { endpointId, id: commandId, name: 'rotateSecret', at } as const
  if (!(await insertEndpointCommand(tx, command))) return false
  if ('revoke' in how) await deleteSigningKeys(tx, endpointId)
  else if ('staged' in how) await deleteStagedKey(tx, endpointId)
  else {
    refuseTooMany(keys, how.overlapHours)
    await endCurrentKey(tx, endpointId, new Date(at.getTime() + how.overlapHours * HOUR_MS))
  }
  await insertSecret(tx, sealer, { ...key, validFrom: 'staged' in how ? null : at, at })
  return true
}

/** Throws `too_many_secrets` if no further key can sign alongside these. */
export function refuseTooMany(keys: readonly SigningKey[], overlapHours: number): void {
  const signing = keys.filter(({ valid_from }) => valid_from !== null).length
  if (overlapHours > 0 && signing >= MAX_SIGNING_KEYS) {
    throw refuse('too_many_secrets', `${signing} sign already.`)
  }
}

/** `at`, or a later time after the start of all these keys, because the newest signs first. */
export const changeTime = (keys: readonly SigningKey[], at: Date): Date =>
  new Date(
    Math.max(at.getTime(), ...keys.map(({ valid_from }) => (valid_from?.getTime() ?? 0) + 1)),
  )
