import type { FastifyRequest } from 'fastify'
import { refuse } from '../../base/errors.ts'
import { type Html, html } from '../page/html.ts'

/** The notice on every page of a suspended account: the reason and the consequences. */
export function suspendedNotice({ developer }: FastifyRequest): Html {
  if (!developer?.suspended_reason) return html``
  const { account_id, suspended_reason: reason } = developer
  return html`<section class="notice bad" aria-label="Account suspended">
<p><strong>This account is suspended.</strong> Reason: ${reason}</p>
<p>API keys are refused and nothing can be changed here. Bookings continue and events are delivered.
Contact the operator of this network and give your account id: <code>${account_id}</code></p>
</section>`
}

/** A suspended account is read-only, but its members can switch to another of their accounts. */
export function refuseSuspendedForm({ routeOptions, developer }: FastifyRequest): void {
  if (!developer?.suspended_reason || routeOptions.url === '/dashboard/accounts') return
  const { account_id, suspended_reason: reason } = developer
  throw refuse('account_suspended', undefined, { account_id, reason })
}
