import type { FastifyInstance } from 'fastify'
import { readLastBooked } from '../../agents/operations/last-booked.ts'
import { networkProfile } from '../../base/network.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { dashboardPolicy } from '../../doors/http/content-policy.ts'
import { HTML, MARKDOWN, preferred, sendDocument } from '../../doors/http/send-document.ts'
import { readNetworkSize } from '../../venues/operations/public-areas.ts'
import { assetPath } from '../page/assets.ts'
import { html } from '../page/html.ts'
import { publicPage } from '../page/page.ts'
import { homeView, title } from './home-view.ts'
import { jsonLd } from './json-ld.ts'

const links = [
  '</.well-known/api-catalog>; rel="api-catalog"',
  '</openapi.json>; rel="service-desc"',
  '</docs>; rel="service-doc"',
  '</llms.txt>; rel="describedby"; type="text/plain"',
  '</sitemap.xml>; rel="sitemap"',
].join(', ')

const head = html`
<link rel="stylesheet" href="${assetPath('home.css')}">
<script src="${assetPath('copy-button.js')}" type="module"></script>
<script src="${assetPath('code-tabs.js')}" type="module"></script>`

/** `/`: what agents, venues and guests get, a sample booking, live figures and prices. */
export async function home(scope: FastifyInstance, { services, publicUrl }: DoorDeps) {
  const { name, description } = networkProfile
  const urlTemplate = `${publicUrl}/venues?q={search_term_string}`
  const linkedData = jsonLd({
    '@type': 'WebSite',
    url: `${publicUrl}/`,
    name,
    description,
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate },
      'query-input': 'required name=search_term_string',
    },
  })
  const about = {
    canonical: `${publicUrl}/`,
    markdown: '/llms.txt',
    head: html`${head}${linkedData}`,
  }
  // The copy buttons need scripts.
  scope.addHook('onRequest', async (_, reply) => {
    reply.header('content-security-policy', dashboardPolicy)
  })
  scope.get('/', async (request, reply) => {
    reply.header('link', links).header('vary', 'accept')
    if (preferred(request, [HTML, MARKDOWN]) === MARKDOWN) return reply.redirect('/llms.txt', 303)
    // The home page works without the database; an outage is reported on the status page.
    const at = new Date()
    const [size, booked] = await Promise.all([
      readNetworkSize(services).catch(() => null),
      readLastBooked(services, at).catch(() => []),
    ])
    const { settings, payments } = services
    const takesCards = payments !== undefined
    const view = homeView({ publicUrl, settings, takesCards, size, booked, at })
    return sendDocument(reply, HTML, publicPage(title, view, { ...about, request }))
  })
}
