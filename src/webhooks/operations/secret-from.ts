import type { Context } from '../../contract/operation.ts'
import { invalidRequest } from '../../contract/rules/errors.ts'

/**
 * The caller's signing secret, or a new one. Throws `invalid_request`, which does not repeat the
 * secret.
 */
export function secretFrom({ egress }: Context, given: string | undefined): string {
  if (given === undefined) return egress.newSecret()
  if (egress.isSecret(given)) return given
  const detail = 'expected `whsec_` and 24 to 64 bytes in base64'
  throw invalidRequest([{ pointer: '/secret', detail }])
}
