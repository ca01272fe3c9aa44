import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const KEY_BYTES = 32

/** A key-encryption key. A KeyObject is printed and serialised without its bytes. */
export type SealingKey = { id: string; key: KeyObject }

/** For error messages about SECRETS_KEY and TIMELINE_KEY. */
export const howToMakeKey = 'make one with: echo "k1:$(openssl rand -base64 32)"'

/** Parses `id:base64-of-32-bytes[,id2:…]`; undefined if malformed or if an id repeats. */
export function parseSealingKeys(text: string): SealingKey[] | undefined {
  const keys = text.split(',').map(parseKey)
  const present = keys.filter((key) => key !== undefined)
  const ids = new Set(present.map(({ id }) => id))
  return ids.size === keys.length ? present : undefined
}

/** A new key in the form that `parseSealingKeys` reads, with a random id. */
export const newSealingKey = (): string =>
  `local-${randomBytes(4).toString('hex')}:${randomBytes(KEY_BYTES).toString('base64')}`

function parseKey(text: string): SealingKey | undefined {
  const [, id, base64] = /^\s*([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]+={0,2})\s*$/.exec(text) ?? []
  const bytes = Buffer.from(base64 ?? '', 'base64')
  if (id === undefined || bytes.length !== KEY_BYTES) return undefined
  return { id, key: createSecretKey(bytes) }
}
