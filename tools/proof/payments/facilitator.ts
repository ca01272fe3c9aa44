import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import { readRunConfig } from '../../../src/config/config.ts'
import { x402TermsOf } from '../../../src/config/x402-variables.ts'
import { createLocalFacilitator } from '../../../src/local/x402/facilitator.ts'
import { selectTransfer, selectTransferOf } from '../../../src/local/x402/ledger.ts'
import { openPool } from '../../../src/platform/database/sql.ts'
import type { PaymentPayload } from '../../../src/x402/rules/facilitator.ts'

// A facilitator over HTTP and a node of its network, as a process that can be killed. To the
// network it is like any other; the chain is the ledger of test wallets.
const config = readRunConfig()
const terms = x402TermsOf(config)
if (!terms) throw new Error('X402_FACILITATOR is not set')
const { network } = terms
const db = openPool(config.DATABASE_URL, config.DATABASE_POOL, () => {})
const facilitator = createLocalFacilitator(db, terms)

const asked = z.object({ paymentPayload: z.custom<PaymentPayload>() })
/** The JSON-RPC calls that the network makes. */
const call = z.union([
  z.object({ method: z.literal('eth_blockNumber') }),
  z.object({
    method: z.literal('eth_call'),
    params: z.tuple([z.object({ data: z.string() })], z.string()),
  }),
  z.object({
    method: z.literal('eth_getLogs'),
    params: z.tuple([
      z.union([
        z.object({ topics: z.tuple([z.unknown(), z.string(), z.string()]) }),
        z.object({ blockHash: z.string() }),
      ]),
    ]),
  }),
])

const USED_TOPIC = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const answers: Record<string, (body: unknown) => Promise<unknown>> = {
  async '/verify'(body) {
    const invalidReason = await facilitator.verify(asked.parse(body).paymentPayload)
    return { isValid: invalidReason === undefined, invalidReason }
  },
  async '/settle'(body) {
    const settled = await facilitator.settle(asked.parse(body).paymentPayload)
    if (settled.result === 'success') {
      return { success: true, transaction: settled.transaction, network }
    }
    return { success: false, transaction: '', network, errorReason: settled.reason }
  },
  async '/'(body) {
    return { jsonrpc: '2.0', id: 1, result: await onChain(call.parse(body)) }
  },
}

/** EIP-3009's record of an authorisation. Each transaction is a block, with the same hash. */
async function onChain(asking: z.output<typeof call>): Promise<unknown> {
  if (asking.method === 'eth_blockNumber') return '0x100000'
  if (asking.method === 'eth_call') {
    const { data } = asking.params[0]
    return (await transferOf(data.slice(10, 74), `0x${data.slice(74)}`)) ? '0x1' : '0x0'
  }
  const [query] = asking.params
  if ('blockHash' in query) {
    const transfer = await selectTransfer(db, query.blockHash)
    if (!transfer) throw new Error(`there is no block ${query.blockHash}`)
    const { hash, sender, recipient, amount } = transfer
    const topics = [TRANSFER_TOPIC, word(BigInt(sender)), word(BigInt(recipient))]
    return [{ ...placeOf(hash), logIndex: '0x1', topics, data: word(amount) }]
  }
  const [, payer, nonce] = query.topics
  const transfer = await transferOf(payer, nonce)
  if (!transfer) return []
  const topics = [USED_TOPIC, payer, nonce]
  return [{ ...placeOf(transfer.hash), logIndex: '0x0', topics, data: '0x' }]
}

const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const placeOf = (hash: string) => ({ transactionHash: hash, blockHash: hash })

const transferOf = (payer: string, nonce: string) =>
  selectTransferOf(db, { network, sender: `0x${payer.slice(-40)}`, nonce })

const server = createServer(async (request, response) => {
  const reply = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  try {
    const answer = answers[request.url ?? '']
    if (answer) reply(200, await answer(await json(request)))
    else reply(404, {})
  } catch (error) {
    reply(500, { error: String(error) })
  }
})
server.listen(config.PORT, '127.0.0.1')
await once(server, 'listening')
console.log('the facilitator answers')
