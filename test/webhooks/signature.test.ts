import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Webhook as Standard } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { expect, test } from 'vitest'
import {
  newSigningSecret,
  parseSigningSecret,
  sign,
  verify,
} from '../../src/platform/http/signature.ts'

const first = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const newest = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const body = '{"test": 2432232314}'
const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body }
const signedFirst = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
const signedBoth = `v1,78nXHjpFP0tVJQW5D0SBwmVyyW87BV/rL6MgfM/Bw44= ${signedFirst}`
const headers = { id: message.id, timestamp: String(message.timestamp), signature: signedBoth }
const at = new Date(message.timestamp * 1000)
const after = (seconds: number) => new Date(at.getTime() + seconds * 1000)

test('the test vectors of the standard are reproduced', () => {
  expect(sign([first], message)).toBe(signedFirst)
  expect(sign([newest, first], message)).toBe(signedBoth)
})

test('during a rotation either secret verifies, and a third does not', () => {
  for (const secrets of [[first], [newest], [newSigningSecret(), first]]) {
    expect(verify(secrets, headers, body, at)).toEqual({ ok: true })
  }
  const other = verify([newSigningSecret()], headers, body, at)
  expect(other).toEqual({ ok: false, reason: 'no_match' })
  expect(verify([], headers, body, at)).toEqual({ ok: false, reason: 'no_match' })
})

test('a signature is valid for 300 s in both directions', () => {
  expect(verify([first], headers, body, after(300))).toEqual({ ok: true })
  expect(verify([first], headers, body, after(-300))).toEqual({ ok: true })
  expect(verify([first], headers, body, after(301))).toEqual({ ok: false, reason: 'too_old' })
  expect(verify([first], headers, body, after(-301))).toEqual({ ok: false, reason: 'too_new' })
})

test.each([
  ['no id', { id: undefined }, 'missing_header'],
  ['no timestamp', { timestamp: undefined }, 'missing_header'],
  ['no signature', { signature: '' }, 'missing_header'],
  ['a timestamp that is not a number', { timestamp: '1614265330.0' }, 'bad_timestamp'],
  ['a timestamp in another notation', { timestamp: '0x60379872' }, 'bad_timestamp'],
  ['a timestamp with a sign', { timestamp: '+1614265330' }, 'bad_timestamp'],
  ['another timestamp', { timestamp: '1614265331' }, 'no_match'],
  ['another id', { id: 'msg_other' }, 'no_match'],
  ['another version', { signature: signedFirst.replace('v1', 'v1a') }, 'no_match'],
  ['no version', { signature: signedFirst.slice(3) }, 'no_match'],
  ['a shortened signature', { signature: signedFirst.slice(0, -2) }, 'no_match'],
  ['a comma between signatures', { signature: `${signedFirst},${signedFirst}` }, 'no_match'],
])('%s is refused with the reason', (_, change, reason) => {
  expect(verify([first], { ...headers, ...change }, body, at)).toEqual({ ok: false, reason })
})

test('the dot between id, timestamp and body cannot be moved', () => {
  const secret = newSigningSecret()
  const signature = sign([secret], { id: 'a', timestamp: 1614265330, body: '1614265330.x' })
  const moved = { id: 'a.1614265330', timestamp: '1614265330', signature }
  expect(verify([secret], moved, 'x', at)).toEqual({ ok: false, reason: 'no_match' })
  expect(() => sign([secret], { ...message, id: 'a.b' })).toThrow('dot')
})

test('our signatures and those of two independent libraries verify each other', () => {
  const secrets = fc.uint8Array({ minLength: 24, maxLength: 64 })
  fc.assert(
    fc.property(secrets, fc.uuid(), fc.string({ unit: 'binary' }), (bytes, id, text) => {
      const secret = `whsec_${Buffer.from(bytes).toString('base64')}`
      const now = new Date()
      const timestamp = Math.floor(now.getTime() / 1000)
      const signature = sign([newSigningSecret(), secret], { id, timestamp, body: text })
      for (const library of [new Standard(secret), new Svix(secret)]) {
        const sent = { 'webhook-id': id, 'webhook-timestamp': `${timestamp}` }
        library.verify(text, { ...sent, 'webhook-signature': signature }, { jsonParse: false })
        const theirs = library.sign(id, now, text)
        const arrived = { id, timestamp: `${timestamp}`, signature: theirs }
        expect(verify([secret], arrived, text, now)).toEqual({ ok: true })
        expect(verify([secret], arrived, `${text} `, now)).toEqual({
          ok: false,
          reason: 'no_match',
        })
      }
    }),
  )
})

test('a new secret has 32 random bytes', () => {
  expect(parseSigningSecret(newSigningSecret())).toHaveLength(32)
  expect(newSigningSecret()).not.toBe(newSigningSecret())
})

test('a secret is whsec_ and 24 to 64 bytes in base64, and nothing else', () => {
  const ofBytes = (count: number) => `whsec_${randomBytes(count).toString('base64')}`
  for (const count of [24, 32, 64]) expect(parseSigningSecret(ofBytes(count))).toHaveLength(count)
  expect(parseSigningSecret(ofBytes(32).replace(/=+$/, ''))).toHaveLength(32)
  const wrong = [
    ofBytes(23),
    ofBytes(65),
    ofBytes(32).slice(6),
    `${ofBytes(32)}!`,
    ` ${ofBytes(32)}`,
  ]
  for (const secret of [...wrong, 'whsec_', '', ofBytes(32).replace('whsec_', 'WHSEC_')]) {
    expect(parseSigningSecret(secret)).toBeUndefined()
    expect(() => sign([secret], message)).toThrow('24 to 64 bytes')
  }
})
