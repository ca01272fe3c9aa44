import type { Booked } from '../../agents/store/feed.ts'
import { HOUR_MS } from '../../base/durations.ts'
import { PROTOCOL } from '../../base/ids.ts'
import { money } from '../../base/money.ts'
import { networkProfile } from '../../base/network.ts'
import { shellQuoted } from '../../base/shell-text.ts'
import type { NetworkServices } from '../../network.ts'
import type { NetworkSize } from '../../venues/operations/public-areas.ts'
import { codeTabs, grouped } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { conversation } from './conversation.ts'
import { highlight } from './highlight.ts'
import proof from './proof.json' with { type: 'json' }
import { categoryWords } from './venue-text.ts'

export const title = 'Bookings your AI agent can make'

type Home = {
  publicUrl: string
  settings: NetworkServices['settings']
  takesCards: boolean
  size: NetworkSize | null
  booked: readonly Booked[]
  at: Date
}

export const homeView = ({ publicUrl, settings, takesCards, size, booked, at }: Home): Html => html`
<section class="hero"><div><h1>${title}</h1>
<p class="lead">One API to search restaurants, bars, gyms and spas in Bali and Southeast Asia, see
what’s free right now, and book it. Built for agents: people ask, agents book.</p>
<p class="act"><a class="button" href="/sign-up">Get an API key</a>
<a href="/docs/getting-started">Read the docs</a></p>
<p class="quiet">Free, no card. Your key is on the next page.</p></div>
${conversation}</section>
${figures(size)}
${booked.length > 0 && lastBooked(booked, at)}
${audiences}
<section id="connect"><h2>Ways to connect</h2>
<p>The same operations, answers and errors in each.
<a href="/docs/mcp">MCP</a> is for models and assistants, <a href="/docs/rest">REST</a> for your own
code, <a href="/docs/a2a">A2A</a> for agents that talk to agents.</p>
${codeTabs(
  Object.entries(connectSnippets(publicUrl)).map(([label, code]) => ({
    label,
    code: { markup: highlight(code, 'bash') },
  })),
)}
<p class="quiet">For machines: <a href="/openapi.json">OpenAPI</a>,
<a href="${networkProfile.cardPath}">Agent Card</a>,
<a href="/.well-known/api-catalog">API catalog</a>, <a href="/llms.txt">llms.txt</a>,
<a href="/llms-full.txt">llms-full.txt</a>, <a href="/sitemap.xml">sitemap</a>.</p></section>
${pricing(settings, takesCards)}
<section class="last"><h2>Your first call is a minute away</h2>
<p>Demo venues answer like real ones, so you can try everything before anybody relies on it.</p>
<p class="act"><a class="button" href="/sign-up">Get an API key</a></p></section>`

function figures(size: NetworkSize | null): Html {
  const figure = (value: number, words: Html | string) =>
    html`<li><strong>${grouped(value)}</strong> <span>${words}</span></li>`
  const attempts = html`<a href="/docs/guarantees">contended booking attempts in our proof</a>`
  return html`<ul class="figures">${
    size && [
      figure(size.venues, 'venues'),
      figure(size.areas, 'areas'),
      figure(size.countries, size.countries === 1 ? 'country' : 'countries'),
    ]
  }${figure(proof.contendedAttempts, attempts)}${figure(proof.doubleBookings, 'double bookings')}
</ul>`
}

const lastBooked = (booked: readonly Booked[], at: Date): Html => html`
<section class="booked"><h2>Booked lately</h2><ul>${booked.map(
  ({ category, area, hour }) => html`<li><strong>${categoryWords[category]}</strong> in ${area}
<span class="quiet">${agoWords(at.getTime() - hour.getTime())}</span></li>`,
)}</ul></section>`

function agoWords(ms: number): string {
  const hours = Math.max(1, Math.floor(ms / HOUR_MS))
  if (hours < 24) return hours === 1 ? '1 hour ago' : `${hours} hours ago`
  const days = Math.floor(hours / 24)
  return days === 1 ? 'yesterday' : `${days} days ago`
}

const audiences = html`
<section class="audiences"><h2>Who it is for</h2><ul>
<li><h3>You build an agent</h3><p>Search in plain language, live times, holds, changes, a waitlist
and signed webhooks. Every request gets one final answer, even after a crash.</p>
<p><a href="/docs/getting-started">Getting started</a></p></li>
<li><h3>You run a venue</h3><p>Agents send you guests. Confirm automatically, from your own system,
or by a tap on your phone. No table is sold twice.</p>
<p><a href="/docs/venue-connector">Connect a venue</a></p></li>
<li><h3>You want a table</h3><p>Ask your assistant: people don’t book on this site. You get a page
of your booking, to add it to your calendar or cancel it.</p>
<p><a href="/venues">Browse venues</a></p></li>
</ul></section>`

const query = 'sushi in Canggu for 2 tomorrow at 7 pm'

/** A first call for each way to connect. They run as is, with `KEY` set in the environment. */
export function connectSnippets(publicUrl: string) {
  const authorization = '-H "Authorization: Bearer $KEY"'
  const envelope = { protocol: PROTOCOL, intent: 'booking.search', payload: { query } }
  const claude = `claude mcp add --transport http venue-network ${publicUrl}/mcp`
  return {
    MCP: `${claude} \\\n  --header "Authorization: Bearer $KEY"`,
    REST: [
      `curl --get ${publicUrl}/api/venues/search ${authorization} \\`,
      `  --data-urlencode "q=${query}"`,
    ].join('\n'),
    A2A: [
      `curl ${publicUrl}/a2a/v1 ${authorization} \\`,
      `  -H "Content-Type: application/json" \\`,
      `  -d ${shellQuoted(JSON.stringify(envelope))}`,
    ].join('\n'),
    'Without a key': `curl "${publicUrl}/api/venues?area=canggu&limit=3"`,
  }
}

/** The plan prices on this site, from the configuration. */
function pricing(
  { proMonthlyUsd, feePct, requestsPerDay, proUpgrade, x402 }: NetworkServices['settings'],
  takesCards: boolean,
): Html {
  const price = money(proMonthlyUsd * 100, 'USD')
  return html`<section id="pricing"><h2>Pricing</h2><ul class="plans">
<li><h3>Free</h3><p class="price"><strong>${money(0, 'USD')}</strong> a month</p>
<ul><li>Search and live availability</li><li>${grouped(requestsPerDay.free)} requests a day</li>
<li>Signed webhooks and events</li>
<li><a href="/docs/sandbox">Test bookings</a> in a sandbox</li>
${takesCards && html`<li>Book with a saved card, at ${feePct} % of the expected spend</li>`}
${x402 && html`<li><a href="/docs/x402">Pay per booking</a>, in USDC</li>`}</ul>
<p><a class="button" href="/sign-up">Start free</a></p></li>
<li><h3>Pro</h3><p class="price"><strong>${price}</strong> a month, and ${feePct} % of the expected
spend of each booking</p>
<ul><li>Everything in Free, and booking: hold, confirm, change</li>
<li>${grouped(requestsPerDay.pro)} requests a day</li>
<li>Waitlist and itineraries</li><li>No fee for bookings cancelled in time</li></ul>
<p>${
    proUpgrade === 'self'
      ? 'Upgrade in the dashboard, and downgrade whenever you like.'
      : html`<a href="/contact">Ask us</a> to upgrade your account.`
  }</p></li></ul>
<p class="quiet">The agent’s account pays the fee, not the guest. At demo venues fees are only
shown: nothing is charged.</p></section>`
}
