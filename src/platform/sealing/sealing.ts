import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import type { SealingKey } from './sealing-keys.ts'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const SUB_KEY_BYTES = 32

/** Encrypts secrets that must be readable again, such as signing secrets. */
export type Sealer = {
  /**
   * `v2.<key id>.<base64url of iv, tag, ciphertext>`, sealed with the first key. `context` names
   * its row, such as `webhook_keys/<id>`; opening it needs the same context.
   */
  seal(plain: string, context: string): string
  /** Throws if the key is not listed, or if the text was altered or belongs to another context. */
  open(sealed: string, context: string): string
  /** Keyed digests, one per key: store the first, compare with all. */
  digests(text: string): Buffer[]
  /** Tokens, one per key, which cannot be made without the keys. Each purpose has its own. */
  tokens(purpose: string, text: string): Buffer[]
  keyIds: readonly string[]
}

/**
 * The first key encrypts; all of them decrypt. Each kind of secret has its own sub-key, so a leaked
 * or misused one reveals nothing about the others: decision 0045.
 */
export function createSealer(keys: readonly SealingKey[]): Sealer {
  const [first] = keys
  if (!first) throw new Error('There is no key to seal secrets with.')

  const macs = (purpose: string, text: string) =>
    keys.map(({ key }) => createHmac('sha256', subKey(key, purpose)).update(text).digest())
  return {
    keyIds: keys.map(({ id }) => id),
    digests: (text) => macs('digest', text),
    tokens: (purpose, text) => macs(`token/${purpose}`, text),
    seal(plain, context) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, sealKey(first.key, context), iv, {
        authTagLength: TAG_BYTES,
      })
      cipher.setAAD(boundTo('v2', first.id, context))
      const parts = [cipher.update(plain, 'utf8'), cipher.final()]
      const bytes = Buffer.concat([iv, cipher.getAuthTag(), ...parts])
      return `v2.${first.id}.${bytes.toString('base64url')}`
    },
    open(sealed, context) {
      const { version, id, bytes } = parse(sealed)
      const sealingKey = keys.find((key) => key.id === id)
      if (!sealingKey) {
        throw new Error(
          `A secret is sealed with the key "${id}", which SECRETS_KEY does not list. Add that ` +
            'key after the first one.',
        )
      }
      const iv = bytes.subarray(0, IV_BYTES)
      const key = version === 'v1' ? sealingKey.key : sealKey(sealingKey.key, context)
      const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
      try {
        decipher.setAAD(boundTo(version, id, context))
        decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
        const plain = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES))
        return Buffer.concat([plain, decipher.final()]).toString('utf8')
      } catch {
        throw new Error(
          `The sealed secret of ${context} was changed, belongs elsewhere, or the key "${id}" ` +
            'has been replaced.',
        )
      }
    },
  }
}

/** Undefined for a text in another form, which no key can open. */
export const keyIdOf = (sealed: string): string | undefined => sealedForm.exec(sealed)?.[2]

/** `v1` was sealed with the key itself, before sub-keys existed; `keys rewrap` converts it. */
type Version = 'v1' | 'v2'

function parse(sealed: string): { version: Version; id: string; bytes: Buffer } {
  const [, version, id, text] = sealedForm.exec(sealed) ?? []
  const bytes = Buffer.from(text ?? '', 'base64url')
  if (version && id && bytes.length >= IV_BYTES + TAG_BYTES) {
    return { version: version === 'v1' ? 'v1' : 'v2', id, bytes }
  }
  throw new Error('A sealed secret is not in the form v2.<key id>.<base64url>.')
}

const sealedForm = /^(v[12])\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]+)$/

const boundTo = (version: Version, id: string, context: string): Buffer =>
  Buffer.from(`${version}.${id}.${context}`)

/** Shared by all rows of a kind: the part of a context before the `/`. */
const sealKey = (key: KeyObject, context: string): KeyObject =>
  subKey(key, `seal/${context.split('/', 1)[0]}`)

const subKeys = new WeakMap<KeyObject, Map<string, KeyObject>>()

/** HKDF (RFC 5869) with SHA-256 and no salt, as the keys are random; derived once per process. */
function subKey(key: KeyObject, purpose: string): KeyObject {
  const byPurpose = subKeys.get(key) ?? new Map<string, KeyObject>()
  subKeys.set(key, byPurpose)
  const derived =
    byPurpose.get(purpose) ??
    createSecretKey(
      Buffer.from(hkdfSync('sha256', key, '', `venue-network/${purpose}/v1`, SUB_KEY_BYTES)),
    )
  byPurpose.set(purpose, derived)
  return derived
}
