import type { z } from 'zod'
import { networkProfile } from '../../../base/network.ts'
import { createCsvExport } from '../../../doors/csv/csv-export.ts'
import { readInvoice } from '../../../ledger/operations/read-invoice.ts'
import type { InvoiceLine } from '../../../ledger/schema/invoices.ts'
import { catalogue } from '../../../network.ts'
import * as ui from '../../page/components.ts'
import { paramsOf } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { dateText, monthText } from '../../page/times.ts'
import { type Page, showPage } from '../page.ts'
import { slotCell } from '../slot-time.ts'
import { INVOICES, invoiceBadge } from './invoices.ts'

const lines = catalogue.find(({ a2a }) => a2a === 'invoice.lines')

/** `/dashboard/invoices/<id>`: one invoice, as a printable page and as CSV. */
export const invoice: Page = async (scope, deps) => {
  const { call, services } = deps
  scope.get(`${INVOICES}/:id`, async (request, reply) => {
    const details = await call(request, readInvoice, { id: paramsOf(request).id })
    const { kind, number } = details.invoice
    const title = `${kind === 'invoice' ? 'Invoice' : 'Credit note'} ${number}`
    const { status, is_test, due_minor } = details.invoice
    const canPay = services.payments && status === 'open' && !is_test && due_minor > 0
    return showPage(reply, title, invoiceView(details, Boolean(canPay)), {
      crumbs: [['Invoices', INVOICES]],
      styles: ['invoice.css'],
      scripts: ['print-page.js'],
    })
  })

  const sendCsv = createCsvExport(scope, deps)
  scope.get(`${INVOICES}/:id/lines.csv`, { exposeHeadRoute: false }, async (request, reply) => {
    if (!lines) throw new Error('there is no list of lines')
    const { id } = paramsOf(request)
    await call(request, lines.operation, { id, limit: 1 })
    return sendCsv(request, reply, { capability: lines, door: 'dashboard', input: { id } })
  })
}

type PageData = z.output<typeof readInvoice.output>

function invoiceView({ invoice, account, lines, lines_left_out }: PageData, canPay: boolean): Html {
  const { id, due_text, issued_at, due_at, paid_at, credit_minor, total_text } = invoice
  return html`
${invoice.is_test && html`<p class="notice">Test: test cards pay this, and no money moves.</p>`}
${ui.facts([
  ['To pay', html`<strong>${due_text}</strong>`],
  ['Status', invoiceBadge(invoice, new Date())],
  ['Due', invoice.status === 'open' ? dateText(due_at) : null],
  ['Paid', paid_at && dateText(paid_at)],
  ['Issued', dateText(issued_at)],
  ['Month', `${monthText(invoice.month)}, in UTC`],
  ['From', networkProfile.name],
  ['Billed to', html`${account.name}<br>${ui.quiet(account.id)}`],
  ['Cancels', invoice.credits && ui.link(`${INVOICES}/${invoice.credits}`, 'this invoice')],
])}
<div class="row screen">${canPay && ui.linkButton('/dashboard/plan#to-pay', 'Pay')}
<print-page></print-page>
${ui.link(`${INVOICES}/${id}/lines.csv`, 'CSV')}</div>
<h2>Lines</h2>
${ui.listTable('Lines', lines, columns)}
${
  lines_left_out > 0 &&
  html`<p>${ui.grouped(lines_left_out)} more lines are in the total and in the CSV.</p>`
}
<h2>Total</h2>
${ui.facts([
  ['Total', ui.figure(total_text)],
  ['Paid from credit', credit_minor > 0 ? ui.figure(invoice.credit_text) : null],
  ['Paid', invoice.paid_minor > credit_minor ? ui.figure(invoice.paid_text) : null],
  ['To pay', ui.figure(html`<strong>${due_text}</strong>`)],
])}`
}

const whatOf = ({ kind, description, party_size }: InvoiceLine) =>
  html`${kind === 'reversal' && 'Reversed: '}${description}${guestsOf(party_size)}`

const guestsOf = (size: number | null) =>
  size !== null && html`<span class="zone-name">${size} guests</span>`

const columns: ui.Columns<InvoiceLine> = {
  Date: ({ at }) => dateText(at),
  For: whatOf,
  Slot: ({ slot_time, timezone }) =>
    slot_time && timezone ? slotCell({ slot_time, timezone }) : '–',
  Booking: ({ booking_id }) =>
    booking_id
      ? ui.link(`/dashboard/bookings/${booking_id}`, html`<code>…${booking_id.slice(-8)}</code>`)
      : '–',
  Base: ({ base_text }) => ui.figure(base_text ?? '–'),
  Amount: ({ text, pct }) =>
    ui.figure(html`${text}${pct !== null && html`<span class="zone-name">${pct} %</span>`}`),
}
