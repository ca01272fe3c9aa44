import { randomBytes } from 'node:crypto'
import type { Facilitator, PaymentPayload } from '../../../src/x402/rules/facilitator.ts'
import type { Random } from '../random.ts'

/** The places where a process dies in a run, as if killed there. */
export const deaths = [
  'api, before the request is stored',
  'api, after the request is stored',
  'api, before it answers',
  'worker, before the slot is held',
  'worker, after the slot is held',
  'worker, after settling is written down',
  'facilitator, before the money moves',
  'facilitator, after the money has moved',
  'worker, before the outcome is stored',
  'worker, after the outcome is stored',
  'worker, after the confirmation',
] as const
export type Death = (typeof deaths)[number]

/** Ends a process in the middle of its work. */
export class Died extends Error {}

/** A facilitator and a chain on which an authorisation moves money only once, as with EIP-3009. */
export type Chain = {
  facilitator: Facilitator
  /** how often each authorisation moved money, by its nonce */
  moved: ReadonlyMap<string, number>
  /** attempts whose outcome the caller could not know */
  unknown: () => number
}

type Trouble = {
  random: Random
  /** how many attempts in a hundred fail */
  percent: number
  /** called at the places where a process may die */
  at(death: Death): void
}

/** Creates a chain with every kind of failure that leaves its caller without an answer. */
export function createChain({ random, percent, at }: Trouble): Chain {
  const transactions = new Map<string, string>()
  const moved = new Map<string, number>()
  let unknown = 0
  const goesWrong = () => random.below(100) < percent
  const nonceOf = ({ payload }: PaymentPayload) => payload.authorization.nonce

  function move(payment: PaymentPayload): string {
    const nonce = nonceOf(payment)
    if (transactions.has(nonce)) throw new Error('the authorization is used')
    const transaction = `0x${randomBytes(32).toString('hex')}`
    transactions.set(nonce, transaction)
    moved.set(nonce, (moved.get(nonce) ?? 0) + 1)
    return transaction
  }

  const none = (reason: string) => {
    unknown += 1
    return { result: 'none', reason } as const
  }

  return {
    moved,
    unknown: () => unknown,
    facilitator: {
      async verify() {
        return undefined
      },
      async settle(payment) {
        at('worker, after settling is written down')
        at('facilitator, before the money moves')
        if (goesWrong()) return none('it was not reached')
        try {
          const transaction = move(payment)
          at('facilitator, after the money has moved')
          if (goesWrong()) return none('its answer was lost')
          return { result: 'success', transaction }
        } catch (error) {
          if (error instanceof Died) throw error
          return none('invalid_transaction_state')
        }
      },
      async lookUp(payment) {
        at('worker, before the outcome is stored')
        if (goesWrong()) throw new Error('the node did not answer')
        const transaction = transactions.get(nonceOf(payment))
        return transaction ? { used: true, transaction } : { used: false }
      },
    },
  }
}
