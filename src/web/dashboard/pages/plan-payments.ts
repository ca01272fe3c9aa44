import type { z } from 'zod'
import { Refusal } from '../../../base/errors.ts'
import type { listPayments } from '../../../payments/operations/read-payments.ts'
import type { due, payment } from '../../../payments/schema.ts'
import * as ui from '../../page/components.ts'
import { type Html, html } from '../../page/html.ts'
import { monthText } from '../../page/times.ts'
import { paymentBadge, purposeWords } from '../format-payment.ts'

type Listed = z.infer<typeof listPayments.output>
type Due = z.infer<typeof due>
type Payment = z.infer<typeof payment>

export const PAYMENTS = '/dashboard/payments'

/** The unpaid or undecided payment that a refusal names. Rethrows other errors. */
export function paymentOf(error: unknown): string {
  if (!(error instanceof Refusal)) throw error
  const { code, facts } = error.data
  if (code !== 'payment_required' && code !== 'payment_pending') throw error
  return String(facts.payment_id)
}

/** What a payment is for, in words. */
export const dueWords = ({ purpose, month, number }: Pick<Due, 'purpose' | 'month' | 'number'>) =>
  purpose === 'pro' ? `Pro, ${monthText(month)}` : `Invoice ${number}, ${monthText(month)}`

/** The account's unpaid dues, card on file and payments. */
export const paymentsView = ({ due, payments, ...listed }: Listed): Html => html`
${listed.collects && cardView(listed)}
${due.length > 0 && html`<h2 id="to-pay">To pay</h2>${ui.listTable('To pay', due, dueColumns)}`}
${
  (listed.collects || payments.length > 0) &&
  html`<h2>Payments</h2>${ui.listTable('Payments', payments, columns, ui.note('None yet.'))}`
}`

const cardView = ({ has_card, card, pays }: Pick<Listed, 'has_card' | 'card' | 'pays'>): Html => {
  const name = card ? html`${card.brand} ending in ${card.last4}` : 'A card'
  const fees = pays === 'plan' ? '' : 'It pays the fee of each booking as you book. '
  return html`
<h2>Card</h2>
<p>${has_card ? html`${name} is on file. ` : 'No card is on file. Add one here. '}${fees}Amounts due
are charged to it automatically.</p>
${ui.actionForm(`${PAYMENTS}/card`, has_card ? 'Change the card' : 'Add a card', {
  ...(pays === 'nothing' && { tone: 'main' as const }),
})}`
}

const dueColumns: ui.Columns<Due> = {
  For: dueWords,
  Issued: ({ issued_at }) => ui.when(issued_at),
  Amount: ({ text }) => ui.figure(text),
  '': ({ id }) =>
    ui.actionForm(PAYMENTS, 'Pay now', { more: ui.hidden('due_id', id), tone: 'main' }),
}

const columns: ui.Columns<Payment> = {
  Payment: ({ id }) => ui.rowLink(`${PAYMENTS}/${id}`, `…${id.slice(-8)}`),
  When: ({ created_at }) => ui.when(created_at),
  For: ({ purpose }) => purposeWords[purpose],
  Amount: ({ text }) => ui.figure(text),
  State: paymentBadge,
}
