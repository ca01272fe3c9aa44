import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AskedSlot, findSlots } from '../support/agent.ts'
import { messageOf, postMessage } from '../support/mcp-streamable.ts'
import { openService, type Service } from '../support/network.ts'
import { postEnvelope } from '../support/open-doors.ts'
import { openWallet, posting } from './pay.ts'

let service: Service
let slots: AskedSlot[]
const next = () => slots.shift() as AskedSlot

beforeAll(async () => {
  service = await openService({ X402_FACILITATOR: 'local' })
  slots = await findSlots(service.agent, 'dinner for 2', 8)
})
afterAll(() => service.close())

test('an MCP client without a key pays in `_meta` and reads the receipt there', async () => {
  const wallet = await openWallet(service.db)
  const client = new Client({ name: 'payer', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp?x402=1`)))
  const call = { name: 'confirm_booking', arguments: next() }
  const asked = (await client.callTool(call)) as any
  expect(asked).toMatchObject({
    isError: true,
    structuredContent: {
      x402Version: 2,
      resource: { url: 'mcp://tool/confirm_booking' },
      accepts: [{ scheme: 'exact' }],
    },
  })
  expect(JSON.parse(asked.content[0].text)).toEqual(asked.structuredContent)
  const payment = await wallet.client.createPaymentPayload(asked.structuredContent)
  const paid = (await client.callTool({ ...call, _meta: { 'x402/payment': payment } })) as any
  expect(paid.isError, JSON.stringify(paid)).toBeFalsy()
  const answer = JSON.parse(paid.content[0].text)
  expect(answer.booking.status).toBe('confirmed')
  expect(paid._meta['x402/payment-response']).toMatchObject({
    success: true,
    payer: wallet.address,
  })
  await client.close()
})

test('an MCP call that declares no x402 is to sign in, and may pay instead', async () => {
  const params = { name: 'confirm_booking', arguments: next() }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const address = `${service.url}/mcp`
  const response = await postMessage(address, call)
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringContaining('/.well-known/oauth-protected-resource/mcp"'),
  ])
  const { error } = await messageOf(response)
  expect(error.data).toMatchObject({ code: 'unauthenticated', accepts: [{ scheme: 'exact' }] })
  expect(error.message).toContain('Or pay for this call')
  const anywhere = { venue: 'nowhere', slot_time: 'soon' }
  const wrong = { ...call, params: { ...params, arguments: anywhere } }
  expect((await postMessage(address, wrong)).status).toBe(401)
  const extensions = { 'example.org/x402': {} }
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': { extensions } }
  const declared = await postMessage(address, { ...call, params: { ...params, _meta } })
  expect([declared.status, (await messageOf(declared)).result.structuredContent.code]).toEqual([
    200,
    'payment_required',
  ])
  const rest = await fetch(`${service.url}/api/bookings`, posting(next()))
  expect([rest.status, rest.headers.get('www-authenticate')]).toEqual([
    402,
    expect.stringContaining('/.well-known/oauth-protected-resource/api"'),
  ])
})

test('an A2A agent without a key pays in the metadata of its message', async () => {
  const wallet = await openWallet(service.db)
  const message = { intent: 'booking.confirm', payload: next() }
  const asked = await postEnvelope(service.url, null, message)
  expect(asked).toMatchObject({
    status: 402,
    body: {
      error: { code: 'payment_required' },
      meta: { 'x402.payment.status': 'payment-required' },
    },
  })
  const required = asked.body.meta['x402.payment.required']
  const payment = await wallet.client.createPaymentPayload(required)
  const metadata = {
    'x402.payment.status': 'payment-submitted',
    'x402.payment.payload': payment,
  }
  const paid = await postEnvelope(service.url, null, { ...message, metadata })
  expect(paid.body).toMatchObject({
    payload: { status: 'confirmed' },
    meta: {
      'x402.payment.status': 'payment-completed',
      'x402.payment.receipts': [{ success: true, payer: wallet.address }],
    },
  })
})

test('the same payment sent at once by agents with different names gets one booking', async () => {
  const wallet = await openWallet(service.db)
  const message = { intent: 'booking.confirm', payload: next() }
  const asked = await postEnvelope(service.url, null, message)
  const required = asked.body.meta['x402.payment.required']
  const payment = await wallet.client.createPaymentPayload(required)
  const metadata = { 'x402.payment.payload': payment }
  const names = ['one', 'two', 'three', 'four', 'five', 'six']
  const answers = await Promise.all(
    names.map((name) =>
      postEnvelope(service.url, null, { ...message, from: `agent://${name}`, metadata }),
    ),
  )
  expect(answers.map(({ body }) => body.error?.code ?? body.payload.status)).toEqual(
    names.map(() => 'confirmed'),
  )
  expect(new Set(answers.map(({ body }) => body.payload.booking.id)).size).toBe(1)
})

test('at MCP, a refused payment is explained in the form that the door accepts', async () => {
  const client = new Client({ name: 'payer', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp?x402=1`)))
  const call = { name: 'confirm_booking', arguments: next() }
  const { structuredContent: required } = (await client.callTool(call)) as any
  const base64 = Buffer.from('{}').toString('base64')
  const broken = (await client.callTool({ ...call, _meta: { 'x402/payment': base64 } })) as any
  expect(JSON.parse(broken.content[0].text).error).toMatchObject({
    code: 'payment_malformed',
    message: expect.stringContaining('over MCP and A2A as the JSON object itself'),
  })
  const poor = await openWallet(service.db, 0)
  const payment = await poor.client.createPaymentPayload(required)
  const refused = (await client.callTool({ ...call, _meta: { 'x402/payment': payment } })) as any
  expect(refused.structuredContent).toMatchObject({
    code: 'payment_rejected',
    reason: expect.stringContaining('insufficient'),
  })
  expect(refused.structuredContent.payment).toBeUndefined()
  await client.close()
})

test('the Agent Card declares the extension where payments are on', async () => {
  const card = (await (await fetch(`${service.url}/.well-known/agent-card.json`)).json()) as any
  expect(card.planned).toBeUndefined()
  expect(card.extensions[0].uri).toContain('a2a-x402')
})
