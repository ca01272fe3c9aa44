import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { NetworkServices } from '../../network.ts'
import {
  type EndpointTrouble,
  readEndpointTroubles,
} from '../../webhooks/operations/read-endpoints.ts'
import { shortUrl } from '../../webhooks/rules/short-url.ts'
import { link } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** the account's endpoints that are failing or that the network has disabled */
    endpointTroubles?: readonly EndpointTrouble[]
  }
}

/** Loads the data for `troubleNotice` on every page in the scope. */
export function readTroubles(scope: FastifyInstance, services: Pick<NetworkServices, 'db'>): void {
  scope.addHook('preHandler', async (request) => {
    const accountId = request.keyHolder?.id
    if (request.method !== 'GET' || !request.developer || accountId === undefined) return
    request.endpointTroubles = await readEndpointTroubles(services, accountId)
  })
}

/** The notice that endpoints need attention; not shown on an endpoint's own pages. */
export function troubleNotice({ endpointTroubles = [], routeOptions }: FastifyRequest): Html {
  const [first] = endpointTroubles
  if (!first || routeOptions.url?.startsWith('/dashboard/webhooks/')) return html``
  const isOne = endpointTroubles.length === 1
  return html`<p class="notice bad">${
    isOne
      ? html`Your endpoint ${link(`/dashboard/webhooks/${first.id}`, shortUrl(first.url))} ${
          first.status === 'disabled' ? 'was disabled' : 'is failing'
        }.`
      : html`${endpointTroubles.length} of your endpoints are failing or were disabled.
${link('/dashboard/webhooks', 'See endpoints')}`
  }</p>`
}
