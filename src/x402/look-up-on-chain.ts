import { z } from 'zod'
import type { Outbound } from '../platform/http/client.ts'
import type { PaymentPayload } from './facilitator.ts'
import type { Usage } from './rules/settlement.ts'

type Node = { rpcUrl: string; outbound: Pick<Outbound, 'send'> }

/** EIP-3009 `authorizationState(address,bytes32)`. */
const STATE_SELECTOR = '0xe94a0102'
/** EIP-3009 `AuthorizationUsed(address,bytes32)` and `AuthorizationCanceled(address,bytes32)`. */
const USED_TOPIC = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'
const CANCELED_TOPIC = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81'
/** No block is made faster than this many seconds after another. */
const BLOCK_SECONDS = 1
/** Older than any authorisation is good for when it is first seen. */
const BEFORE_SECONDS = 900

const DEADLINE_MS = 10_000
const MAX_ANSWER = 256 * 1024

const logs = z.array(
  z.object({ topics: z.array(z.string()), transactionHash: z.string().nullable() }),
)

/**
 * Whether an authorisation has moved money, by the state and the events of the asset's contract.
 * One that its payer cancelled is used up and has moved nothing.
 */
export async function lookUpOnChain(
  node: Node,
  { accepted, payload }: PaymentPayload,
  at: Date,
): Promise<Usage> {
  const { from, nonce, validBefore } = payload.authorization
  const payer = `0x${from.slice(2).toLowerCase().padStart(64, '0')}`
  const data = `${STATE_SELECTOR}${payer.slice(2)}${nonce.slice(2)}`
  const state = await call(node, z.string(), 'eth_call', [{ to: accepted.asset, data }, 'latest'])
  if (!BigInt(state)) return { used: false }
  const latest = Number(await call(node, z.string(), 'eth_blockNumber', []))
  const age = at.getTime() / 1000 - (Number(validBefore) - BEFORE_SECONDS)
  const fromBlock = Math.max(0, latest - Math.ceil(Math.max(BEFORE_SECONDS, age) / BLOCK_SECONDS))
  const topics = [[USED_TOPIC, CANCELED_TOPIC], payer, nonce]
  const query = { address: accepted.asset, fromBlock: `0x${fromBlock.toString(16)}`, topics }
  const [log] = await call(node, logs, 'eth_getLogs', [query])
  if (log?.topics[0] === CANCELED_TOPIC) return { used: false }
  if (!log?.transactionHash) throw new Error('the authorization is used, and no log says by what')
  return { used: true, transaction: log.transactionHash }
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
