import type { FastifyInstance } from 'fastify'
import { type NetworkStatus, readNetworkStatus } from '../../agents/operations/network-status.ts'
import {
  type PromiseRecord,
  RECORD_DAYS,
  readPromiseRecord,
} from '../../agents/operations/promise-record.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { HTML, JSON_TYPE, preferred } from '../../doors/http/send-document.ts'
import { badge, figure, grouped, table } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { publicPage, sendPage } from '../page/page.ts'

const FRESH_MS = 5_000
/** The guarantee's figures are computed from thousands of rows. */
const RECORD_FRESH_MS = 60_000
/** A busy database delays only these figures, never the state of the parts. */
const RECORD_WAIT_MS = 2_000

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
  const status = fresh(FRESH_MS, () =>
    readNetworkStatus({ db: statusDb, engine: services.engine }, new Date()),
  )
  const record = fresh(RECORD_FRESH_MS, () =>
    readPromiseRecord(statusDb, new Date()).catch(() => null),
  )
  scope.get('/status', async (request, reply) => {
    const [network, promises] = await Promise.all([status(), within(RECORD_WAIT_MS, record())])
    reply.header('vary', 'accept')
    if (preferred(request, [HTML, JSON_TYPE]) === HTML) {
      const about = { canonical: `${publicUrl}/status`, request }
      const body = html`${statusView(network)}${guaranteeView(promises)}`
      return sendPage(reply.header('refresh', '30'), publicPage('Status', body, about))
    }
    const { state, asOf, parts } = network
    const guarantee = promises && { days: RECORD_DAYS, promises }
    return reply
      .header('cache-control', 'no-store')
      .send({ status: state, as_of: asOf, parts, guarantee })
  })
}

/** Caches the result for `ms`. */
function fresh<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | undefined
  let cachedAt = 0
  return () => {
    if (!cached || Date.now() - cachedAt > ms) {
      cachedAt = Date.now()
      cached = read()
    }
    return cached
  }
}

async function within<T>(ms: number, reading: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), ms)
  const result = await Promise.race([reading, late.promise])
  clearTimeout(timer)
  return result
}

const statusView = ({ state, asOf, parts }: NetworkStatus): Html => html`
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

const guaranteeView = (record: PromiseRecord | null): Html => html`
<h2 id="guarantee">Guarantee</h2>
<p>What we promise for each booking (<a href="/docs/guarantees">Guarantees</a>), and how often we
kept it: the latest 5,000 of each, from the last ${RECORD_DAYS} days.</p>
${
  record
    ? table(
        ['Promise', '95 % within', 'Made', 'Kept', 'Broken'],
        record.map(({ title, text, p95_ms, made, kept, broken }) => [
          html`<strong>${title}</strong><br>${text}`,
          figure(p95_ms === null ? '–' : secondsText(p95_ms)),
          ...[made, kept, broken].map((count) => figure(grouped(count))),
        ]),
      )
    : html`<p class="quiet">The figures are not available right now.</p>`
}`

const secondsText = (ms: number) => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`)
