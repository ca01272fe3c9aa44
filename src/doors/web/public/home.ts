import type { FastifyInstance } from 'fastify'
import { catalogue } from '../../../catalogue.ts'
import type { Capability } from '../../../contract/capability.ts'
import { networkProfile } from '../../../contract/rules/network.ts'
import { type NetworkSize, readNetworkSize } from '../../../venues/operations/public-areas.ts'
import type { DoorDeps } from '../../run-operation.ts'
import { HTML, MARKDOWN, preferred, sendDocument } from '../../send-document.ts'
import { table } from '../components.ts'
import { html } from '../html.ts'
import { publicPage } from '../page.ts'
import { jsonLd } from './json-ld.ts'

const links = [
  '</.well-known/api-catalog>; rel="api-catalog"',
  '</openapi.json>; rel="service-desc"',
  '</docs>; rel="service-doc"',
  '</llms.txt>; rel="describedby"; type="text/plain"',
  '</sitemap.xml>; rel="sitemap"',
].join(', ')
const title = 'Venues that agents can book'

/** `/`: what this is, its size, the address of every door, and links to everything else. */
export async function home(scope: FastifyInstance, { services, publicUrl }: DoorDeps) {
  const { name, description } = networkProfile
  const urlTemplate = `${publicUrl}/venues?q={search_term_string}`
  const about = {
    canonical: `${publicUrl}/`,
    markdown: '/llms.txt',
    head: jsonLd({
      '@type': 'WebSite',
      url: `${publicUrl}/`,
      name,
      description,
      potentialAction: {
        '@type': 'SearchAction',
        target: { '@type': 'EntryPoint', urlTemplate },
        'query-input': 'required name=search_term_string',
      },
    }),
  }
  scope.get('/', async (request, reply) => {
    reply.header('link', links).header('vary', 'accept')
    if (preferred(request, [HTML, MARKDOWN]) === MARKDOWN) return reply.redirect('/llms.txt', 303)
    // The home page works without the database; the status page reports the outage.
    const size = await readNetworkSize(services).catch(() => null)
    return sendDocument(reply, HTML, publicPage(title, view(publicUrl, size), about))
  })
}

const view = (publicUrl: string, size: NetworkSize | null) => html`
<h1>${title}</h1>
<p>${networkProfile.description}</p>
${size && sizeLine(size)}
<form class="search" role="search" action="/venues">
<p class="field"><label for="q">Find a venue</label><input id="q" name="q" type="search"
maxlength="150" placeholder="spa in Ubud for 2 tomorrow at 3 pm"></p><button>Search</button></form>
<p><a href="/sign-up">Get an API key</a> · <a href="/docs">Documentation</a> ·
<a href="/venues">All venues, with a map</a> · <a href="/status">Status</a></p>

<h2>Ways to connect</h2>
<ul class="list">
  <li><span class="tag">agents</span><strong>A2A</strong>
    <p><code>POST ${publicUrl}/a2a/v1</code></p></li>
  <li><span class="tag">LLM clients</span><strong>MCP</strong>
    <p><code>${publicUrl}/mcp</code>, or <code>${publicUrl}/mcp/sse</code> for clients that
    speak only HTTP+SSE</p></li>
  <li><span class="tag">applications</span><strong>REST</strong>
    <p><code>${publicUrl}/api</code>, described in the <a href="/reference/">reference</a> and in
    <a href="/openapi.json"><code>openapi.json</code></a></p></li>
  <li><span class="tag">discovery</span><strong>For agents and crawlers</strong>
    <p><a href="${networkProfile.cardPath}">Agent Card</a> ·
    <a href="/.well-known/api-catalog">API catalog</a> ·
    <a href="/llms.txt"><code>llms.txt</code></a> ·
    <a href="/llms-full.txt"><code>llms-full.txt</code></a> · <a href="/sitemap.xml">sitemap</a> ·
    <a href="/errors">errors and what to do about them</a></p></li>
</ul>

<h2>Try it</h2>
<pre tabindex="0">curl "${publicUrl}/api/venues?limit=3"</pre>
<p class="quiet">No key needed for this one. Other calls need
<code>Authorization: Bearer &lt;API_KEY&gt;</code>.</p>

<h2>Operations</h2>
${groups}`

const count = (value: number) => html`<strong>${value.toLocaleString('en')}</strong>`

const sizeLine = ({ venues, areas, countries }: NetworkSize) => html`
<p class="size">${count(venues)} venues in ${count(areas)} areas of
${count(countries)} ${countries === 1 ? 'country' : 'countries'}</p>`

/** Subjects of operations by their resource at REST; all others are about the account. */
const subjects = {
  Venues: ['venues'],
  Bookings: ['bookings', 'holds', 'itineraries', 'watches'],
  Webhooks: ['webhooks', 'events', 'deliveries', 'replays'],
  Agents: ['agents', 'feed'],
}

const subjectOf = ({ rest }: Capability): string => {
  const [, , resource = ''] = rest.route.split('/')
  const found = Object.entries(subjects).find(([, resources]) => resources.includes(resource))
  return found?.[0] ?? 'Account'
}

const groups = [...Object.keys(subjects), 'Account'].map((subject) => {
  const capabilities = catalogue.filter((one) => subjectOf(one) === subject)
  const rows = capabilities.map(({ operation, rest, a2a, mcp }) => [
    operation.summary,
    rest.tier ?? operation.tier,
    html`<code>${rest.route}</code>`,
    html`<code>${a2a}</code>`,
    mcp ? html`<code>${mcp.tool}</code>` : '',
  ])
  const head = ['What it does', 'Tier', 'REST', 'A2A intent', 'MCP tool']
  return html`
<details><summary>${subject} <span class="quiet">${capabilities.length}</span></summary>
${table(head, rows, `Operations: ${subject}`)}</details>`
})
