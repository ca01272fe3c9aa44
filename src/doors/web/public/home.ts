import type { FastifyInstance } from 'fastify'
import { catalogue } from '../../../catalogue.ts'
import type { Capability } from '../../../contract/capability.ts'
import type { Services } from '../../../contract/operation.ts'
import { networkProfile } from '../../../contract/rules/network.ts'
import { type NetworkSize, readNetworkSize } from '../../../venues/operations/public-areas.ts'
import { table } from '../components/table.ts'
import { html } from '../html.ts'
import { publicPage } from '../page.ts'
import { jsonLd } from './json-ld.ts'
import { preferred } from './negotiate.ts'
import { HTML, MARKDOWN, sendDocument } from './send-document.ts'

type HomeDeps = { services: Services; publicUrl: string }

/** `/`: what this is, how much there is, the address of every door, and where everything else begins. */
export async function home(scope: FastifyInstance, { services, publicUrl }: HomeDeps) {
  const links = [
    '</.well-known/api-catalog>; rel="api-catalog"',
    '</openapi.json>; rel="service-desc"',
    '</docs>; rel="service-doc"',
    '</llms.txt>; rel="describedby"; type="text/plain"',
    '</sitemap.xml>; rel="sitemap"',
  ].join(', ')
  const about = {
    canonical: `${publicUrl}/`,
    markdown: '/llms.txt',
    head: jsonLd({
      '@type': 'WebSite',
      url: `${publicUrl}/`,
      name: networkProfile.name,
      description: networkProfile.description,
      potentialAction: {
        '@type': 'SearchAction',
        target: {
          '@type': 'EntryPoint',
          urlTemplate: `${publicUrl}/venues?q={search_term_string}`,
        },
        'query-input': 'required name=search_term_string',
      },
    }),
  }
  scope.get('/', async (request, reply) => {
    reply.header('link', links).header('vary', 'accept')
    if (preferred(request, [HTML, MARKDOWN]) === MARKDOWN) return reply.redirect('/llms.txt', 303)
    // The first page stays when the database is away; the status page says that it is.
    const size = await readNetworkSize(services).catch(() => null)
    const body = publicPage('Venues that agents can book', view(publicUrl, size), about)
    return sendDocument(request, reply, { type: HTML, body })
  })
}

const view = (publicUrl: string, size: NetworkSize | null) => html`
<h1>Venues that agents can book</h1>
<p>${networkProfile.description}</p>
${size ? html`<p class="size"><strong>${count(size.venues)}</strong> venues in <strong>${count(size.areas)}</strong> areas of <strong>${count(size.countries)}</strong> ${size.countries === 1 ? 'country' : 'countries'}</p>` : ''}
<form class="search" role="search" action="/venues"><p class="field"><label for="q">Find a venue</label><input id="q" name="q" type="search" maxlength="150" placeholder="spa in Ubud for 2 tomorrow at 3 pm"></p><button>Search</button></form>
<p><a href="/sign-up">Get an API key</a> · <a href="/docs">Documentation</a> · <a href="/venues">All venues, with a map</a> · <a href="/status">Status</a></p>

<h2>Ways to connect</h2>
<ul class="list">
  <li><span class="tag">agents</span><strong>A2A</strong><p><code>POST ${publicUrl}/a2a/v1</code></p></li>
  <li><span class="tag">LLM clients</span><strong>MCP</strong><p><code>${publicUrl}/mcp/sse</code></p></li>
  <li><span class="tag">applications</span><strong>REST</strong><p><code>${publicUrl}/api</code>, described in the <a href="/reference/">reference</a> and in <a href="/openapi.json"><code>openapi.json</code></a></p></li>
  <li><span class="tag">discovery</span><strong>For agents and crawlers</strong><p><a href="${networkProfile.cardPath}">Agent Card</a> · <a href="/.well-known/api-catalog">API catalog</a> · <a href="/llms.txt"><code>llms.txt</code></a> · <a href="/llms-full.txt"><code>llms-full.txt</code></a> · <a href="/sitemap.xml">sitemap</a> · <a href="/errors">errors and what to do about them</a></p></li>
</ul>

<h2>Try it</h2>
<pre tabindex="0">curl "${publicUrl}/api/venues?limit=3"</pre>
<p class="quiet">No key needed for this one. Other calls need <code>Authorization: Bearer &lt;API_KEY&gt;</code>.</p>

<h2>Operations</h2>
${groups.map(group)}`

const count = (value: number) => value.toLocaleString('en')

/** What operations are about, by where they are at REST; those of no other group are about the account. */
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

const groups = [...Object.keys(subjects), 'Account'].map((subject) => ({
  subject,
  capabilities: catalogue.filter((one) => subjectOf(one) === subject),
}))

const group = ({ subject, capabilities }: (typeof groups)[number]) => html`
<details><summary>${subject} <span class="quiet">${capabilities.length}</span></summary>${table(
  ['What it does', 'Tier', 'REST', 'A2A intent', 'MCP tool'],
  capabilities.map(row),
  `Operations: ${subject}`,
)}</details>`

const row = ({ operation, rest, a2a, mcp }: Capability) => [
  operation.summary,
  rest.tier ?? operation.tier,
  html`<code>${rest.route}</code>`,
  html`<code>${a2a}</code>`,
  mcp ? html`<code>${mcp.tool}</code>` : '',
]
