import type { FastifyInstance } from 'fastify'
import { networkProfile } from '../../model/network.ts'
import type { Capability } from '../../operations/capability.ts'
import { catalogue } from '../../operations/catalog.ts'
import { html } from './html.ts'
import { page } from './page.ts'

/** `/`: what this is and the address of every door. */
export async function home(scope: FastifyInstance, { publicUrl }: { publicUrl: string }) {
  const document = page(networkProfile.name, view(publicUrl))
  scope.get('/', async (_, reply) => reply.type('text/html; charset=utf-8').send(document))
}

const view = (publicUrl: string) => html`
<h1>Venues that agents can book</h1>
<p>${networkProfile.description}</p>

<h2>Doors</h2>
<ul class="list">
  <li><span class="tag">agents</span><strong>A2A</strong><p><code>POST ${publicUrl}/a2a/v1</code></p></li>
  <li><span class="tag">LLM clients</span><strong>MCP</strong><p><code>${publicUrl}/mcp/sse</code></p></li>
  <li><span class="tag">applications</span><strong>REST</strong><p><code>${publicUrl}/api</code>, described in the <a href="/reference/">reference</a> and in <a href="/openapi.json"><code>openapi.json</code></a></p></li>
  <li><span class="tag">discovery</span><strong>Agent Card</strong><p><a href="${networkProfile.cardPath}"><code>${networkProfile.cardPath}</code></a></p></li>
</ul>

<h2>Try it</h2>
<pre>curl "${publicUrl}/api/venues?limit=3"</pre>
<p class="quiet">That one is open. The others need <code>Authorization: Bearer &lt;API_KEY&gt;</code>.</p>

<h2>Operations</h2>
<div class="scroll"><table>
<thead><tr><th>What it does</th><th>Tier</th><th>REST</th><th>A2A intent</th><th>MCP tool</th></tr></thead>
<tbody>${catalogue.map(row)}</tbody>
</table></div>

<h2>State</h2>
<p><a href="/readyz">Ready?</a> · <a href="/metrics">Metrics</a> · <a href="/errors">Every error and what to do about it</a></p>`

const row = ({ operation, rest, a2a, mcp }: Capability) => html`
<tr><td>${operation.summary}</td><td>${rest.tier ?? operation.tier}</td><td><code>${rest.route}</code></td><td><code>${a2a}</code></td><td>${mcp ? html`<code>${mcp.tool}</code>` : ''}</td></tr>`
