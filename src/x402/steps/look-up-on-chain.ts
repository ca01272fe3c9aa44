import { z } from 'zod'
import type { Outbound } from '../../platform/http/client.ts'
import type { PaymentPayload } from '../rules/facilitator.ts'
import { type Usage, usageBy } from '../rules/settlement.ts'

type Node = { rpcUrl: string; outbound: Pick<Outbound, 'send'> }

/** EIP-3009 `authorizationState(address,bytes32)`. */
const STATE_SELECTOR = '0xe94a0102'
/** EIP-3009 `AuthorizationUsed(address,bytes32)` and `AuthorizationCanceled(address,bytes32)`. */
const USED_TOPIC = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'
const CANCELED_TOPIC = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81'
/** ERC-20 `Transfer(address,address,uint256)`. */
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** Minimum seconds between two blocks. */
const BLOCK_SECONDS = 1
/** Maximum remaining lifetime of a new authorisation: constraint `x402_payment_bounded`. */
const BEFORE_SECONDS = 900

const DEADLINE_MS = 10_000
/** Room for thousands of transfers: a payer can make any number in the same block. */
const MAX_ANSWER = 4 * 1024 * 1024

const hex = z.string().regex(/^0x[0-9a-f]*$/i)
const log = z.object({
  topics: z.array(hex),
  data: hex,
  blockHash: hex,
  transactionHash: hex,
  logIndex: hex,
})
type Log = z.output<typeof log>

/**
 * Whether an authorisation has paid, judged by the state and events of the asset's contract. One
 * that was cancelled or used for another transfer can no longer pay. Throws if the node's answers
 * prove nothing.
 */
export async function lookUpOnChain(node: Node, payment: PaymentPayload, at: Date): Promise<Usage> {
  const { accepted, payload } = payment
  const payer = `0x${payload.authorization.from.slice(2).toLowerCase().padStart(64, '0')}`
  const data = `${STATE_SELECTOR}${payer.slice(2)}${payload.authorization.nonce.slice(2)}`
  const state = await call(node, hex, 'eth_call', [{ to: accepted.asset, data }, 'latest'])
  if (!BigInt(state)) return { used: false }
  const use = await findUse(node, payment, payer, at)
  if (use.topics[0] === CANCELED_TOPIC) return { used: false, isVoid: true }
  return usageBy(await findTransfer(node, accepted.asset, use), accepted)
}

const logsOf = (node: Node, query: object) => call(node, z.array(log), 'eth_getLogs', [query])

/** The event logged when an authorisation was used. */
async function findUse(
  node: Node,
  { accepted: { asset: address }, payload }: PaymentPayload,
  payer: string,
  at: Date,
): Promise<Log> {
  const { nonce, validBefore } = payload.authorization
  const latest = Number(await call(node, hex, 'eth_blockNumber', []))
  const age = at.getTime() / 1000 - (Number(validBefore) - BEFORE_SECONDS)
  const fromBlock = Math.max(0, latest - Math.ceil(Math.max(BEFORE_SECONDS, age) / BLOCK_SECONDS))
  const topics = [[USED_TOPIC, CANCELED_TOPIC], payer, nonce]
  const [use] = await logsOf(node, { address, fromBlock: `0x${fromBlock.toString(16)}`, topics })
  if (!use) throw new Error('the authorization was used, and no log says for what')
  return use
}

/** The transfer made by using an authorisation; FiatToken logs it next, in the same call. */
async function findTransfer(
  node: Node,
  address: string,
  { topics: [, payer], blockHash, transactionHash: hash, logIndex }: Log,
) {
  const transfers = await logsOf(node, { address, blockHash, topics: [TRANSFER_TOPIC, payer] })
  const transfer = transfers.find(
    (one) =>
      one.topics[0] === TRANSFER_TOPIC &&
      one.topics[1] === payer &&
      one.transactionHash === hash &&
      BigInt(one.logIndex) === BigInt(logIndex) + 1n,
  )
  const recipient = transfer?.topics[2]
  if (!recipient) throw new Error('the authorization is used, and no transfer follows')
  return { recipient, amount: transfer.data, hash }
}

/** JSON-RPC over HTTP. */
async function call<S extends z.ZodType>(
  { rpcUrl, outbound }: Node,
  schema: S,
  method: string,
  params: unknown[],
): Promise<z.output<S>> {
  const { body } = await outbound.send({
    method: 'POST',
    url: rpcUrl,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    maxBodyBytes: MAX_ANSWER,
    deadlineMs: DEADLINE_MS,
  })
  const { result } = JSON.parse(body.toString('utf8')) as { result?: unknown }
  if (result === undefined) throw new Error(`the node did not answer ${method}`)
  return schema.parse(result)
}
