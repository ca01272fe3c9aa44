import type { FastifyRequest } from 'fastify'
import type { DoorName, Tier } from '../../contract/operation.ts'
import type { NetworkOperation } from '../../network.ts'
import type { UnderstoodFields } from './lenient-input.ts'

/** A call as its door read it. */
export type DoorCall = {
  door: DoorName
  request: FastifyRequest
  /** undefined if the caller named none that exists */
  operation: NetworkOperation | undefined
  /** overrides the operation's tier */
  tier?: Tier
  /** the intent or the tool that was called; at REST the route says it */
  target?: string | null
  /** the HTTP status of a good answer, if not always 200 */
  statusOf?(output: Record<string, unknown>): number
  /** The x402 payment that the call carries, if any; throws `payment_malformed`. */
  payment?: () => unknown
  /** what a payment for the call is for, unless that is its REST route */
  resource?: string
  /** The parsed input, read after key and quota; throws the refusal of invalid input. */
  read(): { input: Record<string, unknown>; from?: string | null; understood?: UnderstoodFields }
}

export const nameOf = ({ operation }: DoorCall) => operation?.name ?? 'unknown'
