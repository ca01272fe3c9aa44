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
  pro: 'You are on pro. It applies to all your keys.',
  free: 'You are on free. Existing bookings stay as they are.',
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
      title: to === 'pro' ? 'Upgrade to pro?' : 'Downgrade to free?',
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
<p>You are on ${badge(plan.tier, 'good')}: ${count(plan.requests_per_day)} requests per day${plan.tier === 'pro' ? `, and a fee of ${plan.fee_pct} % of the estimated spend per booking` : ''}. <a href="/dashboard/usage">See usage</a></p>
${table(['Tier', 'Requests per day', 'Search and availability', 'Hold and book', 'Per month'], offers.map(offerRow), 'Tiers')}
${wayTo(plan, accountId)}
<h2>Invoices</h2>
${
  invoices.length === 0
    ? html`<p class="quiet">None. Each month on pro is invoiced once.</p>`
    : table(['Month', 'For', 'Amount', 'Issued'], invoices.map(invoiceRow), 'Invoices')
}
${changes.length === 0 ? '' : html`<h2>Changes</h2>${table(['When', 'From', 'To', 'By'], changes.map(changeRow), 'Plan changes')}`}`

function wayTo({ tier, upgrade_by }: Plan, accountId: string): Html {
  if (tier === 'pro') return html`<p><a href="/dashboard/plan/change">Downgrade to free</a></p>`
  return upgrade_by === 'developer'
    ? html`<p><a class="button" href="/dashboard/plan/change">Upgrade to pro</a></p>`
    : html`<p>The operator of this network upgrades accounts. Ask them, and give your account id: <code>${accountId}</code></p>`
}

/** What a move leads to, before it is made. */
function changeView({ offers, invoices }: PlanPage, to: 'free' | 'pro', at: Date): Html {
  const offer = offers.find(({ tier }) => tier === to)
  const month = at.toISOString().slice(0, 7)
  const isInvoiced = invoices.some((invoice) => invoice.month === month)
  return html`
${
  to === 'pro' && offer
    ? html`<p>All your keys can hold, book, amend and watch, with ${count(offer.requests_per_day)} requests per day, from now on.</p>
<p>${isInvoiced ? html`This month is already invoiced. Each later month costs ${priceOf(offer)}.` : html`You are invoiced ${priceOf(offer)} for this month now, and at the start of each later month on pro.`}</p>`
    : html`<p>Your keys can no longer hold, book, amend or watch. You have ${count(offer?.requests_per_day ?? 0)} requests per day, including today’s.</p>
<p>Existing bookings stay: you can read and cancel them, and their events are delivered. You cannot answer venues’ offers. This month stays invoiced.</p>`
}
${actionForm('/dashboard/plan', to === 'pro' ? 'Upgrade to pro' : 'Downgrade to free', { more: html`<input type="hidden" name="tier" value="${to}">` })}
<p><a href="/dashboard/plan">Cancel</a></p>`
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
  'Pro tier',
  money(amount_minor, currency),
  when(created_at),
]

const changeRow = ({ from, to, by, at }: PlanChange) => [
  when(at),
  from,
  to,
  by === 'developer' ? 'you' : `the ${by}`,
]

const count = (number: number): string => number.toLocaleString('en')
