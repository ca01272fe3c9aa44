import { randomUUID } from 'node:crypto'
import { refuse } from '../../base/errors.ts'
import { money, toMinor } from '../../base/money.ts'
import { corrections, isCorrection } from '../../ledger/rules/corrections.ts'
import type { LedgerPage } from '../../operators/operations/act-on-ledger.ts'
import * as operations from '../../operators/operations/act-on-ledger.ts'
import { askFirst, type Page, redirectDone } from '../dashboard/page.ts'
import { invoiceBadge } from '../dashboard/pages/invoices.ts'
import * as ui from '../page/components.ts'
import { doneNotice, paramsOf, textFields, withQuery } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'
import { monthText } from '../page/times.ts'
import { idOf, OPERATORS, reasonedAct, reasonField, showOperators } from './operators-page.ts'

const PATH = `${OPERATORS}/accounts/:id/ledger`

const notices = {
  corrected: 'Entry added to the ledger.',
  voided: 'Invoice voided by a credit note.',
}

/** `/dashboard/operators/accounts/<id>/ledger`: an account's ledger, and forms to correct it. */
export const ledger: Page = async (scope, { services }) => {
  scope.get(PATH, async (request, reply) => {
    const { cursor } = textFields(request.query, ['cursor'])
    const after = cursor === undefined ? null : idOf(cursor)
    const page = await operations.readLedger(services, idOf(paramsOf(request).id), after)
    const title = `Ledger of ${page.account.name}`
    return showOperators(reply, [title, 'Accounts'], ledgerView(page, randomUUID()), {
      notice: doneNotice(request, notices),
    })
  })

  scope.post(`${PATH}/correct`, async (request, reply) => {
    const id = idOf(paramsOf(request).id)
    const names = ['correction', 'amount', 'currency', 'form'] as const
    const { correction, amount, currency = '', form = '' } = textFields(request.body, names)
    if (!isCorrection(correction)) throw refuse('form_incomplete', 'Choose what to do.')
    if (!/^[A-Z]{3}$/.test(currency)) {
      throw refuse('form_incomplete', 'Give a currency as its ISO 4217 code, as in IDR.')
    }
    const entry = { correction, currency, amountMinor: minorOf(amount, currency), form: idOf(form) }
    const act = reasonedAct(request, id)
    const path = `${OPERATORS}/accounts/${id}/ledger`
    const question = {
      title: `${corrections[correction].words}: ${money(entry.amountMinor, currency)}?`,
      text: 'An entry is permanent. Only another entry can offset it.',
      button: 'Add the entry',
      back: [path, 'Add nothing'],
    } as const
    const subject = () => operations.readLedger(services, id, null)
    if (await askFirst(reply, question, subject)) return reply
    await operations.correct(services, act, entry)
    return redirectDone(reply, path, 'corrected')
  })

  scope.post(`${PATH}/void`, async (request, reply) => {
    const id = idOf(paramsOf(request).id)
    const invoice = idOf(textFields(request.body, ['invoice']).invoice ?? '')
    const act = reasonedAct(request, id)
    const path = `${OPERATORS}/accounts/${id}/ledger`
    const question = {
      title: 'Take the invoice back?',
      text: 'The account gets a credit note for the full amount and no longer owes any of it.',
      button: 'Take it back',
      back: [path, 'Keep the invoice'],
    } as const
    const subject = () => operations.readLedger(services, id, null)
    if (await askFirst(reply, question, subject)) return reply
    await operations.takeBack(services, act, invoice)
    return redirectDone(reply, path, 'voided')
  })
}

/** A typed amount in minor units; it must not have more decimals than its currency. */
function minorOf(text = '', currency: string): number {
  const minor = toMinor(Number(text), currency)
  const isExact = toMinor(1, currency) * Number(text) - minor
  if (!/^\d{1,12}(\.\d{1,4})?$/.test(text) || minor <= 0 || Math.abs(isExact) > 1e-4) {
    throw refuse('form_incomplete', `Give an amount in ${currency}, as in 250000 or 3.85.`)
  }
  return minor
}

/** An account's balances, corrections, invoices and entries. `form` identifies the correction. */
function ledgerView(page: LedgerPage, form: string): Html {
  const { account, balances, invoices, entries, next } = page
  const path = `${OPERATORS}/accounts/${account.id}/ledger`
  return html`
<p>${ui.link(`${OPERATORS}/accounts/${account.id}`, account.name)}</p>
<h2>Balances</h2>
<p>Debits less credits. The balances of a currency add up to zero.</p>
${ui.listTable('Balances', balances, balanceColumns, ui.note('No entries yet.'))}
<h2>Change</h2><div class="acts">
<details class="act"><summary>Add a correction</summary>
${ui.stackForm(`${path}/correct`, 'Add the entry', [
  html`<p>Entries are never changed or deleted: a wrong entry stays, next to its correction.</p>`,
  ui.hidden('form', form),
  ui.choice('What', 'correction', words, undefined),
  ui.field('Amount', { name: 'amount', required: true, maxlength: 17 }),
  ui.field('Currency', { name: 'currency', required: true, maxlength: 3 }, 'As in IDR.'),
  reasonField('The account sees it in its audit log, and on the invoice.'),
])}</details></div>
<h2>Invoices</h2>
${ui.listTable('Invoices', invoices, invoiceColumns(path), ui.note('None yet.'))}
<h2>Entries</h2>
${ui.listTable('Entries', entries, entryColumns, ui.note('None yet.'))}
${ui.pager(next, (cursor) => withQuery(path, { cursor }))}`
}

const words = Object.fromEntries(
  Object.entries(corrections).map(([name, { words }]) => [name, words]),
)

const balanceColumns: ui.Columns<LedgerPage['balances'][number]> = {
  Currency: ({ currency }) => currency,
  Account: ({ account }) => account,
  Debits: ({ debit_minor, currency }) => ui.figure(money(debit_minor, currency)),
  Credits: ({ credit_minor, currency }) => ui.figure(money(credit_minor, currency)),
  Balance: ({ balance_minor, currency }) => ui.figure(money(balance_minor, currency)),
}

const invoiceColumns = (path: string): ui.Columns<LedgerPage['invoices'][number]> => ({
  Number: ({ number }) => html`<code>${number}</code>`,
  Month: ({ month }) => monthText(month),
  Status: (invoice) => invoiceBadge(invoice, new Date()),
  Total: ({ total_text }) => ui.figure(total_text),
  'To pay': ({ due_text }) => ui.figure(due_text),
  '': ({ id, number, status }) =>
    status === 'open'
      ? html`<details class="act"><summary>Take back</summary>
${ui.stackForm(
  `${path}/void`,
  `Take back ${number}`,
  [ui.hidden('invoice', id), reasonField('The account sees it on the credit note.')],
  'danger',
)}</details>`
      : '',
})

const entryColumns: ui.Columns<LedgerPage['entries'][number]> = {
  When: ({ at }) => ui.when(at),
  Kind: ({ kind }) => kind.replace('_', ' '),
  Debit: ({ debit }) => debit,
  Credit: ({ credit }) => credit,
  Amount: ({ amount_minor, currency }) => ui.figure(money(amount_minor, currency)),
  Source: ({ source_kind, source_id }) =>
    html`${source_kind.replace('_', ' ')} <code>…${source_id.slice(-8)}</code>`,
  Note: ({ note }) => note ?? '–',
}
