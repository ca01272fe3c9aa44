import { expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import type { PaymentPayload } from '../../src/x402/rules/facilitator.ts'
import { createRemoteFacilitator } from '../../src/x402/steps/remote-facilitator.ts'

const USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'
const CANCELED = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81'
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
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

/** A facilitator whose counterpart gives these answers, by path or JSON-RPC method. */
function facing(answers: Record<string, unknown>) {
  const sent: Sent[] = []
  const outbound = {
    async send({ url, headers, body }: any) {
      const asked = JSON.parse(String(body))
      sent.push({ url, headers, body: asked })
      const given = answers[asked.method ?? new URL(url).pathname]
      const answer = typeof given === 'function' ? given(...asked.params) : given
      if (answer === undefined) throw new Error('no answer')
      const text = asked.method ? { jsonrpc: '2.0', id: 1, result: answer } : answer
      const status = 402
      return {
        ...{ status, headers: {}, truncated: false, ms: 1 },
        body: Buffer.from(JSON.stringify(text)),
      }
    },
  }
  const where = { url: 'https://facilitator.example/', rpcUrl: 'https://node.example' }
  return { sent, facilitator: createRemoteFacilitator({ ...where, apiKey: 'k', outbound }) }
}

test('the facilitator is called with the key, and can refuse with any status', async () => {
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

test('no answer, or a meaningless one, is an attempt without a result', async () => {
  const nowhere = facing({})
  expect(await nowhere.facilitator.settle(payment)).toMatchObject({ result: 'none' })
  await expect(nowhere.facilitator.verify(payment)).rejects.toThrow()
  const nonsense = facing({ '/settle': { ok: true } })
  expect(await nonsense.facilitator.settle(payment)).toMatchObject({ result: 'none' })
})

const word = (hex: string) => `0x${hex.replace(/^0x/, '').padStart(64, '0')}`
const blockHash = word('b10c')
const transactionHash = word('9')
const other = word('f'.repeat(40))
const payTo = word(payment.accepted.payTo)

type ChainLog = { topics: string[]; data: string; logIndex: string }
const at = (index: number) => `0x${index.toString(16)}`
const usedBy = (index: number, by = nonce): ChainLog => ({
  ...{ topics: [USED, word(payer), by], data: '0x', logIndex: at(index) },
})
const moved = (index: number, to: string, amount: number, from = word(payer)): ChainLog => ({
  ...{ topics: [TRANSFER, from, to], data: word(at(amount)), logIndex: at(index) },
})

/** A chain node whose asset has logged these entries, all in one transaction. */
function chainWith(...logged: ChainLog[]) {
  const known = logged.map((log) => ({ ...log, blockHash, transactionHash }))
  return facing({
    eth_call: word('1'),
    eth_blockNumber: '0x100000',
    eth_getLogs: (query: { blockHash?: string; topics: (string | string[])[] }) =>
      known.filter(
        (log) =>
          [undefined, log.blockHash].includes(query.blockHash) &&
          query.topics.every((topic, i) => [topic].flat().includes(log.topics[i] as string)),
      ),
  })
}

test('an authorisation that its transfer follows has paid, which takes four requests', async () => {
  const { sent, facilitator } = chainWith(usedBy(9), moved(10, payTo, 1))
  expect(await facilitator.lookUp(payment)).toEqual({ used: true, transaction: transactionHash })
  expect(sent[0]?.body.params[0].data).toBe(
    `0xe94a0102${'a'.repeat(40).padStart(64, '0')}${'b'.repeat(64)}`,
  )
  expect(sent.map(({ body }) => body.method)).toEqual([
    ...['eth_call', 'eth_blockNumber', 'eth_getLogs', 'eth_getLogs'],
  ])
})

test.each<[string, ChainLog[]]>([
  ['cancelled', [{ ...usedBy(9), topics: [CANCELED, word(payer), nonce] }]],
  ['used to pay its payer nothing', [usedBy(9), moved(10, word(payer), 0)]],
  ['used to pay somebody else', [usedBy(9), moved(10, other, 1)]],
  ['used to pay less', [usedBy(9), moved(10, payTo, 0)]],
  [
    'used for nothing beside a transfer without it',
    [moved(8, payTo, 1), usedBy(9), moved(10, word(payer), 0), moved(11, payTo, 1)],
  ],
  [
    'used for nothing beside one that pays',
    [usedBy(6, word('1')), moved(7, payTo, 1), usedBy(9), moved(10, word(payer), 0)],
  ],
])('an authorisation that was %s has not paid, and cannot any more', async (_, logged) => {
  const { facilitator } = chainWith(...logged)
  expect(await facilitator.lookUp(payment)).toEqual({ used: false, isVoid: true })
})

test('an authorisation that the contract does not know has not paid yet', async () => {
  const { facilitator } = facing({ eth_call: word('0') })
  expect(await facilitator.lookUp(payment)).toEqual({ used: false })
})

const used = { ...usedBy(9), blockHash, transactionHash }
const follows = { ...moved(10, payTo, 1), blockHash, transactionHash }

test.each<[string, unknown, unknown]>([
  ['no log of the use', [], []],
  ['a use without its place', [{ ...used, logIndex: undefined }], [follows]],
  ['no transfer', [used], []],
  ['a transfer that does not follow', [used], [{ ...follows, logIndex: at(11) }]],
  ['a transfer of another transaction', [used], [{ ...follows, transactionHash: word('8') }]],
  ['a transfer to nobody', [used], [{ ...follows, topics: follows.topics.slice(0, 2) }]],
  ['a transfer of another payer', [used], [{ ...follows, topics: [TRANSFER, other, payTo] }]],
  ['a transfer without an amount', [used], [{ ...follows, data: '0x' }]],
  ['an approval', [used], [{ ...follows, topics: [word('1'), word(payer), payTo] }]],
  ['nothing about the block', [used], null],
])('a node that answers %s leaves it unknown', async (_, uses, transfers) => {
  const { facilitator } = facing({
    eth_call: word('1'),
    eth_blockNumber: '0x100000',
    eth_getLogs: (query: object) => ('blockHash' in query ? transfers : uses),
  })
  await expect(facilitator.lookUp(payment)).rejects.toThrow()
})

test.each(['', '0x', null])(
  'a node that answers %j for the state leaves it unknown',
  async (no) => {
    const { facilitator } = facing({ eth_call: no })
    await expect(facilitator.lookUp(payment)).rejects.toThrow()
  },
)

test.each([
  [{ NODE_ENV: 'production', X402_FACILITATOR: 'local' }, 'must not be local in production'],
  [{ X402_FACILITATOR: 'https://f.example' }, 'X402_PAY_TO: must be given'],
  [{ X402_FACILITATOR: 'https://f.example', X402_NETWORK: 'eip155:1' }, 'has no known asset'],
  [{ NODE_ENV: 'production', X402_FACILITATOR: 'http://f.example' }, 'must be https'],
  [{ X402_RATES: 'IDR=0' }, 'must be a decimal above 0'],
])('the settings %o are refused at startup', (env, message) => {
  expect(() => readConfig(env)).toThrow(message)
})
