import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { SealingKey } from './sealing-keys.ts'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
/** Domain separation: a digest cannot be mistaken for another HMAC of these keys. */
const DIGEST_DOMAIN = 'venue-network/digest/v1\n'

/** Encrypts secrets that the database must give back, such as signing secrets. */
export type Sealer = {
  /**
   * `v1.<key id>.<base64url of iv, tag, ciphertext>`, with the first key. `context` names its row,
   * such as `webhook_keys/<id>`; it opens with the same context only.
   */
  seal(plain: string, context: string): string
  /** Throws if its key is not listed, or if the text was changed or belongs elsewhere. */
  open(sealed: string, context: string): string
  /** Keyed digests, one per key: store the first, compare with all. */
  digests(text: string): Buffer[]
  keyIds: readonly string[]
}

/** The first key encrypts, all of them decrypt. */
export function createSealer(keys: readonly SealingKey[]): Sealer {
  const [first] = keys
  if (!first) throw new Error('There is no key to seal secrets with.')

  return {
    keyIds: keys.map(({ id }) => id),
    digests: (text) =>
      keys.map(({ key }) => createHmac('sha256', key).update(`${DIGEST_DOMAIN}${text}`).digest()),
    seal(plain, context) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, first.key, iv, { authTagLength: TAG_BYTES })
      cipher.setAAD(boundTo(first.id, context))
      const parts = [cipher.update(plain, 'utf8'), cipher.final()]
      const bytes = Buffer.concat([iv, cipher.getAuthTag(), ...parts])
      return `v1.${first.id}.${bytes.toString('base64url')}`
    },
    open(sealed, context) {
      const { id, bytes } = parse(sealed)
      const known = keys.find((key) => key.id === id)
      if (!known) {
        throw new Error(
          `A secret is sealed with the key "${id}", which SECRETS_KEY does not list. Add that ` +
            'key after the first one.',
        )
      }
      const iv = bytes.subarray(0, IV_BYTES)
      const decipher = createDecipheriv(ALGORITHM, known.key, iv, { authTagLength: TAG_BYTES })
      try {
        decipher.setAAD(boundTo(id, context))
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

/** Throws for a text of another form. */
export const keyIdOf = (sealed: string): string => parse(sealed).id

function parse(sealed: string): { id: string; bytes: Buffer } {
  const [, id, text] = /^v1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]+)$/.exec(sealed) ?? []
  const bytes = Buffer.from(text ?? '', 'base64url')
  if (id !== undefined && bytes.length >= IV_BYTES + TAG_BYTES) return { id, bytes }
  throw new Error('A sealed secret is not in the form v1.<key id>.<base64url>.')
}

const boundTo = (id: string, context: string): Buffer => Buffer.from(`v1.${id}.${context}`)
