import { money } from '../../base/money.ts'
import { corrections } from '../../ledger/rules/corrections.ts'
import type { LedgerPage } from '../../operators/operations/act-on-ledger.ts'
import { invoiceBadge } from '../dashboard/pages/invoices.ts'
import * as ui from '../page/components.ts'
import { withQuery } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'
import { monthText } from '../page/times.ts'
import { OPERATORS, reasonField } from './operators-page.ts'

/** An account's balances, corrections, invoices and entries. `form` identifies the correction. */
export function ledgerView(page: LedgerPage, form: string): Html {
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
