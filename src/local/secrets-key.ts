import { join } from 'node:path'
import { type Config, missingSecretsKey } from '../config.ts'
import { parseSealingKeys, type SealingKey } from '../platform/sealing/sealing-keys.ts'
import { readOrMakeKey } from './kept-key.ts'

/**
 * The keys that seal secrets: SECRETS_KEY, or, outside production, one made once and kept in
 * DATA_DIR. Whoever opens the database of that folder gets the same.
 */
export function secretsKeys(
  config: Pick<Config, 'SECRETS_KEY' | 'NODE_ENV' | 'DATA_DIR'>,
): SealingKey[] {
  if (config.SECRETS_KEY) return config.SECRETS_KEY
  if (config.NODE_ENV === 'production') throw new Error(missingSecretsKey)
  const file = join(config.DATA_DIR, 'secrets-key')
  const keys = parseSealingKeys(readOrMakeKey(file))
  if (keys) return keys
  throw new Error(
    `${file} does not hold a key. Put it back from a backup: without it, secrets in the database cannot be read.`,
  )
}
