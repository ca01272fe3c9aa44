import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { parseSigningSecret } from './signing-secret.ts'

const TOLERANCE_S = 300
const VERSION = 'v1,'

/** What is signed. `timestamp`: unix seconds of this attempt; `body`: exactly the bytes that are sent. */
export type SignedMessage = { id: string; timestamp: number; body: string | Buffer }

/**
 * The value of `webhook-signature` (Standard Webhooks): one signature per secret, in the order
 * given, newest first. Throws when there is no secret, when one is malformed, and for an id with a
 * dot, which would make the signed content ambiguous.
 */
export function sign(secrets: readonly string[], message: SignedMessage): string {
  if (message.id.includes('.')) throw new Error('A webhook id must not contain a dot.')
  if (!Number.isSafeInteger(message.timestamp)) throw new Error('A timestamp is whole seconds.')
  if (secrets.length === 0) throw new Error('There is no signing secret.')
  return secrets.map((secret) => VERSION + digest(keyOf(secret), message)).join(' ')
}

/** The three headers as they arrived; a missing one is undefined. */
export type SignatureHeaders = {
  id: string | undefined
  timestamp: string | undefined
  signature: string | undefined
}

export type Verification =
  | { ok: true }
  | { ok: false; reason: 'missing_header' | 'bad_timestamp' | 'too_old' | 'too_new' | 'no_match' }

/**
 * Whether any of the space-separated signatures was made with any of the secrets, no more than 300 s
 * before or after `at`. Digests are compared in constant time. Throws for a malformed secret.
 */
export function verify(
  secrets: readonly string[],
  { id, timestamp, signature }: SignatureHeaders,
  body: string | Buffer,
  at: Date,
): Verification {
  const refuse = (reason: Exclude<Verification, { ok: true }>['reason']): Verification => ({
    ok: false,
    reason,
  })
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

function digest(key: KeyObject, { id, timestamp, body }: SignedMessage): string {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
}

function equal(own: Buffer, given: Buffer): boolean {
  return own.length === given.length && timingSafeEqual(own, given)
}

/** A key that is bytes takes `createHmac` four times as long. */
function keyOf(secret: string): KeyObject {
  const key = parseSigningSecret(secret)
  if (key) return createSecretKey(key)
  throw new Error('A signing secret is whsec_ and 24 to 64 bytes in base64.')
}
