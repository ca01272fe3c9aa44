import type { z } from 'zod'
import { networkProfile } from '../../../base/network.ts'
import { changeCard, payDue } from '../../../payments/operations/pay-due.ts'
import { getPayment, listPayments } from '../../../payments/operations/read-payments.ts'
import type { payment } from '../../../payments/schema.ts'
import { createReturns } from '../../account/return-address.ts'
import * as ui from '../../page/components.ts'
import { paramsOf, textFields } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { paymentBadge, purposeWords } from '../format-payment.ts'
import { askFirst, type Page, showPage } from '../page.ts'
import { maySend } from '../roles.ts'
import { developerOf } from './account.ts'
import { dueWords, PAYMENTS, paymentOf } from './plan-payments.ts'

const PLAN = '/dashboard/plan'
const crumbs = [['Plan', PLAN]] as const
/** How often the page reloads while a payment is undecided. */
const AGAIN_SECONDS = 5

/** `/dashboard/payments`: forms to pay amounts due and change the card, and payment receipts. */
export const payments: Page = async (scope, { call, publicUrl }) => {
  const returns = createReturns(publicUrl)
  scope.get(PAYMENTS, async (_, reply) => reply.redirect(PLAN, 303))

  scope.post(PAYMENTS, async (request, reply) => {
    const input = textFields(request.body, ['due_id'])
    const { has_card, due } = await call(request, listPayments, {})
    const one = due.find(({ id }) => id === input.due_id)
    if (has_card && one) {
      const question = {
        title: `Pay ${one.text} for ${dueWords(one)}?`,
        text: 'Your card is charged at once.',
        button: `Pay ${one.text}`,
        back: [PLAN, 'Not now'],
      } as const
      if (await askFirst(reply, question, async () => {})) return reply
    }
    const paying = call(request, payDue, input)
    const id = await paying.then(({ payment }) => payment.id, paymentOf)
    return reply.redirect(`${PAYMENTS}/${id}`, 303)
  })

  scope.post(`${PAYMENTS}/card`, async (request, reply) => {
    const { card_page_url } = await call(request, changeCard, {})
    const body = html`
<p>You enter the card on a page of our payment provider, and we never see its number. From then on,
what is due is charged to it automatically. Without pro, it pays the fee of each booking.</p>
<div class="row">${ui.linkButton(card_page_url, 'Continue')}
${ui.linkButton(PLAN, 'Cancel', true)}</div>`
    return showPage(reply, 'Your card', body, { crumbs })
  })

  scope.get(`${PAYMENTS}/:id`, async (request, reply) => {
    const { payment } = await call(request, getPayment, { id: paramsOf(request).id })
    const isUndecided = payment.state === 'processing' || payment.state === 'unknown'
    if (isUndecided) reply.header('refresh', String(AGAIN_SECONDS))
    const { account_name, role } = developerOf(request)
    const model = { ...payment, pay_url: maySend(role, 'POST', PAYMENTS) ? payment.pay_url : null }
    const isPaid = payment.state === 'succeeded'
    const body = html`${isPaid && returns.link(request, reply, true)}${view(model, account_name)}`
    return showPage(reply, titleOf(payment), body, {
      crumbs,
      styles: ['invoice.css'],
      scripts: ['print-page.js'],
    })
  })
}

type Payment = z.infer<typeof payment>

function titleOf({ state, text }: Payment): string {
  if (state === 'succeeded') return `Receipt for ${text}`
  return state === 'created' ? `Pay ${text}` : `Payment of ${text}`
}

const view = (payment: Payment, account: string): Html => html`
${nextView(payment)}
${ui.facts([
  ['Payment', ui.copyable(payment.id)],
  ['State', paymentBadge(payment)],
  ['Paid to', networkProfile.name],
  ['Account', account],
  ['For', purposeOf(payment)],
  ['Amount', payment.text],
  ['Refunded', payment.refunded_minor > 0 ? payment.refunded_text : null],
  ['Payment provider', providerWords[payment.provider] ?? payment.provider],
  ['Date', ui.exactly(payment.updated_at)],
])}`

const purposeOf = ({ purpose, due_id }: Payment): Html | string =>
  purpose === 'booking' && due_id
    ? ui.link(`/dashboard/bookings/${due_id}`, purposeWords[purpose])
    : purposeWords[purpose]

const providerWords: Readonly<Record<string, string>> = {
  stripe: 'Stripe',
  local: 'Test: no money moves',
}

function nextView({ state, text, pay_url, reason_text }: Payment): Html {
  switch (state) {
    case 'created':
      if (!pay_url) return html`<p>An owner or a billing member of the account can pay this.</p>`
      return html`<p>You pay on a page of our payment provider, and come back here.</p>
<div class="row">${ui.linkButton(pay_url, `Pay ${text}`)}
${ui.linkButton(PLAN, 'Not now', true)}</div>`
    case 'processing':
    case 'unknown':
      return html`<p class="notice">The payment provider has not answered yet. Do not pay again:
this page checks every ${AGAIN_SECONDS} seconds, and you are never charged twice.</p>`
    case 'authorized':
      return html`<p class="notice">The amount is reserved on your card. It is charged once the
venue has said yes, and released if nothing is booked.</p>`
    case 'failed':
      return html`<p class="notice bad">${reason_text ?? 'The payment failed.'} Nothing was
charged.</p><p>${ui.linkButton(PLAN, 'Back to the plan')}</p>`
    case 'succeeded':
      return html`<div class="row screen"><print-page></print-page>
${ui.link(PLAN, 'Back to the plan')}</div>`
  }
}
