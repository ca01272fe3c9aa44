import type { RefusalData } from '../../base/errors.ts'
import type { DoorName } from '../../contract/operation.ts'
import { catalogue } from '../../network.ts'

/** The calls at each door that need no key. */
export const withoutKey = {
  rest: catalogue.flatMap(({ operation, rest }) =>
    (rest.tier ?? operation.tier) === 'open' ? [rest.route] : [],
  ),
  a2a: catalogue.flatMap(({ operation, a2a }) => (operation.tier === 'open' ? [a2a] : [])),
  mcp: catalogue.flatMap(({ mcp }) => (mcp?.keyless ? [mcp.tool] : [])),
} as const

/** A refusal for lack of a key or payment, with the calls at this door that work without them. */
export function withOpenCalls(refusal: RefusalData, door: DoorName, signUp: string): RefusalData {
  const isUnpaid = refusal.code === 'payment_required'
  if (!isUnpaid && refusal.code !== 'unauthenticated') return refusal
  const without_key = door in withoutKey ? withoutKey[door as keyof typeof withoutKey] : undefined
  const facts = { ...refusal.facts, sign_up: signUp, ...(without_key && { without_key }) }
  return { ...refusal, facts }
}
