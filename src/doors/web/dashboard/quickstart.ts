import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hasCalled } from '../../../operations/first-call.ts'
import { listVenues } from '../../../operations/list-venues.ts'
import { type Html, html } from '../html.ts'
import { codeTabs, copyable } from '../parts.ts'
import type { DashboardDeps } from './dashboard-door.ts'
import { firstCallState } from './first-call.ts'
import { dashboardPage, sendPage } from './layout.ts'
import { firstCallSnippets } from './snippets.ts'

const NO_KEY = 'service_live_YOUR_KEY'

/** `/dashboard`: from a key to the first call. */
export async function quickstart(scope: FastifyInstance, deps: DashboardDeps) {
  scope.get('/dashboard', async (request, reply) =>
    sendPage(reply, await quickstartPage(request, deps, null)),
  )
}

/** The page with a key that has just been made in every snippet; without one they have a placeholder, as keys are not kept. */
export async function quickstartPage(
  request: FastifyRequest,
  { services, call }: Pick<DashboardDeps, 'services' | 'call'>,
  key: string | null,
): Promise<string> {
  const { publicUrl, proMonthlyUsd } = services.settings
  const { venues } = await call(request, listVenues, { category: 'restaurant', limit: 1 })
  const called = await hasCalled(services, request.keyHolder?.id ?? '')
  const [venue] = venues
  return dashboardPage(request, {
    title: 'Quickstart',
    section: 'quickstart',
    scripts: ['first-call.js'],
    body: html`
<section class="card"><h2>Your key</h2>${key ? newKey(key) : otherKey}</section>
<section class="card"><h2>The first call</h2>${venue ? snippets(publicUrl, key ?? NO_KEY, venue) : noVenue}</section>
<section class="card"><h2>Does it arrive?</h2>${firstCallState(called)}</section>
<section class="card"><h2>From there</h2>${next(proMonthlyUsd)}</section>`,
  })
}

const newKey = (key: string): Html => html`
<p>${copyable(key)}</p>
<p><strong>Copy it now: it is shown this once.</strong> Only its hash is kept here. It is in every snippet below.</p>`

const otherKey = html`
<p>Keys are kept as hashes only, so that the snippets have <code>${NO_KEY}</code> where yours belongs. You have lost it? <a href="/dashboard/keys">Make another one</a>.</p>`

type Venue = { slug: string; name: string; area: string }

const snippets = (publicUrl: string, key: string, { slug, name, area }: Venue): Html => html`
<p>What ${name} (${area}) has free for two today, by each door:</p>
${codeTabs(firstCallSnippets(publicUrl, key, slug))}`

const noVenue = html`
<p>This network has no restaurant yet, so there is nothing to ask for. Look at the <a href="/reference/">API reference</a> meanwhile.</p>`

const next = (proMonthlyUsd: number): Html => html`
<ul>
<li><a href="/dashboard/plan">Move to pro</a> to book: ${proMonthlyUsd} USD a month, at once and back at any time.</li>
<li><a href="/dashboard/webhooks">Add an endpoint</a> to be told what becomes of bookings.</li>
<li><a href="/dashboard/agents">Register an agent</a> to be found by others.</li>
<li>Every operation is in the <a href="/reference/">API reference</a>, every refusal in the <a href="/errors">list of errors</a>.</li>
</ul>`
