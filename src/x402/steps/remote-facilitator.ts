import type { z } from 'zod'
import type { Outbound } from '../../platform/http/client.ts'
import type { Facilitator, PaymentPayload } from '../rules/facilitator.ts'
import { isRefusal } from '../rules/settlement.ts'
import { settleResponse, verifyResponse } from '../schema.ts'
import { lookUpOnChain } from './look-up-on-chain.ts'

type Remote = {
  url: string
  /** a node of the chain, for lookups that the facilitator does not offer */
  rpcUrl: string
  apiKey?: string | undefined
  outbound: Pick<Outbound, 'send'>
}

const VERIFY_MS = 10_000
const SETTLE_MS = 45_000
const MAX_ANSWER = 64 * 1024

/** A facilitator that uses x402 over HTTP, reached through the network's own client. */
export function createRemoteFacilitator({ url, rpcUrl, apiKey, outbound }: Remote): Facilitator {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  }
  /** x402 section 7: `POST /verify` and `POST /settle` take the same body. */
  async function ask<S extends z.ZodType>(
    schema: S,
    path: string,
    payment: PaymentPayload,
    deadlineMs: number,
  ): Promise<z.output<S>> {
    const body = {
      x402Version: payment.x402Version,
      paymentPayload: payment,
      paymentRequirements: payment.accepted,
    }
    const answer = await outbound.send({
      method: 'POST',
      url: `${url.replace(/\/+$/, '')}${path}`,
      headers,
      body: JSON.stringify(body),
      maxBodyBytes: MAX_ANSWER,
      deadlineMs,
    })
    // A refusal can have any status; its reason is in the body.
    const result = schema.safeParse(parse(answer.body))
    if (result.success) return result.data
    throw new Error(`the facilitator answered ${answer.status} to ${path}`)
  }
  return {
    async verify(payment) {
      const { isValid, invalidReason } = await ask(verifyResponse, '/verify', payment, VERIFY_MS)
      return isValid ? undefined : (invalidReason ?? 'invalid_payment')
    },
    async settle(payment) {
      try {
        const answer = await ask(settleResponse, '/settle', payment, SETTLE_MS)
        const { success, transaction, errorReason: reason = 'unexpected_settle_error' } = answer
        if (success) return { result: 'success', transaction }
        return { result: isRefusal(reason) ? 'refused' : 'none', reason }
      } catch (error) {
        return { result: 'none', reason: (error as Error).message }
      }
    },
    lookUp: (payment) => lookUpOnChain({ rpcUrl, outbound }, payment, new Date()),
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
