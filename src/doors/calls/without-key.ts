import type { RefusalData } from '../../base/errors.ts'
import { catalogue } from '../../network.ts'
import { documentTools } from '../mcp/document-tools.ts'
import type { DoorCall } from './call.ts'

/** The calls at each door that need no key. */
export const withoutKey: Partial<Record<DoorCall['door'], readonly string[]>> & { mcp: string[] } =
  {
    rest: catalogue.flatMap(({ operation, rest }) =>
      (rest.tier ?? operation.tier) === 'open' ? [rest.route] : [],
    ),
    a2a: catalogue.flatMap(({ operation, a2a }) => (operation.tier === 'open' ? [a2a] : [])),
    mcp: [
      ...catalogue.flatMap(({ mcp }) => (mcp?.keyless ? [mcp.tool] : [])),
      ...Object.keys(documentTools),
    ],
  }

/**
 * Tells a caller without a key how a user gets one, what it must allow, and what works without. The
 * page of the plan leads back to the assistant that was refused.
 */
export function explained(
  refusal: RefusalData,
  { door, request, operation }: Pick<DoorCall, 'door' | 'request' | 'operation'>,
  publicUrl: string,
) {
  const { grant_id } = request.keyHolder ?? {}
  const { plan_url } = refusal.facts
  if (grant_id && typeof plan_url === 'string') {
    const to = `${plan_url}?assistant=${grant_id}`
    const message = refusal.message.replaceAll(plan_url, to)
    return { ...refusal, message, facts: { ...refusal.facts, plan_url: to } }
  }
  const isKeyless = request.headers.authorization === undefined
  if (!isKeyless || !['unauthenticated', 'payment_required'].includes(refusal.code)) return refusal
  const { scope } = operation ?? {}
  const needed = scope && scope !== 'keys' && { required_scope: scope }
  const open = { sign_up: `${publicUrl}/sign-up`, without_key: withoutKey[door] }
  return { ...refusal, facts: { ...refusal.facts, ...open, ...needed } }
}
