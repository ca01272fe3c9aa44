import { listInvoices } from '../../../ledger/operations/list-invoices.ts'
import { readBalance } from '../../../ledger/operations/read-balance.ts'
import type { AccountBalance } from '../../../ledger/schema/balance.ts'
import type { Invoice } from '../../../ledger/schema/invoices.ts'
import * as ui from '../../page/components.ts'
import { textFields, withQuery } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { dateText, monthText } from '../../page/times.ts'
import { type Page, showPage } from '../page.ts'

export const INVOICES = '/dashboard/invoices'

/** `/dashboard/invoices`: the account's debts, credit and invoices. */
export const invoices: Page = async (scope, { call }) => {
  scope.get(INVOICES, async (request, reply) => {
    const { cursor, status } = textFields(request.query, ['cursor', 'status'])
    const [{ balances }, { invoices, next_cursor }] = await Promise.all([
      call(request, readBalance, {}),
      call(request, listInvoices, { cursor, status }),
    ])
    const thisMonth = new Date().toISOString().slice(0, 7)
    const none = status
      ? ui.empty('No invoice matches', 'Try another status.')
      : ui.empty('No invoices yet', 'When a month is over, its fees become an invoice here.')
    const body = html`
<p>When a month (UTC) is over, its fees and the pro tier become an invoice for each currency.
${ui.link(`/dashboard/usage?month=${thisMonth}`, 'Fees of this month')}</p>
${balances.length > 0 && html`<h2>Balance</h2>${ui.listTable('Balance', balances, balanceColumns)}`}
${balances.length > 0 && html`<h2>Invoices</h2>`}
${
  (invoices.length > 0 || status) &&
  ui.filterForm(INVOICES, [
    ui.choice('Status', 'status', ui.anyOf(['open', 'paid', 'void']), status),
  ])
}
${ui.listTable('Invoices', invoices, columns, none)}
${ui.pager(next_cursor, (next) => withQuery(INVOICES, { status, cursor: next }))}`
    return showPage(reply, 'Invoices', body)
  })
}

const balanceColumns: ui.Columns<AccountBalance> = {
  Currency: ({ currency }) => currency,
  'To pay': ({ due_text }) => ui.figure(html`<strong>${due_text}</strong>`),
  'Not invoiced yet': ({ unbilled_text }) => ui.figure(unbilled_text),
  'Your credit': ({ credit_text }) => ui.figure(credit_text),
}

/** The status of an invoice, with its due date. */
export function invoiceBadge({ status, kind, due_at, is_test }: Invoice, at: Date): Html {
  const test = is_test && html` ${ui.badge('test', 'info')}`
  if (kind === 'credit_note') return html`${ui.badge('credit note', 'quiet')}${test}`
  if (status === 'paid') return html`${ui.badge('paid', 'good')}${test}`
  if (status === 'void') return html`${ui.badge('void', 'quiet')}${test}`
  const isLate = Date.parse(due_at) < at.getTime()
  return html`${ui.badge(isLate ? 'overdue' : 'open', isLate ? 'bad' : 'wait')}${test}`
}

const columns: ui.Columns<Invoice> = {
  Number: ({ id, number }) => ui.rowLink(`${INVOICES}/${id}`, number),
  Month: ({ month }) => monthText(month),
  Status: (invoice) => invoiceBadge(invoice, new Date()),
  Total: ({ total_text }) => ui.figure(total_text),
  'To pay': ({ due_text }) => ui.figure(due_text),
  Due: ({ status, due_at }) => (status === 'open' ? dateText(due_at) : '–'),
}
