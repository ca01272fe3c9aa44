import { readStatement } from '../../../../accounts/operations/read-statement.ts'
import type {
  Statement,
  StatementLine,
  StatementTotal,
} from '../../../../accounts/schema/statement.ts'
import { networkProfile } from '../../../../contract/rules/network.ts'
import * as ui from '../../components.ts'
import { textFields } from '../../forms.ts'
import { type Html, html } from '../../html.ts'
import { dateText, monthText } from '../../times.ts'
import { type Page, showPage } from '../page-kit.ts'
import { slotCell } from '../slot-time.ts'
import { exportLink } from './exports.ts'

/** `/dashboard/usage/statement`: the fees of a month, to read and to print. */
export const statement: Page = async (scope, { call }) => {
  scope.get('/dashboard/usage/statement', async (request, reply) => {
    const { month = new Date().toISOString().slice(0, 7) } = textFields(request.query, ['month'])
    const found = await call(request, readStatement, { month })
    const body = statementView(found, request.developer?.email ?? '')
    return showPage(reply, `Statement of ${monthText(found.month)}`, body, {
      styles: ['statement.css'],
      scripts: ['print-page.js'],
    })
  })
}

function statementView(found: Statement, email: string): Html {
  const { number, month, account, from, until, is_complete, note, lines, totals, pro } = found
  const last = new Date(Date.parse(until) - 1).toISOString()
  return html`
<p class="notice">${note}
${!is_complete && `${monthText(month)} is not over: fees may be added.`}</p>
${ui.facts([
  ['Statement', number],
  ['From', networkProfile.name],
  ['Account', html`${account.name}, ${email}<br>${ui.quiet(account.id)}`],
  ['Period', `${dateText(from)} to ${dateText(last)}, in UTC`],
])}
<div class="row screen"><print-page></print-page>
${lines.length > 0 && exportLink('fees', { month })}
${ui.link(`/dashboard/usage?month=${month}`, 'Usage and fees')}</div>
<h2>Totals</h2>
${ui.listTable('Totals', totals, totalColumns, ui.note('No fees in this month.'))}
${
  pro &&
  html`<h2>Pro tier</h2>${ui.table(
    ['For', 'Amount'],
    [[`Pro tier, ${monthText(pro.month)}`, ui.figure(pro.text)]],
    'Pro tier',
  )}`
}
<h2>Bookings</h2>
${ui.listTable('Fees of bookings', lines, lineColumns, ui.note('No fees of bookings.'))}
${
  found.lines_left_out > 0 &&
  html`<p>${ui.grouped(found.lines_left_out)} more entries are in the totals and in the CSV.</p>`
}`
}

const totalColumns: ui.Columns<StatementTotal> = {
  Currency: ({ currency }) => currency,
  Bookings: ({ bookings_text }) => ui.figure(bookings_text),
  'Pro tier': ({ pro_text }) => ui.figure(pro_text),
  Total: ({ total_text }) => ui.figure(html`<strong>${total_text}</strong>`),
  'Demo venues, never invoiced': ({ demo_text }) => ui.figure(demo_text),
}

const lineColumns: ui.Columns<StatementLine> = {
  'Accrued (UTC)': ({ created_at }) => dateText(created_at),
  Venue: ({ venue, party_size }) =>
    html`${venue}<span class="zone-name">${party_size} guests</span>`,
  Slot: (line) => slotCell(line),
  Booking: ({ booking_id }) =>
    ui.link(`/dashboard/bookings/${booking_id}`, html`<code>${booking_id}</code>`),
  Base: ({ base_text }) => ui.figure(base_text),
  Fee: ({ pct, text, kind, is_demo }) =>
    ui.figure(html`${text}<span class="zone-name"
>${pct} %${kind === 'reversal' && ', reversed'}${is_demo && ', demo'}</span>`),
}
