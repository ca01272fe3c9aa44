import type { FastifyInstance } from 'fastify'
import { type NetworkStatus, readNetworkStatus } from '../../../agents/operations/network-status.ts'
import type { DoorDeps } from '../../run-operation.ts'
import { HTML, JSON_TYPE, preferred } from '../../send-document.ts'
import { badge, table } from '../components.ts'
import { html } from '../html.ts'
import { publicPage, sendPage } from '../page.ts'

const FRESH_MS = 5_000

const words: Record<NetworkStatus['state'], string> = {
  up: 'All systems operational',
  degraded: 'Degraded performance',
  down: 'Partial outage',
  unknown: 'Status unknown',
}
const tones = { up: 'good', degraded: 'wait', down: 'bad', unknown: 'wait' } as const

/** `/status`: the state of each part, at most 5 s old, as a page or JSON; always answers 200. */
export async function statusPage(
  scope: FastifyInstance,
  { services, statusDb, publicUrl }: DoorDeps,
) {
  let found: Promise<NetworkStatus> | undefined
  let foundAt = 0
  scope.get('/status', async (request, reply) => {
    if (!found || Date.now() - foundAt > FRESH_MS) {
      foundAt = Date.now()
      found = readNetworkStatus({ db: statusDb, engine: services.engine }, new Date())
    }
    const status = await found
    reply.header('vary', 'accept')
    if (preferred(request, [HTML, JSON_TYPE]) === HTML) {
      const about = { canonical: `${publicUrl}/status`, request }
      return sendPage(reply.header('refresh', '30'), publicPage('Status', view(status), about))
    }
    const { state, asOf, parts } = status
    return reply.header('cache-control', 'no-store').send({ status: state, as_of: asOf, parts })
  })
}

const view = ({ state, asOf, parts }: NetworkStatus) => html`
<h1>Status</h1>
<p>${badge(words[state], tones[state])}</p>
${table(
  ['Component', 'Status', 'Details'],
  parts.map(({ name, state: one, detail }) => [name, badge(one, tones[one]), detail]),
)}
<p class="quiet">Checked at
<time datetime="${asOf}">${asOf.slice(0, 19).replace('T', ' ')} UTC</time>. Refreshes every 30 s.
Send <code>Accept: application/json</code> for JSON.
Probes use <a href="/readyz"><code>/readyz</code></a>.</p>`
