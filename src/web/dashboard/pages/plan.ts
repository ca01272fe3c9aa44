import type { z } from 'zod'
import { changePlan, getPlan } from '../../../accounts/operations/change-plan.ts'
import type { Offer, Plan, PlanChange, PlanInvoice } from '../../../accounts/schema/plan.ts'
import { money } from '../../../base/money.ts'
import { listPayments } from '../../../payments/operations/read-payments.ts'
import { createReturns } from '../../account/return-address.ts'
import * as ui from '../../page/components.ts'
import { doneNotice, textFields } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { monthText } from '../../page/times.ts'
import { type Page, redirectDone, showPage } from '../page.ts'
import { createAssistantLinks } from './assistant-link.ts'
import { PAYMENTS, paymentOf, paymentsView } from './plan-payments.ts'

const PATH = '/dashboard/plan'

const notices = {
  pro: 'You are on pro. It applies to all your keys.',
  free: 'You are on free. Existing bookings stay as they are.',
  card: 'Your card is saved, and bookings can be made. If an assistant sent you, go back to it.',
}

/** `/dashboard/plan`: the account's tier, the prices and invoices, and a form to change tiers. */
export const plan: Page = async (scope, deps) => {
  const { call, services, publicUrl } = deps
  const returns = createReturns(publicUrl)
  const assistantLink = createAssistantLinks(deps)
  scope.get(PATH, async (request, reply) => {
    const [details, payments] = await Promise.all([
      call(request, getPlan, {}),
      call(request, listPayments, {}),
    ])
    const { tier } = details.plan
    const holds = { pro: tier === 'pro', free: tier === 'free', card: payments.pays !== 'nothing' }
    const notice = doneNotice(request, notices, holds)
    const canBook = payments.pays !== 'nothing'
    const back =
      returns.link(request, reply, canBook) ?? (await assistantLink(request, reply, canBook))
    const accountId = request.keyHolder?.id ?? ''
    const body = html`${back}${planView(details, payments.collects)}
${paymentsView(payments)}${changeLink(details.plan, accountId)}${historyView(details)}`
    return showPage(reply, 'Plan', body, { notice })
  })

  scope.get(`${PATH}/change`, async (request, reply) => {
    const details = await call(request, getPlan, {})
    return details.plan.tier === 'free'
      ? showPage(
          reply,
          'Upgrade to pro?',
          upgradeView(details, services.payments !== undefined, new Date()),
        )
      : showPage(
          reply,
          'Downgrade to free?',
          downgradeView(details, services.payments !== undefined),
        )
  })

  scope.post(PATH, async (request, reply) => {
    const changing = call(request, changePlan, textFields(request.body, ['tier']))
    const paymentId = await changing.then(() => undefined, paymentOf)
    if (paymentId !== undefined) return reply.redirect(`${PAYMENTS}/${paymentId}`, 303)
    return redirectDone(reply, PATH, (await changing).plan.tier)
  })
}

type PlanPage = z.infer<typeof getPlan.output>

const planView = ({ plan, offers }: PlanPage, takesCards: boolean): Html => html`
<p>You are on ${ui.badge(plan.tier, 'good')}:
${ui.grouped(plan.requests_per_day)} requests per day${
  plan.tier === 'pro' && `, and a fee of ${plan.fee_pct} % of the estimated spend per booking`
}. ${ui.link('/dashboard/usage', 'See usage')}</p>
${plan.tier === 'pro' && plan.paid_until && paidView(plan.paid_until)}
${ui.listTable('Tiers', offers, offerColumns(plan, takesCards))}`

const paidView = (until: string): Html => html`
<p>This month is paid until ${ui.exactly(until)}. The next month is charged when it begins.</p>`

const historyView = ({ changes, invoices }: PlanPage): Html => html`
<h2>Months of pro</h2>
<p>Each is a line of the ${ui.link('/dashboard/invoices', 'invoice')} of its month.</p>
${ui.listTable('Months of pro', invoices, invoiceColumns, noInvoices)}
${
  changes.length > 0 &&
  html`<h2>Changes</h2>${ui.listTable('Plan changes', changes, changeColumns)}`
}`

function changeLink({ tier, upgrade_by }: Plan, accountId: string): Html {
  if (tier === 'pro') return html`<p>${ui.link(`${PATH}/change`, 'Downgrade to free')}</p>`
  return upgrade_by === 'developer'
    ? html`<p>${ui.linkButton(`${PATH}/change`, 'Upgrade to pro')}</p>`
    : html`<p>The operator of this network upgrades accounts. Ask them, and give your account id:
<code>${accountId}</code></p>`
}

function upgradeView({ plan, offers, invoices }: PlanPage, isPaid: boolean, at: Date): Html {
  const offer = offers.find(({ tier }) => tier === 'pro')
  const month = at.toISOString().slice(0, 7)
  const price = offer && priceOf(offer)
  const isInvoiced = invoices.some((invoice) => invoice.month === month)
  return html`
<p>From now on, all your keys can hold, book, change bookings and join waitlists, and you have
${offer && ui.grouped(offer.requests_per_day)} requests per day.</p>
<p>${
    isInvoiced
      ? html`This month is already invoiced. Each later month costs ${price}.`
      : isPaid
        ? html`You pay ${price} for this month now, and at the start of each later month on pro.`
        : html`You are invoiced ${price} for this month now, and at the start of each later month
on pro.`
  } Each booking also costs ${plan.fee_pct} % of its estimated spend.</p>
${ui.confirmForm(PATH, isPaid ? 'Continue to payment' : 'Upgrade to pro', [PATH, 'Cancel'], {
  more: ui.hidden('tier', 'pro'),
  tone: 'main',
})}`
}

function downgradeView({ offers }: PlanPage, takesCards: boolean): Html {
  const limit = offers.find(({ tier }) => tier === 'free')?.requests_per_day ?? 0
  return html`
<p>Your keys can no longer hold, book, change bookings or join waitlists${
    takesCards && ', unless a saved card pays the fee of each booking'
  }. You have
${ui.grouped(limit)} requests per day, including today’s.</p>
<p>Existing bookings stay: you can read and cancel them, and their events are delivered. You cannot
answer venues’ offers. This month is still invoiced.</p>
${ui.confirmForm(PATH, 'Downgrade to free', [PATH, 'Stay on pro'], {
  more: ui.hidden('tier', 'free'),
})}`
}

const priceOf = ({ monthly_price: { amount_minor, currency } }: Offer): string =>
  money(amount_minor, currency)

const offerColumns = ({ fee_pct }: Plan, takesCards: boolean): ui.Columns<Offer> => ({
  Tier: ({ tier }) => tier,
  'Requests per day': ({ requests_per_day }) => requests_per_day,
  'Search and availability': () => 'yes',
  'Hold and book': ({ books }) => (books ? 'yes' : takesCards ? 'with a saved card' : 'no'),
  'Per booking': ({ books }) =>
    books || takesCards
      ? `${fee_pct} % of the expected spend, ${books ? 'invoiced monthly' : 'paid at once'}`
      : '',
  'Per month': (offer) => ui.figure(priceOf(offer)),
})

const noInvoices = ui.note('None. Each month on pro is invoiced once.')

const invoiceColumns: ui.Columns<PlanInvoice> = {
  Month: ({ month }) => monthText(month),
  For: () => 'Pro tier',
  Amount: ({ amount_minor, currency }) => ui.figure(money(amount_minor, currency)),
  Issued: ({ created_at }) => ui.when(created_at),
}

const changers = { developer: 'you', operator: 'the operator', system: 'the network' }

const changeColumns: ui.Columns<PlanChange> = {
  When: ({ at }) => ui.when(at),
  From: ({ from }) => from,
  To: ({ to }) => to,
  By: ({ by }) => changers[by],
}
