import type { z } from 'zod'
import { readUsage } from '../../../accounts/operations/read-usage.ts'
import type { quotaToday } from '../../../accounts/schema/usage.ts'
import { money } from '../../../base/money.ts'
import { listFeeEntries } from '../../../bookings/operations/list-fees.ts'
import type { FeeEntry, MonthlyFees } from '../../../bookings/schema/fees.ts'
import { deliveryStats } from '../../../webhooks/operations/delivery-stats.ts'
import * as ui from '../../page/components.ts'
import { textFields, withQuery } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { monthText } from '../../page/times.ts'
import { type Page, showPage } from '../page.ts'
import { attemptsTable, bookingsByStatus, requestsPerDay } from '../trends.ts'
import { exportLink } from './exports.ts'

const PATH = '/dashboard/usage'

/** `/dashboard/usage`: today’s quota, and one month's requests, bookings and fees. */
export const usage: Page = async (scope, { call }) => {
  scope.get(PATH, async (request, reply) => {
    const { month: monthFilter, cursor } = textFields(request.query, ['month', 'cursor'])
    const input = { month: monthFilter ?? new Date().toISOString().slice(0, 7) }
    const [{ today, days, month }, { entries, next_cursor }, { spans }] = await Promise.all([
      call(request, readUsage, input),
      call(request, listFeeEntries, { ...input, cursor }),
      call(request, deliveryStats, {}),
    ])
    const name = month.month
    const endpoints = ui.link('/dashboard/webhooks', 'Endpoints')
    const body = html`
${quota(today, request.keyHolder?.tier === 'free')}
<h2>Requests</h2>
${requestsPerDay(days)}
<p>${ui.link('/dashboard/requests', 'See the request log')}</p>
<h2>Webhooks, the last 24 hours</h2>
${attemptsTable(spans) ?? html`<p class="quiet">Nothing was sent. ${endpoints}</p>`}
<h2>Bookings and fees, ${monthText(name)}</h2>
<p>${ui.link('/dashboard/invoices', 'Invoices')}</p>
<p>${monthLink(name, -1, 'Previous month')}
${!today.day.startsWith(name) && html` · ${monthLink(name, 1, 'Next month')}`}</p>
${bookingsByStatus(month.by_status)}
${
  month.fees.length > 0 &&
  html`<h3>Totals</h3>${ui.listTable('Totals of fees', month.fees, totalColumns)}`
}
${
  entries.length === 0
    ? ui.note('No fees this month.')
    : html`<h3>Entries</h3>${ui.listTable('Fees', entries, entryColumns)}`
}
${entries.length > 0 && exportLink('fees', { month: name })}
${ui.pager(next_cursor, (next) => withQuery(PATH, { month: name, cursor: next }))}`
    return showPage(reply, 'Usage and fees', body)
  })
}

type Quota = z.infer<typeof quotaToday>

const quota = ({ used, limit, remaining, resets_at }: Quota, isFree: boolean): Html => html`
<h2 id="quota">Today</h2>
<p><progress aria-labelledby="quota" max="${limit}" value="${Math.min(used, limit)}"
>${used} of ${limit}</progress></p>
<p>${ui.grouped(used)} of ${ui.grouped(limit)} requests used, ${ui.grouped(remaining)} left.
Resets ${ui.when(resets_at)}.${
  isFree && html` ${ui.link('/dashboard/plan', 'Upgrade')} for a higher limit.`
}</p>`

function monthLink(month: string, step: 1 | -1, label: string): Html {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const other = new Date(Date.UTC(year, number - 1 + step)).toISOString().slice(0, 7)
  return ui.link(withQuery(PATH, { month: other }), `${label}, ${monthText(other)}`)
}

const venueWords = (fee: { is_demo: boolean }) => (fee.is_demo ? 'demo, not charged' : 'real')

const totalColumns: ui.Columns<MonthlyFees> = {
  Currency: ({ currency }) => currency,
  Entries: ({ entries }) => entries,
  Accrued: ({ accrued_minor, currency }) => ui.figure(money(accrued_minor, currency)),
  Reversed: ({ reversed_minor, currency }) => ui.figure(money(reversed_minor, currency)),
  Total: ({ total_minor, currency }) => ui.figure(money(total_minor, currency)),
  Venues: venueWords,
}

const entryColumns: ui.Columns<FeeEntry> = {
  Booking: ({ booking_id }) =>
    ui.rowLink(`/dashboard/bookings/${booking_id}`, `…${booking_id.slice(-8)}`),
  When: ({ created_at }) => ui.when(created_at),
  Kind: ({ kind }) => kind,
  Base: ({ base_minor, currency }) => ui.figure(money(base_minor, currency)),
  Rate: ({ pct }) => ui.figure(`${pct} %`),
  Amount: ({ amount_minor, currency }) => ui.figure(money(amount_minor, currency)),
  Venue: venueWords,
}
