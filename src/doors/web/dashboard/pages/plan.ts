import type { FastifyInstance } from 'fastify'
import { changePlan, getPlan } from '../../../../accounts/operations/change-plan.ts'
import type { Invoice, Offer, Plan, PlanChange } from '../../../../accounts/schema/plan.ts'
import { money } from '../../../../contract/rules/money.ts'
import { badge } from '../../components/badge.ts'
import { actionForm } from '../../components/form.ts'
import { table } from '../../components/table.ts'
import { when } from '../../components/time.ts'
import { doneNotice } from '../../forms.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { given } from '../../query.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'

const PATH = '/dashboard/plan'
const section = 'plan'

const done = {
  pro: 'The account is on pro, for all its keys, from now on.',
  free: 'The account is on free from now on. Bookings that live stay as they are.',
}

/** `/dashboard/plan`: what the account may do, what that costs, what was invoiced, and the way to the other tier. */
export async function plan(scope: FastifyInstance, { call }: DashboardDeps) {
  scope.get(PATH, async (request, reply) => {
    const found = await call(request, getPlan, {})
    const body = planView(found, request.keyHolder?.id ?? '')
    const { tier } = found.plan
    const notice = doneNotice(request, done, { pro: tier === 'pro', free: tier === 'free' })
    return sendPage(reply, dashboardPage(request, { title: 'Plan', section, body, notice }))
  })

  scope.get(`${PATH}/change`, async (request, reply) => {
    const found = await call(request, getPlan, {})
    const to = found.plan.tier === 'pro' ? 'free' : 'pro'
    const view = {
      title: `Move to ${to}?`,
      section,
      body: changeView(found, to, new Date()),
    } as const
    return sendPage(reply, dashboardPage(request, view))
  })

  scope.post(PATH, async (request, reply) => {
    const { plan } = await call(request, changePlan, given(request.body, ['tier']))
    return reply.redirect(`${PATH}?done=${plan.tier}`, 303)
  })
}

type PlanPage = {
  plan: Plan
  offers: readonly Offer[]
  changes: readonly PlanChange[]
  invoices: readonly Invoice[]
}

/** Where the account stands, what the tiers are, and what was invoiced. */
const planView = ({ plan, offers, changes, invoices }: PlanPage, accountId: string): Html => html`
<p>The account is on ${badge(plan.tier, 'good')}: ${count(plan.requests_per_day)} requests a day, and ${plan.fee_pct} % of the estimated spend of each booking. <a href="/dashboard/usage">What was used</a></p>
${table(['Tier', 'Requests a day', 'Search and availability', 'Hold and book', 'A month'], offers.map(offerRow), 'Tiers')}
${wayTo(plan, accountId)}
<h2>Invoices</h2>
${
  invoices.length === 0
    ? html`<p class="quiet">None. A month in which the account is on pro is invoiced once.</p>`
    : table(['Month', 'For', 'Amount', 'Written'], invoices.map(invoiceRow), 'Invoices')
}
${changes.length === 0 ? '' : html`<h2>Changes</h2>${table(['When', 'From', 'To', 'By'], changes.map(changeRow), 'Changes of the plan')}`}`

function wayTo({ tier, upgrade_by }: Plan, accountId: string): Html {
  if (tier === 'pro') return html`<p><a href="/dashboard/plan/change">Move back to free</a></p>`
  return upgrade_by === 'developer'
    ? html`<p><a class="button" href="/dashboard/plan/change">Move to pro</a></p>`
    : html`<p>Here the operator of the network moves accounts to pro. Ask for it and name this account: <code>${accountId}</code></p>`
}

/** What a move leads to, before it is made. */
function changeView({ offers, invoices }: PlanPage, to: 'free' | 'pro', at: Date): Html {
  const offer = offers.find(({ tier }) => tier === to)
  const month = at.toISOString().slice(0, 7)
  const isInvoiced = invoices.some((invoice) => invoice.month === month)
  return html`
${
  to === 'pro' && offer
    ? html`<p>All keys of the account may hold, book, amend and watch at once, with ${count(offer.requests_per_day)} requests a day.</p>
<p>${isInvoiced ? html`This month is invoiced already; each later one costs ${priceOf(offer)}.` : html`This month is invoiced now, ${priceOf(offer)}; each later one when it begins, as long as the account is on pro.`}</p>`
    : html`<p>From that moment on no key of the account can hold, book, amend or watch, and the account has ${count(offer?.requests_per_day ?? 0)} requests a day: what was used today counts.</p>
<p>Bookings that live stay as they are: they can be read and cancelled, and their events are delivered; offers of venues cannot be answered. The running month stays invoiced.</p>`
}
${actionForm('/dashboard/plan', `Move to ${to}`, { more: html`<input type="hidden" name="tier" value="${to}">` })}
<p><a href="/dashboard/plan">Leave it</a></p>`
}

const offerRow = (offer: Offer) => [
  offer.tier,
  count(offer.requests_per_day),
  'yes',
  offer.books ? 'yes' : 'no',
  priceOf(offer),
]

const priceOf = ({ monthly_price: { amount_minor, currency } }: Offer): string =>
  money(amount_minor, currency)

const invoiceRow = ({ month, amount_minor, currency, created_at }: Invoice) => [
  month,
  'The pro tier',
  money(amount_minor, currency),
  when(created_at),
]

const changeRow = ({ from, to, by, at }: PlanChange) => [when(at), from, to, `the ${by}`]

const count = (number: number): string => number.toLocaleString('en')
