import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool, transaction } from '../../src/platform/database/sql.ts'
import type { OutboundRequest } from '../../src/platform/http/client.ts'
import { newSigningSecret } from '../../src/platform/http/signature.ts'
import { sendChallenge } from '../../src/webhooks/sender/send-challenge.ts'
import { requireProof } from '../../src/webhooks/store/endpoint-states.ts'
import { insertSigningKey, signingKeyContext } from '../../src/webhooks/store/signing-keys.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { attemptsOf, type EndpointOptions, makeEndpoint } from '../support/endpoints.ts'
import { signChallenge } from '../support/receiver.ts'
import { type EndpointAnswer, storeSender } from '../support/sender-store.ts'

const url = 'https://receiver.example/hooks'
const headers = { authorization: 'Bearer of the receiver' }

let database: TestDatabase
let db: Pool
beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 5, () => {})
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})

/** An endpoint that is sent challenges; tests replace `answer` to change its response. */
async function given(wish: Partial<EndpointOptions> = {}) {
  const here = {
    answer: (_: OutboundRequest): EndpointAnswer => ({ status: 200 }),
  }
  const sender = storeSender(db, (request) => here.answer(request))
  const endpoint = await makeEndpoint(db, sender.sealer, {
    url,
    headers,
    isProved: false,
    ...wish,
  })
  const { signal } = new AbortController()
  return Object.assign(here, {
    sender,
    endpoint,
    challenge: (keyId = '') =>
      sendChallenge(sender.deps, endpoint, { at: Date.now(), keyId }, signal),
    async isProved(): Promise<boolean> {
      const { rows } = await db.query('select proved_at from endpoint where id = $1', [
        endpoint.endpointId,
      ])
      return rows[0].proved_at !== null
    },
    async lastAttempt() {
      return (await attemptsOf(db, endpoint)).at(-1)
    },
  })
}

const bodyOf = ({ body }: OutboundRequest) => JSON.parse(String(body))
const signed = (secret: string, { headers, body }: OutboundRequest) =>
  signChallenge(secret, { headers: headers as Record<string, string>, body: JSON.parse(`${body}`) })

test('an echo of the whole request proves nothing', async () => {
  const at = await given()
  for (const echo of [
    ({ body }: OutboundRequest) => String(body),
    (request: OutboundRequest) => bodyOf(request).data.challenge,
    (request: OutboundRequest) => JSON.stringify(request),
    ({ headers }: OutboundRequest) => Object.values(headers ?? {}).join(' '),
  ]) {
    at.answer = (request) => ({ status: 200, body: echo(request) })
    expect(await at.challenge()).toMatchObject({ status: 'succeeded', http_status: 200 })
    expect(await at.isProved()).toBe(false)
  }
})

test('a stranger’s signature, or one under another id, proves nothing', async () => {
  const at = await given()
  const { secret } = at.endpoint
  for (const wrong of [
    (request: OutboundRequest) => signed(newSigningSecret(), request),
    (request: OutboundRequest) =>
      new Webhook(secret).sign('another-id', new Date(), bodyOf(request).data.challenge),
    (request: OutboundRequest) => signed(secret, request).slice(0, -3),
  ]) {
    at.answer = (request) => ({ status: 200, body: wrong(request) })
    await at.challenge()
    expect(await at.isProved()).toBe(false)
  }
  at.answer = (request) => ({ status: 500, body: signed(secret, request) })
  await at.challenge()
  expect(await at.isProved()).toBe(false)
})

test('the library’s signature proves the URL, as plain text or within JSON', async () => {
  for (const wrap of [(proof: string) => proof, (proof: string) => JSON.stringify({ proof })]) {
    const at = await given()
    at.answer = (request) => ({ status: 200, body: wrap(signed(at.endpoint.secret, request)) })
    await at.challenge()
    expect(await at.isProved()).toBe(true)
  }
})

test('an unproved URL gets no custom headers, and its response is not stored', async () => {
  const at = await given({ isProved: true })
  const { endpointId } = at.endpoint
  await transaction(db, async (tx) => {
    await tx.query(`update endpoint set url = 'https://stranger.example/' where id = $1`, [
      endpointId,
    ])
    await requireProof(tx, endpointId, 'another challenge')
  })
  at.answer = () => ({ status: 200, body: 'a page of somebody else', headers: { 'x-mine': '1' } })
  await at.challenge()
  const [request] = at.sender.requests
  expect(request?.url).toBe('https://stranger.example/')
  expect(request?.headers).not.toHaveProperty('authorization')
  expect(await at.lastAttempt()).toMatchObject({
    http_status: 200,
    response_body: null,
    response_headers: null,
  })
})

test('a staged secret is tried with the headers that a proved URL expects', async () => {
  const at = await given({ isProved: true })
  const { sealer } = at.sender
  const id = '01a205da-3435-7000-8000-000000000001'
  const secret = sealer.seal(newSigningSecret(), signingKeyContext(id))
  const key = { id, endpointId: at.endpoint.endpointId, secret, validFrom: null, at: new Date() }
  await insertSigningKey(db, key)
  at.answer = () => ({ status: 200, body: 'fine' })
  await at.challenge(id)
  expect(at.sender.requests[0]?.headers).toMatchObject(headers)
  expect(await at.lastAttempt()).toMatchObject({ response_body: 'fine' })
})
