import type { KoaContextWithOIDC } from 'oidc-provider'
import { showClient } from '../../oauth/rules/clients.ts'

/** What an authorization request lacks, if there is no safe address to redirect to. */
export type Fault = { error: string; error_description?: string | undefined }
const faults = new WeakMap<object, Fault>()
export const faultOf = (raw: object) => faults.get(raw)

/** Leaves the answer to the door, which shows the fault on a page of ours. */
export function keepFault(ctx: KoaContextWithOIDC, fault: Fault): void {
  faults.set(ctx.req, fault)
  ctx.respond = false
}

/** RFC 9700, 4.11.2: before a person has answered, no link to us leads on to a stranger. */
export function keepFromStrangers(ctx: KoaContextWithOIDC): void {
  const to = URL.parse(ctx.response.get('location'))
  if (!to || ctx.oidc.entities.Interaction?.result) return
  const { client_id: clientId, redirect_uri: uri } = ctx.oidc.params ?? ctx.query
  const { isKnown, redirectUri } = showClient({ clientId: String(clientId) }, String(uri))
  if (isKnown || !/^https:/i.test(redirectUri)) return
  const [error = '', description] = ['error', 'error_description'].map((one) =>
    to.searchParams.get(one),
  )
  ctx.body = null
  ctx.remove('location')
  keepFault(ctx, { error: error ?? '', error_description: description ?? undefined })
}
