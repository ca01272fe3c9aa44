import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import type { PaymentPayload } from '../../src/x402/facilitator.ts'
import { createRemoteFacilitator } from '../../src/x402/remote-facilitator.ts'

const TOPIC = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'
const CANCELED = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81'
const payer = `0x${'a'.repeat(40)}`
const nonce = `0x${'b'.repeat(64)}`
const payment: PaymentPayload = {
  x402Version: 2,
  accepted: {
    scheme: 'exact',
    network: 'eip155:84532',
    amount: '1',
    asset: `0x${'c'.repeat(40)}`,
    payTo: `0x${'d'.repeat(40)}`,
    maxTimeoutSeconds: 120,
    extra: {},
  },
  payload: {
    signature: `0x${'e'.repeat(130)}`,
    authorization: {
      from: payer,
      to: `0x${'d'.repeat(40)}`,
      value: '1',
      validAfter: '0',
      validBefore: '1800000000',
      nonce,
    },
  },
}

type Sent = { url: string; headers: Record<string, string>; body: any }

/** A facilitator whose other side answers with these bodies, by path or JSON-RPC method. */
function facing(answers: Record<string, unknown>) {
  const sent: Sent[] = []
  const outbound = {
    async send({ url, headers, body }: any) {
      const asked = JSON.parse(String(body))
      sent.push({ url, headers, body: asked })
      const answer = answers[asked.method ?? new URL(url).pathname]
      if (answer === undefined) throw new Error('no answer')
      const text = asked.method ? { jsonrpc: '2.0', id: 1, result: answer } : answer
      const status = 402
      return {
        ...{ status, headers: {}, truncated: false, ms: 1 },
        body: Buffer.from(JSON.stringify(text)),
      }
    },
  }
  const at = { url: 'https://facilitator.example/', rpcUrl: 'https://node.example', apiKey: 'k' }
  return { sent, facilitator: createRemoteFacilitator({ ...at, outbound }) }
}

test('it is asked as the protocol says, with the key, and may refuse with any status', async () => {
  const { sent, facilitator } = facing({
    '/verify': { isValid: false, invalidReason: 'insufficient_funds' },
    '/settle': { success: false, transaction: '', network: 'x:y', errorReason: 'invalid_payload' },
  })
  expect(await facilitator.verify(payment)).toBe('insufficient_funds')
  expect(await facilitator.settle(payment)).toEqual({
    result: 'refused',
    reason: 'invalid_payload',
  })
  expect(sent[0]).toMatchObject({
    url: 'https://facilitator.example/verify',
    headers: { authorization: 'Bearer k' },
    body: { x402Version: 2, paymentPayload: payment, paymentRequirements: payment.accepted },
  })
})

test('no answer, or one that makes no sense, is an attempt without a result', async () => {
  const nowhere = facing({})
  expect(await nowhere.facilitator.settle(payment)).toMatchObject({ result: 'none' })
  await expect(nowhere.facilitator.verify(payment)).rejects.toThrow()
  const nonsense = facing({ '/settle': { ok: true } })
  expect(await nonsense.facilitator.settle(payment)).toMatchObject({ result: 'none' })
})

test('the contract says whether the money moved, and by which transaction', async () => {
  const state = { eth_call: '0x1', eth_blockNumber: '0x100000' }
  const used = facing({ ...state, eth_getLogs: [{ topics: [TOPIC], transactionHash: '0x9' }] })
  expect(await used.facilitator.lookUp(payment)).toEqual({ used: true, transaction: '0x9' })
  expect(used.sent[0]?.body.params[0].data).toBe(
    `0xe94a0102${'a'.repeat(40).padStart(64, '0')}${'b'.repeat(64)}`,
  )
  const off = facing({ ...state, eth_getLogs: [{ topics: [CANCELED], transactionHash: '0x8' }] })
  expect(await off.facilitator.lookUp(payment)).toEqual({ used: false })
  const unused = facing({ eth_call: '0x0' })
  expect(await unused.facilitator.lookUp(payment)).toEqual({ used: false })
  const silent = facing({ ...state, eth_getLogs: [] })
  await expect(silent.facilitator.lookUp(payment)).rejects.toThrow('no log')
})

test.each([
  [{ NODE_ENV: 'production', X402_FACILITATOR: 'local' }, 'must not be local in production'],
  [{ X402_FACILITATOR: 'https://f.example' }, 'X402_PAY_TO: must be given'],
  [{ X402_FACILITATOR: 'https://f.example', X402_NETWORK: 'eip155:1' }, 'has no known asset'],
  [{ NODE_ENV: 'production', X402_FACILITATOR: 'http://f.example' }, 'must be https'],
  [{ X402_RATES: 'IDR=0' }, 'must be a decimal above 0'],
])('the settings %o are refused at startup', (env, message) => {
  expect(() => readConfig(env)).toThrow(message)
})
