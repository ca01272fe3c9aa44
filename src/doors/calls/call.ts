import type { FastifyRequest } from 'fastify'
import type { DoorName, Tier } from '../../contract/operation.ts'
import type { NetworkOperation } from '../../network.ts'
import type { UnderstoodFields } from './lenient-input.ts'

/** A call as read by its door. */
export type DoorCall = {
  door: DoorName
  request: FastifyRequest
  /** undefined if the caller named no existing one */
  operation: NetworkOperation | undefined
  /** overrides the operation's tier */
  tier?: Tier
  /** the called intent or tool; REST has a route */
  target?: string | null
  /** the HTTP status of a success, if not always 200 */
  statusOf?(output: Record<string, unknown>): number
  /** The x402 payment that the call carries, if any; throws `payment_malformed`. */
  payment?: () => unknown
  /** the resource that a payment is for, unless it is the REST route */
  resource?: string
  /** The parsed input, read after key and quota; throws the refusal of invalid input. */
  read(): { input: Record<string, unknown>; from?: string | null; understood?: UnderstoodFields }
}

export const nameOf = ({ operation }: DoorCall) => operation?.name ?? 'unknown'
