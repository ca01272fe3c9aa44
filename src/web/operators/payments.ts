import { refuse } from '../../base/errors.ts'
import { money, toMinor } from '../../base/money.ts'
import * as acts from '../../operators/operations/payments.ts'
import { reasonText } from '../../payments/rules/payments.ts'
import type { StuckPayment } from '../../payments/store/stuck-payments.ts'
import { paymentBadge, purposeWords } from '../dashboard/format-payment.ts'
import { askFirst, type Page, redirectDone } from '../dashboard/page.ts'
import * as ui from '../page/components.ts'
import { doneNotice, paramsOf, textFields } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'
import notices from './notices.json' with { type: 'json' }
import {
  accountLink,
  idOf,
  OPERATORS,
  reasonedAct,
  reasonField,
  showOperators,
} from './operators-page.ts'
import stuckTexts from './stuck-payment-texts.json' with { type: 'json' }

const PATH = `${OPERATORS}/payments`

/** `/dashboard/operators/payments`: payments that need attention, and a page for any payment. */
export const payments: Page = async (scope, { services }) => {
  scope.get(PATH, async (_, reply) => {
    const stuck = await acts.readStuckPayments(services, new Date())
    return showOperators(reply, ['Stuck payments', 'Payments'], listView(stuck))
  })

  scope.get(`${PATH}/:id`, async (request, reply) => {
    const page = await acts.readPayment(services, idOf(paramsOf(request).id))
    const notice = doneNotice(request, notices.payments)
    const { amount_minor, currency } = page.payment
    const title = `Payment of ${money(amount_minor, currency)}`
    return showOperators(reply, [title, 'Payments'], paymentView(page), { notice })
  })

  scope.post(`${PATH}/:id/ask`, async (request, reply) => {
    const id = idOf(paramsOf(request).id)
    await acts.askAboutPayment(services, id, new Date())
    return redirectDone(reply, `${PATH}/${id}`, 'asked')
  })

  scope.post(`${PATH}/:id/refund`, async (request, reply) => {
    const id = idOf(paramsOf(request).id)
    const { payment } = await acts.readPayment(services, id)
    const { amount = '', form = '' } = textFields(request.body, ['amount', 'form'])
    const amountMinor = toMinor(Number(amount), payment.currency)
    if (!Number.isSafeInteger(amountMinor) || amountMinor <= 0) {
      throw refuse('form_incomplete', 'Give an amount, as in 49 or 12.50.')
    }
    const refund = { amountMinor, form: idOf(form) }
    const act = reasonedAct(request, payment.account_id)
    const question = {
      title: `Refund ${money(amountMinor, payment.currency)}?`,
      text: 'The provider returns it to the card. This cannot be undone.',
      button: 'Refund',
      back: [`${PATH}/${id}`, 'Refund nothing'],
    } as const
    if (await askFirst(reply, question, async () => {})) return reply
    await acts.refundPayment(services, act, id, refund)
    return redirectDone(reply, `${PATH}/${id}`, 'refunded')
  })
}

const texts: Record<StuckPayment['problem'], { what: string; todo: string }> = stuckTexts

const listView = (stuck: readonly StuckPayment[]): Html =>
  ui.listTable(
    'Stuck payments',
    stuck,
    {
      Payment: ({ id }) => ui.rowLink(`${PATH}/${id}`, `…${id.slice(-8)}`),
      Problem: ({ problem }) => ui.badge(texts[problem].what, 'bad'),
      Since: ({ since }) => ui.when(since),
      'What to do': ({ problem }) => html`<span class="todo">${texts[problem].todo}</span>`,
      Amount: ({ amount_minor, currency }) => ui.figure(money(amount_minor, currency)),
      Account: accountLink,
    },
    ui.empty('No stuck payments', 'Every payment and refund has been decided by its provider.'),
  )

function paymentView({ payment, refunds }: acts.PaymentPage): Html {
  const { id, account_id, currency, amount_minor, refunded_minor, state } = payment
  const refundable = amount_minor - refunded_minor
  const isUndecided = state === 'created' || state === 'processing' || state === 'unknown'
  return html`
${isUndecided && ui.actionForm(`${PATH}/${id}/ask`, 'Ask the provider')}
${ui.facts([
  ['Payment', ui.copyable(id)],
  ['State', paymentBadge(payment)],
  [
    'Reason',
    payment.reason && html`${reasonText(payment.reason)} (<code>${payment.reason}</code>)`,
  ],
  ['Account', ui.link(`${OPERATORS}/accounts/${account_id}`, account_id)],
  ['For', purposeWords[payment.purpose]],
  ['Amount', money(amount_minor, currency)],
  ['Refunded', refunded_minor > 0 ? money(refunded_minor, currency) : null],
  ['Made by', payment.made_by],
  ['Provider', payment.provider],
  ['Id at the provider', payment.provider_id && ui.copyable(payment.provider_id)],
  ['Begun', ui.when(payment.created_at)],
  ['Changed', ui.when(payment.updated_at)],
])}
<h2>Refunds</h2>
${ui.listTable('Refunds', refunds, refundColumns(currency), ui.note('None.'))}
${
  state === 'succeeded' &&
  refundable > 0 &&
  html`<h2>Refund</h2>
<p>Up to ${money(refundable, currency)} can be refunded. The provider returns it to the card; the
ledger gets an entry, and what was invoiced stays invoiced.</p>
${ui.stackForm(`${PATH}/${id}/refund`, 'Refund', [
  ui.formId(),
  ui.field(`Amount in ${currency}`, { name: 'amount', required: true, maxlength: 15 }),
  reasonField(),
])}`
}`
}

const refundColumns = (currency: string): ui.Columns<acts.PaymentPage['refunds'][number]> => ({
  When: ({ created_at }) => ui.when(created_at),
  Amount: ({ amount_minor }) => ui.figure(money(amount_minor, currency)),
  State: ({ state }) => ui.badge(state, state === 'succeeded' ? 'good' : 'wait'),
  Why: ({ note }) => note,
  Failure: ({ reason }) => html`${reason ? html`<code>${reason}</code>` : '–'}`,
})
