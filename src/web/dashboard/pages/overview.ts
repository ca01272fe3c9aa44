import type { z } from 'zod'
import { readOverview } from '../../../accounts/operations/read-overview.ts'
import {
  type BookingAhead,
  MAX_COUNTED,
  type NextStep,
  type RefusalCount,
} from '../../../accounts/schema/overview.ts'
import { counted } from '../../../base/counted.ts'
import { money } from '../../../base/money.ts'
import type { MonthlyFees } from '../../../bookings/schema/fees.ts'
import { shortUrl } from '../../../webhooks/rules/short-url.ts'
import * as ui from '../../page/components.ts'
import { withQuery } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { monthText } from '../../page/times.ts'
import { type Page, showPage } from '../page.ts'
import { slotCell } from '../slot-time.ts'
import { statusBadge } from '../status-badges.ts'
import nextSteps from './next-steps.json' with { type: 'json' }

/** `/dashboard`: what needs attention, and what to do next. */
export const overview: Page = async (scope, { call }) => {
  scope.get('/dashboard', async (request, reply) => {
    const data = await call(request, readOverview, {})
    return showPage(reply, 'Overview', overviewView(data), { styles: ['overview.css'] })
  })
}

type OverviewData = z.infer<typeof readOverview.output>

const overviewView = (data: OverviewData): Html => html`
${data.next_steps.length > 0 && stepsCard(data.next_steps)}
<div class="overview">
<div>${bookingsCard(data.bookings)}${refusalsCard(data.refusals)}</div>
<div>${endpointsCard(data.endpoints)}${monthCard(data)}</div>
</div>`

const steps: Record<NextStep, { href: string; text: string; why: string }> = nextSteps

const stepsCard = (next: readonly NextStep[]): Html => html`
<section class="card steps"><h2>What to do next</h2>
<ol>${next.map((step) => {
  const { href, text, why } = steps[step]
  return html`<li>${ui.link(href, text)} ${ui.quiet(why)}</li>`
})}</ol>
<p>${ui.link('/dashboard/quickstart', 'Quickstart')} has snippets for every language.</p></section>`

function bookingsCard({ today, next_7_days, ahead }: OverviewData['bookings']): Html {
  return html`
<section class="card"><h2>${ui.link('/dashboard/bookings', 'Bookings')}</h2>
<p class="figures"><strong>${capped(today)}</strong> today
<strong>${capped(next_7_days)}</strong> in the next 7 days</p>
${ui.note('Today is the date at each venue. Slots are in the local time of their venue.')}
${
  ahead.length === 0
    ? ui.note('No upcoming bookings.')
    : html`<ul class="rows">${ahead.map(aheadRow)}</ul>`
}</section>`
}

const capped = (count: number) =>
  count >= MAX_COUNTED ? `${ui.grouped(MAX_COUNTED)}+` : ui.grouped(count)

const aheadRow = ({ id, status, venue, party_size, starts_at, ...slot }: BookingAhead) => html`
<li><span>${slotCell(slot, `/dashboard/bookings/${id}`)}</span>
<span>${venue.name}<span class="zone-name">${counted(party_size, 'guest')}</span></span>
<span>${ui.when(starts_at)}</span> ${statusBadge(status)}</li>`

function endpointsCard(health: OverviewData['endpoints']): Html {
  const title = html`<h2>${ui.link('/dashboard/webhooks', 'Endpoints')}</h2>`
  if (!health) {
    return html`<section class="card">${title}
<p>No endpoints yet. ${ui.link('/dashboard/webhooks', 'Add one')} to receive booking events.</p>
</section>`
  }
  const { active, failing, troubles, ...resting } = health
  const isWell = troubles.length === 0 && active > 0
  return html`<section class="card">${title}
<p>${isWell ? ui.badge(`${active} healthy`, 'good') : active > 0 && ui.badge(`${active} healthy`)}
${failing > 0 && ui.badge(`${failing} failing`, 'bad')}
${Object.entries(resting).map(
  ([state, count]) =>
    count > 0 && html` ${ui.badge(`${count} ${state}`, state === 'disabled' ? 'bad' : 'wait')}`,
)}</p>
${
  troubles.length > 0 &&
  html`<ul>${troubles.slice(0, 5).map(
    ({ id, url, status }) =>
      html`<li>${ui.link(`/dashboard/webhooks/${id}`, shortUrl(url))}
${status === 'disabled' ? 'was disabled' : 'is failing'}</li>`,
  )}</ul>`
}
<p>${ui.link('/dashboard/deliveries', 'Deliveries')}</p></section>`
}

const refusalsCard = (refusals: readonly RefusalCount[]): Html => html`
<section class="card">
<h2>${ui.link('/dashboard/requests?code=refused', 'Refused in the last 24 hours')}</h2>
${
  refusals.length === 0
    ? ui.note('No refused requests.')
    : html`<ul class="rows refusals">${refusals.map(refusalRow)}</ul>`
}</section>`

const refusalRow = ({ code, title, calls, last_at }: RefusalCount): Html => html`
<li><a href="${withQuery('/dashboard/requests', { code })}">${ui.grouped(calls)} ×
<code>${code}</code></a>
<span>${title}. ${ui.link(`/errors#${code}`, 'What to do')}</span>
<span>${ui.when(last_at)}</span></li>`

function monthCard({ quota, month, tier }: OverviewData): Html {
  const { used, limit, resets_at } = quota
  const fees = month.fees.filter(({ total_minor }) => total_minor !== 0)
  return html`
<section class="card"><h2>${ui.link('/dashboard/usage', 'Quota and fees')}</h2>
<p>${ui.badge(tier, tier === 'pro' ? 'good' : 'quiet')}
${ui.grouped(used)} of ${ui.grouped(limit)} requests today</p>
<p><progress aria-label="Requests used today" max="${limit}" value="${Math.min(used, limit)}"
>${used} of ${limit}</progress></p>
<p>Resets ${ui.when(resets_at)}.</p>
<h3>Fees of ${monthText(month.month)}</h3>
${fees.length === 0 ? ui.note('None.') : html`<ul class="fees">${fees.map(feeLine)}</ul>`}
</section>`
}

const feeLine = ({ total_minor, currency, is_demo }: MonthlyFees): Html => html`
<li>${ui.figure(money(total_minor, currency))} ${is_demo && ui.quiet('demo, not charged')}</li>`
