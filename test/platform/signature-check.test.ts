import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { newSigningSecret } from '../../src/platform/http/signature.ts'
import {
  type CheckedStep,
  checkSignature,
  type PastedRequest,
} from '../../src/platform/http/signature-check.ts'

// Signed by an independent package, so that our own signer is not tested against itself.
const secret = newSigningSecret()
const other = newSigningSecret()
const id = '0197a1f0-0000-7000-8000-000000000000'
const body = '{"id":"0197a1f0","type":"booking.confirmed","data":{"name":"Café","n":1}}'
const at = new Date('2026-11-24T12:00:00.400Z')
const seconds = String(Math.floor(at.getTime() / 1000))
const signature = new Webhook(secret).sign(id, at, body)
const lines = (change: Record<string, string | undefined> = {}) =>
  Object.entries({
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signature,
    ...change,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

const check = (change: Partial<PastedRequest> = {}) =>
  checkSignature({ headers: lines(), body, secret, at, ...change })
const failures = (change: Partial<PastedRequest>) =>
  Object.fromEntries(
    check(change)
      .steps.filter(({ outcome }) => outcome === 'failed')
      .map(({ step, text }) => [step, text]),
  )

test('what the independent package signed passes every step', () => {
  const { steps, expected } = check()
  expect(steps.map(({ outcome }) => outcome)).toEqual(Array(5).fill('passed'))
  expect(expected).toBe(signature)
})

test.each<[string, Partial<PastedRequest>]>([
  [
    'upper-case names and CRLF',
    {
      headers: lines()
        .toUpperCase()
        .split('\n')
        .map((line) => line.replace(/: .*/, ''))
        .map((name, n) => `${name}: ${[id, seconds, signature][n]}`)
        .join('\r\n'),
    },
  ],
  [
    'options of curl',
    {
      headers: lines()
        .split('\n')
        .map((line) => `  -H '${line}' \\`)
        .join('\n'),
    },
  ],
  [
    'a JSON object',
    {
      headers: JSON.stringify(
        { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature },
        null,
        2,
      ),
    },
  ],
  ['other headers beside them', { headers: `host: a.example\n${lines()}\naccept: */*` }],
  ['a secret with white space around it', { secret: ` ${secret}\n` }],
  ['a secret without padding', { secret: secret.replace(/=+$/, '') }],
  [
    'the second of two signatures',
    {
      headers: lines({
        'webhook-signature': `${new Webhook(other).sign(id, at, body)} ${signature}`,
      }),
    },
  ],
])('%s passes', (_, change) => {
  expect(failures(change)).toEqual({})
})

test.each<[string, Partial<PastedRequest>, CheckedStep['step'], string]>([
  ['no id', { headers: lines({ 'webhook-id': undefined }) }, 'headers', 'Missing: webhook-id.'],
  [
    'names of Svix',
    { headers: lines().replaceAll('webhook-', 'svix-') },
    'headers',
    'headers of Svix',
  ],
  [
    'a timestamp in milliseconds',
    { headers: lines({ 'webhook-timestamp': `${seconds}000` }) },
    'timestamp',
    'in milliseconds',
  ],
  [
    'a timestamp that is a date',
    { headers: lines({ 'webhook-timestamp': at.toISOString() }) },
    'timestamp',
    'not a number',
  ],
  [
    'a request of six minutes ago',
    { at: new Date(at.getTime() + 360_000) },
    'timestamp',
    'Too old',
  ],
  [
    'a receiver whose clock is late',
    { at: new Date(at.getTime() - 360_000) },
    'timestamp',
    'Set the receiver’s clock',
  ],
  ['an API key as secret', { secret: 'venue_live_abc' }, 'secret', 'begins with whsec_'],
  ['a secret without whsec_', { secret: secret.slice(6) }, 'secret', 'lacks its beginning'],
  ['a secret in quotes', { secret: `"${secret}"` }, 'secret', 'in quotes'],
  ['half a secret', { secret: secret.slice(0, 20) }, 'secret', 'Copy all of it'],
  [
    'a signature without its version',
    { headers: lines({ 'webhook-signature': signature.slice(3) }) },
    'format',
    'v1,',
  ],
  [
    'a signature in hexadecimal',
    { headers: lines({ 'webhook-signature': 'a'.repeat(64) }) },
    'format',
    'hexadecimal',
  ],
  [
    'a signature that is cut off',
    { headers: lines({ 'webhook-signature': signature.slice(0, 20) }) },
    'format',
    'cut off',
  ],
  ['a hidden signature', { headers: lines({ 'webhook-signature': 'v1,•••' }) }, 'format', 'hidden'],
  ['another secret', { secret: other }, 'signature', 'another endpoint’s'],
  [
    'another secret and the body as sent',
    { secret: other, sentBodies: [body] },
    'signature',
    'The body is what we sent',
  ],
  [
    'a body that was parsed and written again',
    { body: JSON.stringify(JSON.parse(body), null, 2) },
    'signature',
    'parsed and written again',
  ],
  ['a line feed at the end', { body: `${body}\n` }, 'signature', 'white space around it'],
  [
    'escaped letters, with the body as sent',
    { body: body.replace('é', '\\u00e9'), sentBodies: ['{}', body] },
    'signature',
    `It differs at character ${body.indexOf('é') + 1}: we sent "é`,
  ],
  [
    'a body that is cut off',
    { body: body.slice(0, 9), sentBodies: [body] },
    'signature',
    'It ends after character 9.',
  ],
  [
    'another id',
    { headers: lines({ 'webhook-id': 'other' }) },
    'signature',
    'not of the same request',
  ],
])('%s fails at its step', (_, change, step, text) => {
  const found = failures(change)
  expect(found[step]).toContain(text)
})

test('an old request with a right signature fails at its timestamp alone', () => {
  expect(Object.keys(failures({ at: new Date(at.getTime() + 3_600_000) }))).toEqual(['timestamp'])
})

test('without a secret or a header the signature is not compared', () => {
  for (const change of [{ secret: '' }, { headers: '' }]) {
    const { steps, expected } = check(change)
    expect(steps.at(-1)?.outcome).toBe('skipped')
    expect(expected).toBeUndefined()
  }
})
