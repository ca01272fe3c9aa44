import { createDecipheriv, createECDH, hkdfSync, randomBytes, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { createPushSender, pushKeysOf } from '../../src/notices/steps/send-push.ts'
import type { OutboundRequest } from '../../src/platform/http/client.ts'
import { noticeMessage } from '../support/notice-message.ts'

const keys = pushKeysOf(randomBytes(32).toString('base64url'), 'ops@network.example')
const browser = createECDH('prime256v1')
browser.generateKeys()
const authSecret = randomBytes(16).toString('base64url')
const subscription = {
  endpoint: 'https://push.example/s/1',
  keys: { p256dh: browser.getPublicKey().toString('base64url'), auth: authSecret },
}

/** What the browser reads: RFC 8291, 3.4, and RFC 8188, 2. */
function decrypted(body: Buffer): string {
  const derive = (secret: Buffer, salt: Buffer, info: (string | Buffer)[], bytes: number) =>
    Buffer.from(
      hkdfSync('sha256', secret, salt, Buffer.concat(info.map((one) => Buffer.from(one))), bytes),
    )
  const [salt, sender] = [body.subarray(0, 16), body.subarray(21, 21 + 65)]
  const shared = browser.computeSecret(sender)
  const about = ['WebPush: info\0', browser.getPublicKey(), sender]
  const input = derive(shared, Buffer.from(authSecret, 'base64url'), about, 32)
  const key = derive(input, salt, ['Content-Encoding: aes128gcm\0'], 16)
  const nonce = derive(input, salt, ['Content-Encoding: nonce\0'], 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(body.subarray(-16))
  const record = Buffer.concat([decipher.update(body.subarray(86, -16)), decipher.final()])
  expect(record.at(-1)).toBe(2)
  return record.subarray(0, -1).toString()
}

/** Sends one notification to a push service that answers with this status. */
async function push(status: number, address: unknown = subscription) {
  const requests: OutboundRequest[] = []
  const send = async (request: OutboundRequest) => {
    requests.push(request)
    return { status, headers: {}, body: Buffer.of(), truncated: false, ms: 1 }
  }
  const { signal } = new AbortController()
  const sender = createPushSender({ send }, keys)
  const about = { id: '', heardAt: null }
  const result = await sender(noticeMessage(), JSON.stringify(address), about, signal)
  return { result, request: requests[0] }
}

test('only the browser can read a notification, which the network signed', async () => {
  const { result, request } = await push(201)
  expect(result).toEqual({ status: 'sent' })
  const { headers = {}, body, url } = request ?? {}
  expect(url).toBe(subscription.endpoint)
  expect(headers).toMatchObject({ TTL: '900', Urgency: 'high', 'Content-Encoding': 'aes128gcm' })
  expect(JSON.parse(decrypted(Buffer.from(body ?? '')))).toEqual({
    title: 'New request: Sat 5 December, 19:00',
    ...{ body: '4 guests · Warung & Co', language: 'en' },
    ...{ tag: noticeMessage().attemptId, url: noticeMessage().url },
  })
  const [, token = '', key = ''] =
    /^vapid t=([^,]+), k=(.+)$/.exec(headers.Authorization ?? '') ?? []
  const [head, claims, signature = ''] = token.split('.')
  const [x, y] = [1, 33].map((from) => Buffer.from(key, 'base64url').subarray(from, from + 32))
  const jwk = {
    ...{ kty: 'EC', crv: 'P-256' },
    ...{ x: `${x?.toString('base64url')}`, y: `${y?.toString('base64url')}` },
  }
  const signed = [Buffer.from(`${head}.${claims}`), Buffer.from(signature, 'base64url')] as const
  const publicKey = { key: jwk, format: 'jwk', dsaEncoding: 'ieee-p1363' } as const
  expect(verify('sha256', signed[0], publicKey, signed[1])).toBe(true)
  expect(JSON.parse(Buffer.from(claims ?? '', 'base64url').toString())).toMatchObject({
    ...{ aud: 'https://push.example', sub: 'mailto:ops@network.example' },
  })
})

test('a browser that is gone ends its channel, and a busy service is tried again', async () => {
  for (const status of [404, 410]) {
    const failed = { status: 'failed', failure: `status ${status}`, ends: 'gone' }
    expect((await push(status)).result).toEqual(failed)
  }
  expect((await push(413)).result).toEqual({ status: 'failed', failure: 'status 413' })
  for (const status of [429, 503]) await expect(push(status)).rejects.toThrow(`status ${status}`)
  const plain = { ...subscription, endpoint: 'http://push.example/s/1' }
  await expect(push(201, plain)).rejects.toThrow()
})
