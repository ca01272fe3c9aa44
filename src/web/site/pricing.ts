import { money } from '../../base/money.ts'
import type { NetworkServices } from '../../network.ts'
import { grouped } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'

/** The plan prices on this site, from the configuration. */
export function pricing({
  proMonthlyUsd,
  feePct,
  requestsPerDay,
  proUpgrade,
  x402,
}: NetworkServices['settings']): Html {
  const price = money(proMonthlyUsd * 100, 'USD')
  return html`<section id="pricing"><h2>Pricing</h2><ul class="plans">
<li><h3>Free</h3><p class="price"><strong>${money(0, 'USD')}</strong> a month</p>
<ul><li>Search and live availability</li><li>${grouped(requestsPerDay.free)} requests a day</li>
<li>Signed webhooks and events</li>
<li><a href="/docs/sandbox">Test bookings</a> in a sandbox</li>
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
<p class="quiet">The agent’s account pays the fee, not the guest. Fees of demo venues are shown,
and never invoiced.</p></section>`
}
