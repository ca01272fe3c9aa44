import type { FastifyInstance } from 'fastify'
import {
  type NetworkStatus,
  type PartState,
  readNetworkStatus,
} from '../../../agents/operations/network-status.ts'
import type { Services } from '../../../contract/operation.ts'
import type { Db } from '../../../platform/database/sql.ts'
import { badge } from '../components/badge.ts'
import { table } from '../components/table.ts'
import { html } from '../html.ts'
import { publicPage } from '../page.ts'
import { preferred } from './negotiate.ts'
import { HTML } from './send-document.ts'

const FRESH_MS = 5_000

const words: Record<PartState, string> = {
  up: 'All systems operational',
  degraded: 'Degraded performance',
  down: 'Partial outage',
  unknown: 'Status unknown',
}
const tones = { up: 'good', degraded: 'wait', down: 'bad', unknown: 'wait' } as const

type StatusDeps = { services: Services; probe: Db; publicUrl: string }

/** `/status`: how each part was found, at most 5 s ago; as JSON to whoever accepts that rather. It answers 200 whatever it found. */
export async function statusPage(
  scope: FastifyInstance,
  { services, probe, publicUrl }: StatusDeps,
) {
  let found: Promise<NetworkStatus> | undefined
  let foundAt = 0
  const status = () => {
    if (!found || Date.now() - foundAt > FRESH_MS) {
      foundAt = Date.now()
      found = readNetworkStatus({ db: probe, engine: services.engine }, new Date())
    }
    return found
  }
  scope.get('/status', async (request, reply) => {
    const now = await status()
    reply.header('cache-control', 'no-store').header('vary', 'accept')
    if (preferred(request, [HTML, 'application/json']) !== HTML) {
      const { state, asOf, parts } = now
      return reply.send({ status: state, as_of: asOf, parts })
    }
    reply.header('refresh', '30').type(`${HTML}; charset=utf-8`)
    return publicPage('Status', view(now), { canonical: `${publicUrl}/status` })
  })
}

const view = ({ state, asOf, parts }: NetworkStatus) => html`
<h1>Status</h1>
<p>${badge(words[state], tones[state])}</p>
${table(
  ['Component', 'Status', 'Details'],
  parts.map(({ name, state: one, detail }) => [name, badge(one, tones[one]), detail]),
)}
<p class="quiet">Checked at <time datetime="${asOf}">${asOf.slice(0, 19).replace('T', ' ')} UTC</time>. Refreshes every 30 s. Send <code>Accept: application/json</code> for JSON. Probes use <a href="/readyz"><code>/readyz</code></a>.</p>`
