import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createKey } from '../../../../accounts/operations/create-key.ts'
import { newestCall } from '../../../../accounts/operations/newest-call.ts'
import { listVenues } from '../../../../venues/operations/list-venues.ts'
import { codeTabs, copyable } from '../../components/code.ts'
import { formId } from '../../components/form.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { given } from '../../query.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'
import { firstCallState } from './first-call.ts'
import { firstCallSnippets } from './snippets.ts'

const NO_KEY = 'service_live_YOUR_KEY'

const KEY_PATH = '/dashboard/quickstart/key'

/** `/dashboard`: from a key to the first call. */
export async function quickstart(scope: FastifyInstance, deps: DashboardDeps) {
  scope.get('/dashboard', async (request, reply) =>
    sendPage(reply, await quickstartPage(request, deps, null)),
  )

  scope.post(KEY_PATH, async (request, reply) => {
    const { form } = given(request.body, ['form'])
    const asked = { name: 'quickstart', ...(form && { idempotency_key: form }) }
    const { raw_key } = await deps.call(request, createKey, asked)
    return raw_key
      ? sendPage(reply, await quickstartPage(request, deps, raw_key))
      : reply.redirect('/dashboard', 303)
  })
}

/** The page with a key that has just been made in every snippet; without one they have a placeholder, as keys are not kept. */
export async function quickstartPage(
  request: FastifyRequest,
  { services, call }: Pick<DashboardDeps, 'services' | 'call'>,
  key: string | null,
): Promise<string> {
  const { publicUrl, proMonthlyUsd } = services.settings
  const { venues } = await call(request, listVenues, { category: 'restaurant', limit: 1 })
  const newest = await newestCall(services, request.keyHolder?.id ?? '')
  const [venue] = venues
  return dashboardPage(request, {
    title: 'Quickstart',
    section: 'quickstart',
    scripts: ['first-call.js'],
    body: html`
<section class="card"><h2>Your key</h2>${key ? newKey(key) : otherKey()}</section>
<section class="card"><h2>The first call</h2>${venue ? snippets(publicUrl, key ?? NO_KEY, venue) : noVenue}</section>
<section class="card"><h2>Does it arrive?</h2>${firstCallState(newest)}</section>
<section class="card"><h2>From there</h2>${next(proMonthlyUsd)}</section>`,
  })
}

const newKey = (key: string): Html => html`
<p>${copyable(key)}</p>
<p><strong>Copy it now: it is shown this once.</strong> Only its hash is kept here. It is in every snippet below.</p>`

const otherKey = (): Html => html`
<p>Keys are kept as hashes only, so that the snippets have <code>${NO_KEY}</code> where yours belongs. You can <a href="/dashboard/keys">look at your keys</a>, or make another one:</p>
<form method="post" action="${KEY_PATH}">${formId()}<button>Make a key for these snippets</button></form>`

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
