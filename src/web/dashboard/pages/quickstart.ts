import type { FastifyReply } from 'fastify'
import { createKey } from '../../../accounts/operations/create-key.ts'
import { newestCall } from '../../../accounts/operations/list-requests.ts'
import { fillText } from '../../../base/fill-text.ts'
import { PROTOCOL } from '../../../base/ids.ts'
import { listVenues } from '../../../venues/operations/list-venues.ts'
import { codeTabs, copyable, formId, link } from '../../page/components.ts'
import { html } from '../../page/html.ts'
import { type Page, type PageDeps, showPage } from '../page.ts'
import { zoneOf } from '../reader-zone.ts'
import { firstCallState } from './first-call.ts'
import samples from './quickstart-samples.json' with { type: 'json' }

const NO_KEY = 'service_live_YOUR_KEY'
const NO_TEST_KEY = 'service_test_YOUR_KEY'
const PATH = '/dashboard/quickstart'
const KEY_PATH = `${PATH}/key`
const TEST_KEY_PATH = `${PATH}/test-key`

/** `/dashboard/quickstart`: from a key to the first request. */
export const quickstart: Page = async (scope, deps) => {
  scope.get(PATH, (_, reply) => showQuickstart(reply, deps, null))

  scope.post(KEY_PATH, async (request, reply) => {
    const { raw_key } = await deps.call(request, createKey, { name: 'quickstart' })
    return raw_key ? showQuickstart(reply, deps, raw_key) : reply.redirect(PATH, 303)
  })

  scope.post(TEST_KEY_PATH, async (request, reply) => {
    const input = { name: 'quickstart, test', mode: 'test' }
    const { raw_key } = await deps.call(request, createKey, input)
    return raw_key ? showQuickstart(reply, deps, null, raw_key) : reply.redirect(PATH, 303)
  })
}

/** Shows the page. The snippets contain the new key, or a placeholder if there is none. */
export async function showQuickstart(
  reply: FastifyReply,
  { services, call }: Pick<PageDeps, 'services' | 'call'>,
  key: string | null,
  testKey: string | null = null,
): Promise<FastifyReply> {
  const { request } = reply
  const { publicUrl, proMonthlyUsd, proUpgrade } = services.settings
  const { venues } = await call(request, listVenues, { category: 'restaurant', limit: 1 })
  const newest = await newestCall(services, request.keyHolder?.id ?? '')
  const [venue] = venues
  const values = { publicUrl, key: key ?? NO_KEY, protocol: PROTOCOL }
  const upgradePath = proUpgrade === 'self' ? '/dashboard/plan/change' : '/dashboard/plan'
  const isPro = request.keyHolder?.tier === 'pro'
  const body = html`
<section class="card"><h2>Your key</h2>${
    key
      ? html`<p>${copyable(key)}</p>
<p><strong>Copy it now. You won’t see it again.</strong> We store only a hash.
Every snippet below contains it.</p>`
      : html`<p>We store only hashes of keys, so replace <code>${NO_KEY}</code> in the snippets
with yours. <a href="/dashboard/keys">See your keys</a>, or create a new one:</p>
<form method="post" action="${KEY_PATH}">${formId()}
<button>Create a key for these snippets</button></form>`
  }</section>
<section class="card"><h2>Your first request</h2>${
    venue
      ? html`<p>Check what ${venue.name} (${venue.area}) has free for two today:</p>
${codeTabs(samplesOf('firstCall', { ...values, slug: venue.slug }))}`
      : html`<p>This network has no restaurant yet. See the
<a href="/reference/">API reference</a>.</p>`
  }</section>
<section class="card"><h2>Waiting for your request</h2>${firstCallState(
    newest,
    zoneOf(request),
  )}</section>
<section class="card" id="test"><h2>Your first test booking</h2>
<p>A test key works in your sandbox, on any plan. You choose how its venues answer, and no real
venue or guest is contacted. ${link('/docs/sandbox', 'What you can test')}</p>${
    testKey
      ? html`<p>${copyable(testKey)}</p>
<p><strong>Copy it now. You won’t see it again.</strong></p>`
      : html`<form method="post" action="${TEST_KEY_PATH}">${formId()}
<button>Create a test key</button></form>`
  }
${codeTabs(samplesOf('testBooking', { publicUrl, key: testKey ?? NO_TEST_KEY }))}
<p>To receive its events as webhooks, switch to Test at the top and add an endpoint.</p></section>
<section class="card" id="book"><h2>Your first booking</h2>${
    isPro
      ? html`<p>Searches for dinner and books the first free table for two. Demo venues
accept bookings, and no one is expecting you there.</p>
${codeTabs(samplesOf('firstBooking', values))}`
      : html`<p>Holding and booking needs the pro tier: ${proMonthlyUsd} USD a month,
cancel any time. ${link(upgradePath, 'Upgrade to pro')}</p>`
  }</section>
<section class="card"><h2>Next steps</h2><ul>
<li><a href="/dashboard/webhooks">Add an endpoint</a> to receive booking events.</li>
<li><a href="/dashboard/agents">Register an agent</a> so that others can find it.</li>
<li>Read the <a href="/reference/">API reference</a> and the
<a href="/errors">list of errors</a>.</li>
</ul></section>`
  return showPage(reply, 'Quickstart', body, { scripts: ['first-call.js'] })
}

/** Code samples in several languages. Each runs as it is. */
const samplesOf = (name: keyof typeof samples, values: Record<string, string>) =>
  samples[name].map(({ label, code }) => ({ label, code: fillText(code.join('\n'), values) }))
