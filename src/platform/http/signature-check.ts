import { changeOf } from './body-changes.ts'
import { parseSigningSecret, sign, TOLERANCE_S } from './signature.ts'

/** The pasted request and the time when it was received. */
export type PastedRequest = {
  /** one `name: value` per line; curl options work too */
  headers: string
  body: string
  secret: string
  at: Date
  /** the body that was sent with this `webhook-id`, if known */
  sentBodies?: readonly string[]
}

const checkSteps = ['headers', 'timestamp', 'secret', 'format', 'signature'] as const
/** A step in a receiver's verification (Standard Webhooks: verifying), and its result. */
export type CheckedStep = {
  step: (typeof checkSteps)[number]
  outcome: 'passed' | 'failed' | 'skipped'
  text: string
}
/** `expected`: the signature of exactly the pasted body, made with the secret. */
export type SignatureCheck = { steps: CheckedStep[]; expected: string | undefined }

const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
type Headers = Partial<Record<(typeof names)[number], string>>

/**
 * Verifies a request as a receiver does and says why each failing step fails. Checks all steps, so
 * that an old timestamp does not hide a wrong secret.
 */
export function checkSignature(pasted: PastedRequest): SignatureCheck {
  const headers = parseHeaders(pasted.headers)
  const secret = pasted.secret.trim()
  const steps = [
    checkHeaders(headers, pasted.headers),
    checkTimestamp(headers['webhook-timestamp'], pasted.at),
    checkSecret(secret),
    checkFormat(headers['webhook-signature']),
  ]
  const id = headers['webhook-id']
  const timestamp = Number(headers['webhook-timestamp'])
  const isComplete = id !== undefined && !id.includes('.') && Number.isSafeInteger(timestamp)
  if (!isComplete || !parseSigningSecret(secret)) {
    return { steps: [...steps, skipped], expected: undefined }
  }
  const signatureOf = (body: string) => sign([secret], { id, timestamp, body })
  const signatures = new Set((headers['webhook-signature'] ?? '').split(/\s+/))
  const signature =
    signatures.size === 0 || !headers['webhook-signature']
      ? skipped
      : checkMatch(pasted, (body) => signatures.has(signatureOf(body)))
  return { steps: [...steps, signature], expected: signatureOf(pasted.body) }
}

const passed = (step: CheckedStep['step'], text: string) =>
  ({ step, outcome: 'passed', text }) as const
const failed = (step: CheckedStep['step'], text: string) =>
  ({ step, outcome: 'failed', text }) as const
const skipped: CheckedStep = {
  step: 'signature',
  outcome: 'skipped',
  text: 'Not compared: correct the steps above first.',
}

/** The three headers of a pasted request. Names are case-insensitive. */
export function parseHeaders(text: string): Headers {
  const headers: Headers = {}
  for (const line of text.split(/\r?\n/)) {
    const [, name = '', value = ''] =
      /^\s*(?:-H\s+|--header\s+)?["']?\s*([\w-]+)["']?\s*[:=]\s*(.*?)\s*\\?\s*$/.exec(line) ?? []
    const header = names.find((one) => one === name.toLowerCase().replaceAll('_', '-'))
    if (header) headers[header] = value.replace(/^["']|["'],?$|,$/g, '').trim()
  }
  return headers
}

function checkHeaders(headers: Headers, text: string): CheckedStep {
  const missing = names.filter((name) => !headers[name])
  if (missing.length === 0) {
    return headers['webhook-id']?.includes('.')
      ? failed('headers', 'webhook-id has a dot, so it cannot be one of ours.')
      : passed('headers', 'All three headers are there.')
  }
  const other = missing.map((name) => name.replace('webhook-', 'svix-'))
  const hint = other.some((name) => text.toLowerCase().includes(name))
    ? ' These are headers of Svix: we send names that begin with webhook-.'
    : ' If a proxy or framework is between us and your code, let it pass all webhook- headers.'
  return failed('headers', `Missing: ${missing.join(', ')}.${hint}`)
}

function checkTimestamp(text: string | undefined, at: Date): CheckedStep {
  if (!text) return failed('timestamp', 'There is no webhook-timestamp.')
  if (/^\d{13}$/.test(text)) {
    return failed('timestamp', 'webhook-timestamp is in milliseconds: it must be whole seconds.')
  }
  if (!/^[1-9]\d{0,11}$/.test(text)) {
    return failed('timestamp', 'webhook-timestamp is not a number of whole seconds since 1970.')
  }
  const age = Math.floor(at.getTime() / 1000) - Number(text)
  const sentAt = new Date(Number(text) * 1000)
  const when = Number.isNaN(sentAt.getTime()) ? 'far from now' : sentAt.toISOString().slice(0, 19)
  if (Math.abs(age) <= TOLERANCE_S) {
    return passed(
      'timestamp',
      `Sent ${Math.abs(age)} s ${age < 0 ? 'after' : 'before'} it was received.`,
    )
  }
  return age > 0
    ? failed(
        'timestamp',
        `Too old: sent at ${when}Z, ${age} s before it was received. Receivers refuse more than ` +
          `${TOLERANCE_S} s. If you paste an earlier request, enter when you received it.`,
      )
    : failed(
        'timestamp',
        `Too new: sent at ${when}Z, ${-age} s after it was received. Set the receiver’s clock.`,
      )
}

function checkSecret(secret: string): CheckedStep {
  if (secret === '') return failed('secret', 'There is no secret.')
  if (parseSigningSecret(secret)) return passed('secret', 'It is a signing secret.')
  if (/^["'].*["']$/.test(secret)) {
    return failed('secret', 'The secret is in quotes. Use it without them.')
  }
  if (secret.includes('•') || secret.includes('…')) {
    return failed('secret', 'This is not the whole secret. Rotate it if you have lost it.')
  }
  if (!secret.startsWith('whsec_')) {
    return parseSigningSecret(`whsec_${secret}`)
      ? failed('secret', 'The secret lacks its beginning, whsec_.')
      : failed('secret', 'A signing secret begins with whsec_. An API key does not sign webhooks.')
  }
  return failed('secret', 'After whsec_ there must be 24 to 64 bytes in base64. Copy all of it.')
}

function checkFormat(text: string | undefined): CheckedStep {
  if (!text) return failed('format', 'There is no webhook-signature.')
  const parts = text.split(/\s+/)
  const ours = parts.filter((part) => part.startsWith('v1,'))
  if (ours.some((part) => part.includes('•'))) {
    return failed('format', 'The signature is hidden: copy it from the request you received.')
  }
  if (ours.some((part) => /^v1,[A-Za-z0-9+/]{43}=$/.test(part))) {
    const count = ours.length
    return passed('format', count === 1 ? 'One signature.' : `${count} signatures: any may match.`)
  }
  if (/^(v1,)?(sha256=)?[0-9a-f]{64}$/i.test(text)) {
    return failed('format', 'The signature is in hexadecimal: it must be v1, and base64.')
  }
  if (ours.length === 0) {
    return failed('format', 'No signature begins with v1, (version 1 and a comma).')
  }
  return failed('format', 'The signature is not v1, and 44 characters of base64. Is it cut off?')
}

/** Compares the signature and, if it does not match, names the change to the body. */
function checkMatch({ body, sentBodies = [] }: PastedRequest, matches: (body: string) => boolean) {
  if (matches(body)) return passed('signature', 'The signature matches the body and the secret.')
  const change = changeOf(body, sentBodies, matches)
  if (change) return failed('signature', `The secret is right, but ${change}`)
  return sentBodies.includes(body)
    ? failed(
        'signature',
        'The body is what we sent, so the secret is wrong: it is of another endpoint, or from ' +
          'before a rotation.',
      )
    : failed(
        'signature',
        'No signature matches: the secret is another endpoint’s or an earlier one, or the id, ' +
          'timestamp or body is not of the same request.',
      )
}
