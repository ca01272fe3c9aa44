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
    /** endpoints of the signed-in account that fail or were disabled by the network */
    endpointTroubles?: readonly EndpointTrouble[]
  }
}

/** Reads the data of `troubleNotice`, for every page of the scope. */
export function readTroubles(scope: FastifyInstance, services: Pick<NetworkServices, 'db'>): void {
  scope.addHook('preHandler', async (request) => {
    const accountId = request.keyHolder?.id
    if (request.method !== 'GET' || !request.developer || accountId === undefined) return
    request.endpointTroubles = await readEndpointTroubles(services, accountId)
  })
}

/** A notice on every page that endpoints need attention, except on the endpoint's own pages. */
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
