import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createKey } from '../../../../accounts/operations/create-key.ts'
import { newestCall } from '../../../../accounts/operations/list-requests.ts'
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
<section class="card"><h2>Your first request</h2>${venue ? snippets(publicUrl, key ?? NO_KEY, venue) : noVenue}</section>
<section class="card"><h2>Waiting for your request</h2>${firstCallState(newest)}</section>
<section class="card"><h2>Next steps</h2>${next(proMonthlyUsd)}</section>`,
  })
}

const newKey = (key: string): Html => html`
<p>${copyable(key)}</p>
<p><strong>Copy it now. You won’t see it again.</strong> We store only a hash. Every snippet below contains it.</p>`

const otherKey = (): Html => html`
<p>We store only hashes of keys, so replace <code>${NO_KEY}</code> in the snippets with yours. <a href="/dashboard/keys">See your keys</a>, or create a new one:</p>
<form method="post" action="${KEY_PATH}">${formId()}<button>Create a key for these snippets</button></form>`

type Venue = { slug: string; name: string; area: string }

const snippets = (publicUrl: string, key: string, { slug, name, area }: Venue): Html => html`
<p>Check what ${name} (${area}) has free for two today:</p>
${codeTabs(firstCallSnippets(publicUrl, key, slug))}`

const noVenue = html`
<p>This network has no restaurant yet. See the <a href="/reference/">API reference</a>.</p>`

const next = (proMonthlyUsd: number): Html => html`
<ul>
<li><a href="/dashboard/plan">Upgrade to pro</a> to book: ${proMonthlyUsd} USD a month, cancel any time.</li>
<li><a href="/dashboard/webhooks">Add an endpoint</a> to receive booking events.</li>
<li><a href="/dashboard/agents">Register an agent</a> so that others can find it.</li>
<li>Read the <a href="/reference/">API reference</a> and the <a href="/errors">list of errors</a>.</li>
</ul>`
