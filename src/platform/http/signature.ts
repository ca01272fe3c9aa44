import {
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** How many seconds before and after its timestamp a signature is valid. */
const TOLERANCE_S = 300
const VERSION = 'v1,'
const PREFIX = 'whsec_'
const NEW_BYTES = 32
const MIN_BYTES = 24
const MAX_BYTES = 64

export const newSigningSecret = (): string => PREFIX + randomBytes(NEW_BYTES).toString('base64')

/** The key in a signing secret: `whsec_` and 24 to 64 bytes in base64, with or without padding. */
export function parseSigningSecret(secret: string): Buffer | undefined {
  if (!secret.startsWith(PREFIX)) return undefined
  const text = secret.slice(PREFIX.length).replace(/={1,2}$/, '')
  const key = Buffer.from(text, 'base64')
  if (key.toString('base64').replace(/=+$/, '') !== text) return undefined
  return key.length >= MIN_BYTES && key.length <= MAX_BYTES ? key : undefined
}

/** `timestamp`: unix seconds of this attempt; `body`: exactly the bytes sent. */
type SignedMessage = { id: string; timestamp: number; body: string | Buffer }

/**
 * The value of `webhook-signature` (Standard Webhooks): one signature per secret, in the order
 * given, newest first. Throws if the id has a dot, which would make the signed content ambiguous.
 */
export function sign(secrets: readonly string[], message: SignedMessage): string {
  if (message.id.includes('.')) throw new Error('A webhook id must not contain a dot.')
  if (!Number.isSafeInteger(message.timestamp)) throw new Error('A timestamp is whole seconds.')
  if (secrets.length === 0) throw new Error('There is no signing secret.')
  return secrets.map((secret) => VERSION + digest(keyOf(secret), message)).join(' ')
}

/** The headers of a signed JSON request. */
export const signedHeaders = (secrets: readonly string[], message: SignedMessage) => ({
  'content-type': 'application/json',
  'webhook-id': message.id,
  'webhook-timestamp': String(message.timestamp),
  'webhook-signature': sign(secrets, message),
})

/** The three headers as received. */
export type SignatureHeaders = Record<'id' | 'timestamp' | 'signature', string | undefined>

type Problem = 'missing_header' | 'bad_timestamp' | 'too_old' | 'too_new' | 'no_match'
export type Verification = { ok: true } | { ok: false; reason: Problem }

/** Whether any signature matches any secret within 300 s of `at`. Compares in constant time. */
export function verify(
  secrets: readonly string[],
  { id, timestamp, signature }: SignatureHeaders,
  body: string | Buffer,
  at: Date,
): Verification {
  const refuse = (reason: Problem): Verification => ({ ok: false, reason })
  if (!id || !timestamp || !signature) return refuse('missing_header')
  if (!/^[1-9]\d{0,11}$/.test(timestamp)) return refuse('bad_timestamp')
  const seconds = Number(timestamp)
  const age = Math.floor(at.getTime() / 1000) - seconds
  if (age > TOLERANCE_S) return refuse('too_old')
  if (age < -TOLERANCE_S) return refuse('too_new')
  if (id.includes('.')) return refuse('no_match')

  const message = { id, timestamp: seconds, body }
  const expected = secrets.map((secret) => Buffer.from(digest(keyOf(secret), message)))
  const matches = signature
    .split(' ')
    .filter((part) => part.startsWith(VERSION))
    .map((part) => Buffer.from(part.slice(VERSION.length)))
    .filter((given) => expected.some((own) => equal(own, given)))
  return matches.length > 0 ? { ok: true } : refuse('no_match')
}

const digest = (key: KeyObject, { id, timestamp, body }: SignedMessage): string =>
  createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')

const equal = (own: Buffer, other: Buffer): boolean =>
  own.length === other.length && timingSafeEqual(own, other)

/** A KeyObject, because raw bytes make `createHmac` four times slower. */
function keyOf(secret: string): KeyObject {
  const key = parseSigningSecret(secret)
  if (key) return createSecretKey(key)
  throw new Error('A signing secret is whsec_ and 24 to 64 bytes in base64.')
}
