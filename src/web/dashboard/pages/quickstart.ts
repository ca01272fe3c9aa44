import type { FastifyReply } from 'fastify'
import { createKey } from '../../../accounts/operations/create-key.ts'
import { newestCall } from '../../../accounts/operations/list-requests.ts'
import { PROTOCOL } from '../../../base/ids.ts'
import { listVenues } from '../../../venues/operations/list-venues.ts'
import { codeTabs, copyable, formId, jsonText, link } from '../../page/components.ts'
import { html } from '../../page/html.ts'
import { type Page, type PageDeps, showPage } from '../page.ts'
import { zoneOf } from '../reader-zone.ts'
import { firstCallState } from './first-call.ts'

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
${codeTabs(firstCallSnippets(publicUrl, key ?? NO_KEY, venue.slug))}`
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
${codeTabs(testBookingSnippets(publicUrl, testKey ?? NO_TEST_KEY))}
<p>To receive its events as webhooks, switch to Test at the top and add an endpoint.</p></section>
<section class="card" id="book"><h2>Your first booking</h2>${
    isPro
      ? html`<p>Searches for dinner and books the first free table for two. Demo venues
accept bookings, and no one is expecting you there.</p>
${codeTabs(firstBookingSnippets(publicUrl, key ?? NO_KEY))}`
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

const PARTY = 2

/** One booking of the first free table for two, in several languages. Each sample runs as is. */
function firstBookingSnippets(publicUrl: string, key: string) {
  const search = `${publicUrl}/api/venues/search?q=dinner&party_size=${PARTY}`
  return [
    {
      label: 'curl and jq',
      code: `SLOT=$(curl -s "${search}" \\
  -H "Authorization: Bearer ${key}" | jq '.venues[0] | {venue_id: .id, party_size: ${PARTY},
  slot_time: (.availability.days[0] | .date + "T" + .times[0])}')
curl "${publicUrl}/api/bookings" -d "$SLOT" \\
  -H "Authorization: Bearer ${key}" -H "Content-Type: application/json"`,
    },
    {
      label: 'TypeScript',
      code: `const headers = {
  authorization: 'Bearer ${key}',
  'content-type': 'application/json',
}
const found = await fetch('${search}', { headers })
const [venue] = (await found.json()).venues
const [day] = venue.availability.days
const body = JSON.stringify({
  venue_id: venue.id,
  slot_time: \`\${day.date}T\${day.times[0]}\`,
  party_size: ${PARTY},
})
const booked = await fetch('${publicUrl}/api/bookings', { method: 'POST', headers, body })
console.log(await booked.json())`,
    },
    {
      label: 'Python',
      code: `import json
from urllib.request import Request, urlopen

headers = {"Authorization": "Bearer ${key}", "Content-Type": "application/json"}

def call(url, body=None):
    data = json.dumps(body).encode() if body else None
    with urlopen(Request(url, data, headers)) as response:
        return json.load(response)

venue = call("${search}")["venues"][0]
day = venue["availability"]["days"][0]
slot = {
    "venue_id": venue["id"],
    "slot_time": day["date"] + "T" + day["times"][0],
    "party_size": ${PARTY},
}
print(call("${publicUrl}/api/bookings", slot))`,
    },
  ]
}

/** A booking in a sandbox, and its events. Each sample runs as is. */
const testBookingSnippets = (publicUrl: string, key: string) => [
  {
    label: 'Book',
    code: `curl "${publicUrl}/api/bookings" -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" -d '{"venue_id": "sandbox-table",
  "slot_time": "tomorrow 19:00", "party_size": 2, "guest_ref": "sandbox:confirmed"}'`,
  },
  {
    label: 'Events',
    code: `curl "${publicUrl}/api/events" -H "Authorization: Bearer ${key}"`,
  },
  {
    label: 'Declined',
    code: `curl "${publicUrl}/api/bookings" -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" -d '{"venue_id": "sandbox-bar",
  "slot_time": "tomorrow 20:00", "party_size": 2, "guest_ref": "sandbox:declined"}'`,
  },
]

/** A first request for a venue's availability, in several languages. Each sample runs as is. */
function firstCallSnippets(publicUrl: string, key: string, slug: string) {
  const url = `${publicUrl}/api/venues/${slug}/availability?party_size=${PARTY}`
  const mcpServer = {
    type: 'http',
    url: `${publicUrl}/mcp`,
    headers: { Authorization: `Bearer ${key}` },
  }
  const envelope = {
    protocol: PROTOCOL,
    from: 'agent://my-agent',
    intent: 'venue.availability',
    payload: { slug, party_size: PARTY },
  }
  return [
    { label: 'curl', code: `curl "${url}" \\\n  -H "Authorization: Bearer ${key}"` },
    {
      label: 'TypeScript',
      code: `const response = await fetch('${url}', {
  headers: { authorization: 'Bearer ${key}' },
})
console.log(await response.json())`,
    },
    {
      label: 'Python',
      code: `import json
from urllib.request import Request, urlopen

request = Request(
    "${url}",
    headers={"Authorization": "Bearer ${key}"},
)
with urlopen(request) as response:
    print(json.load(response))`,
    },
    { label: 'MCP', code: jsonText({ mcpServers: { 'venue-network': mcpServer } }) },
    {
      label: 'A2A',
      code: `curl "${publicUrl}/a2a/v1" \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '${jsonText(envelope)}'`,
    },
  ]
}
