import { generateKeyPairSync } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, missingSecretsKey, missingTimelineKey } from '../config/config.ts'
import {
  newSealingKey,
  parseSealingKeys,
  type SealingKey,
} from '../platform/sealing/sealing-keys.ts'

type KeyConfig = Pick<Config, 'SECRETS_KEY' | 'TIMELINE_KEY' | 'NODE_ENV' | 'DATA_DIR'>

/** The keys that seal secrets: SECRETS_KEY or, outside production, a key file in DATA_DIR. */
export const secretsKeys = (config: Omit<KeyConfig, 'TIMELINE_KEY'>): SealingKey[] =>
  config.SECRETS_KEY ??
  keysIn(config, 'secrets-key', missingSecretsKey, 'secrets in the database cannot be read')

/** The keys that sign timelines: TIMELINE_KEY or, outside production, a key file in DATA_DIR. */
export const timelineKeys = (config: Omit<KeyConfig, 'SECRETS_KEY'>): SealingKey[] =>
  config.TIMELINE_KEY ??
  keysIn(config, 'timeline-key', missingTimelineKey, 'its signatures cannot be verified')

type PushConfig = Pick<Config, 'WEB_PUSH_PRIVATE_KEY' | 'NODE_ENV' | 'DATA_DIR'>

/** The key of web push: WEB_PUSH_PRIVATE_KEY or, in development, a key file in DATA_DIR. */
export const pushKey = ({ WEB_PUSH_PRIVATE_KEY, NODE_ENV, DATA_DIR }: PushConfig) =>
  WEB_PUSH_PRIVATE_KEY ??
  (NODE_ENV === 'development'
    ? readOrCreateKey(join(DATA_DIR, 'web-push-key'), newPushKey).trim()
    : undefined)

const newPushKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }).d ?? ''

type Place = Pick<KeyConfig, 'NODE_ENV' | 'DATA_DIR'>

function keysIn({ NODE_ENV, DATA_DIR }: Place, name: string, missing: string, loss: string) {
  if (NODE_ENV === 'production') throw new Error(missing)
  const file = join(DATA_DIR, name)
  const keys = parseSealingKeys(readOrCreateKey(file, newSealingKey))
  if (keys) return keys
  throw new Error(`${file} does not hold a key. Put it back from a backup: without it, ${loss}.`)
}

/** The text of a key file, created once with a new key and readable only by its owner. */
function readOrCreateKey(file: string, newKey: () => string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  mkdirSync(join(file, '..'), { recursive: true })
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, `${newKey()}\n`, { mode: 0o600 })
  try {
    // Atomic, and never replaces a key that another process has just created.
    linkSync(unfinished, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(unfinished)
  }
  return readFileSync(file, 'utf8')
}
