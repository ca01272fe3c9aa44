import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newSigningSecret, sign } from '../../src/platform/http/signature.ts'
import { daily } from '../support/nightly.ts'
import { eventually } from '../support/programs.ts'
import { languages, missing, type Receiver, runVerifyScript, startReceiver } from './receivers.ts'

const secrets = [newSigningSecret(), newSigningSecret()]
const [secret = ''] = secrets

type Sent = { id?: string; at?: number; signedWith?: string[]; body?: unknown; sent?: string }

/** Posts a delivery as the network would. */
async function post(url: string, delivery: Sent) {
  const { id = randomUUID(), at = Date.now(), signedWith = [secret], body = event(id) } = delivery
  const text = JSON.stringify(body)
  const timestamp = Math.floor(at / 1000)
  const signature = sign(signedWith, { id, timestamp, body: text })
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    },
    body: delivery.sent ?? text,
  })
  return { status: response.status, text: await response.text(), id }
}
const event = (id: string) => ({
  id,
  type: 'booking.confirmed',
  timestamp: new Date().toISOString(),
  sequence: 7,
  data: { booking: { venue: { name: 'Warung Café ☕' } } },
})

/** Sends headers and less of the body than they announce, then disconnects. */
async function breakOff(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf'
  await new Promise((written) => socket.write(head, written))
  socket.destroy()
  await once(socket, 'close')
}

/** The first line of a receiver's answer to raw bytes. */
async function answerTo(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(bytes, 'latin1')
  const answer = await Promise.race([once(socket, 'data'), once(socket, 'close')])
  socket.destroy()
  return String(answer[0])
}

// Not Go's, because a new machine compiles its standard library for 26 s.
for (const language of daily(languages, 2)) {
  const reason = missing(language)
  const without = reason ? ` (skipped: ${reason})` : ''

  describe.skipIf(reason)(`the receiver in ${language}${without}`, () => {
    let receiver: Receiver
    beforeAll(async () => {
      receiver = await startReceiver(language, secrets)
    }, 120_000)
    afterAll(() => receiver?.end())

    test('accepts what is signed with any of its secrets, each event once', async () => {
      const first = await post(receiver.url, {})
      expect(first.status).toBe(204)
      expect((await post(receiver.url, { id: first.id })).status).toBe(204)
      const rotated = { signedWith: [newSigningSecret(), secrets[1] ?? ''] }
      const second = await post(receiver.url, rotated)
      const lines = [first, second].map(({ id }) => `verified booking.confirmed ${id} 7`)
      await eventually('both are printed', async () => receiver.lines().length >= 2)
      expect(receiver.lines()).toEqual(lines)
    })

    test('answers a challenge with its signature by each secret', async () => {
      const id = randomUUID()
      const at = Date.now()
      const data = { challenge: 'sign-me' }
      const body = { id, type: 'endpoint.challenge', timestamp: new Date(at).toISOString(), data }
      const expected = secrets.map((one) => new Webhook(one).sign(id, new Date(at), 'sign-me'))
      expect(await post(receiver.url, { id, at, body })).toMatchObject({
        status: 200,
        text: expected.join(' '),
      })
    })

    test.each([
      ['is signed with another secret', { signedWith: [newSigningSecret()] }],
      ['was changed in transit', { sent: '{"type":"booking.confirmed"}' }],
      ['is older than five minutes', { at: Date.now() - 3_600_000 }],
      ['is from the future', { at: Date.now() + 3_600_000 }],
    ])('refuses what %s', async (_, wrong) => {
      expect((await post(receiver.url, wrong)).status).toBe(401)
    })

    test('continues after aborted requests', async () => {
      for (let nth = 0; nth < 3; nth += 1) {
        await breakOff(receiver.url)
        expect((await post(receiver.url, {})).status).toBe(204)
      }
    })

    test('reads no more than the largest delivery', async () => {
      const large = { ...event(randomUUID()), data: 'x'.repeat(1_500_000) }
      const status = await post(receiver.url, { body: large }).then(
        (answer) => answer.status,
        () => 'closed',
      )
      expect([401, 'closed']).toContain(status)
      expect((await post(receiver.url, {})).status).toBe(204)
    })

    test.each(['-1', 'x', '²', '9'.repeat(5000)])('answers a length of %.9s', async (length) => {
      const head = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`
      expect(await answerTo(receiver.url, head)).toMatch(/^HTTP\/1.1 4\d\d/)
    })

    test('refuses a timestamp that is not a number', async () => {
      const raw = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\nwebhook-timestamp: ²\r\n\r\n'
      expect(await answerTo(receiver.url, raw)).toMatch(/^HTTP\/1.1 401/)
    })

    test('refuses an unsigned request', async () => {
      const response = await fetch(receiver.url, { method: 'POST', body: '{}' })
      expect(response.status).toBe(401)
    })
  })
}

describe('the script for curl and openssl', () => {
  const body = JSON.stringify(event('msg'))
  // Set per test, because building the receivers can take minutes on a busy machine.
  let timestamp = 0
  beforeEach(() => {
    timestamp = Math.floor(Date.now() / 1000)
  })
  const signatureOf = (at = timestamp) => sign([secret], { id: 'msg', timestamp: at, body })

  test('verifies what the network signs, with several signatures too', () => {
    const other = sign([newSigningSecret()], { id: 'msg', timestamp, body })
    for (const given of [signatureOf(), `${other} ${signatureOf()}`]) {
      const said = runVerifyScript(secret, ['msg', String(timestamp), given], body)
      expect(said).toEqual({ code: 0, text: 'verified' })
    }
  })

  test('refuses another body, another secret and another timestamp', () => {
    const args = ['msg', String(timestamp), signatureOf()]
    expect(runVerifyScript(secret, args, `${body} `).code).toBe(1)
    expect(runVerifyScript(secrets[1] ?? '', args, body).code).toBe(1)
    const old = timestamp - 400
    const said = runVerifyScript(secret, ['msg', String(old), signatureOf(old)], body)
    expect(said).toMatchObject({ code: 1, text: expect.stringMatching(/^signed, but 4\d\d s ago/) })
  })

  test.each([[['sh']], [['bash', '--posix']]])('%j executes no timestamp', (shell) => {
    const folder = mkdtempSync(join(tmpdir(), 'verify-'))
    const made = join(folder, 'made')
    for (const wrong of [`a[$(touch ${made})]`, '', '-1', '012', '1 2']) {
      const said = runVerifyScript(secret, ['msg', wrong, signatureOf()], body, shell)
      expect(said).toEqual({ code: 1, text: 'not a timestamp' })
    }
    expect(existsSync(made)).toBe(false)
    rmSync(folder, { recursive: true })
  })

  test('accepts a secret without its padding', () => {
    for (const bytes of [24, 25, 26, 32]) {
      const brought = `whsec_${Buffer.alloc(bytes, 250).toString('base64')}`
      const signature = sign([brought], { id: 'msg', timestamp, body })
      const args = ['msg', String(timestamp), signature]
      const said = runVerifyScript(brought.replace(/=+$/, ''), args, body)
      expect(said).toEqual({ code: 0, text: 'verified' })
    }
  })

  test('makes signatures that an independent library accepts', () => {
    const { text } = runVerifyScript(secret, ['msg', String(timestamp)], body)
    const headers = {
      'webhook-id': 'msg',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': text,
    }
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  })
})
