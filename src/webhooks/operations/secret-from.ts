import type { Context } from '../../contract/define.ts'
import { invalidRequest } from '../../contract/rules/invalid-request.ts'

/** The signing secret that was brought, or a new one; throws `invalid_request`, which does not repeat what was brought. */
export function secretFrom({ egress }: Context, brought: string | undefined): string {
  if (brought === undefined) return egress.newSecret()
  if (egress.isSecret(brought)) return brought
  const detail = 'expected `whsec_` and 24 to 64 bytes in base64'
  throw invalidRequest([{ pointer: '/secret', detail }])
}
