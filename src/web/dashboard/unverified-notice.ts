import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { NetworkServices } from '../../network.ts'
import { type Html, html } from '../page/html.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** the network sends email, and the developer has not verified their address */
    canVerify?: boolean
  }
}

/** Loads the data for `unverifiedNotice` on every page in the scope. */
export function noteUnverified(
  scope: FastifyInstance,
  { settings }: Pick<NetworkServices, 'settings'>,
): void {
  scope.addHook('onRequest', async (request) => {
    request.canVerify = settings.sendsMail && request.developer?.is_verified === false
  })
}

/** A reminder to verify the address; the overview and account pages have their own. */
export function unverifiedNotice({ canVerify, routeOptions }: FastifyRequest): Html {
  if (!canVerify || /^\/dashboard(?:\/account\b.*)?$/.test(routeOptions.url ?? '')) return html``
  return html`<p class="notice"><a href="/dashboard/account">Verify your email address</a>. Until
you do, a password reset revokes your keys, removes your agents and disables your endpoints.</p>`
}
