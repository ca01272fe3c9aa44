import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, missingSecretsKey } from '../config.ts'
import { newSealingKey, parseSealingKeys, type SealingKey } from '../outbound/sealing-keys.ts'

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
  const keys = parseSealingKeys(readOrMake(file))
  if (keys) return keys
  throw new Error(
    `${file} does not hold a key. Put it back from a backup: without it, secrets in the database cannot be read.`,
  )
}

function readOrMake(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  mkdirSync(join(file, '..'), { recursive: true })
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, `${newSealingKey()}\n`, { mode: 0o600 })
  try {
    // Whole or not at all, and never over a key that another process has just made.
    linkSync(unfinished, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(unfinished)
  }
  return readFileSync(file, 'utf8')
}
