import type { FastifyRequest } from 'fastify'
import type { DoorName, Tier } from '../../contract/operation.ts'
import type { NetworkOperation } from '../../network.ts'
import type { UnderstoodFields } from './lenient-input.ts'

/** A call as its door has read it. */
export type DoorCall = {
  door: DoorName
  request: FastifyRequest
  /** undefined if the caller named an operation that does not exist */
  operation: NetworkOperation | undefined
  /** overrides the operation's tier */
  tier?: Tier
  /** the intent or tool called; null at REST, which has routes */
  target?: string | null
  /** The HTTP status of a success, if not always 200. */
  statusOf?(output: Record<string, unknown>): number
  /** The longest answer; a page of a list that exceeds it is read again with a smaller `limit`. */
  maxChars?: number
  /** The x402 payment sent with the call, if any; throws `payment_malformed`. */
  payment?: () => unknown
  /** the resource that the payment is for, unless it is the REST route */
  resource?: string
  /** Reads and parses the input, after key and quota checks; throws if the input is invalid. */
  read(): { input: Record<string, unknown>; from?: string | null; understood?: UnderstoodFields }
}

export const nameOf = ({ operation }: DoorCall) => operation?.name ?? 'unknown'
