import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { readUsage } from '../../../../accounts/operations/read-usage.ts'
import type { DayOfCalls, monthOfUse, quotaToday } from '../../../../accounts/schema/usage.ts'
import { listFeeEntries } from '../../../../bookings/operations/list-fees.ts'
import type { FeeEntry, MonthlyFees } from '../../../../bookings/schema/fees.ts'
import { money } from '../../../../contract/rules/money.ts'
import { deliveryStats } from '../../../../webhooks/operations/delivery-stats.ts'
import type { DeliverySpan } from '../../../../webhooks/schema/deliveries.ts'
import { bookingsByState } from '../../charts/bookings-by-state.ts'
import { deliveryLatency, deliveryOutcomes } from '../../charts/delivery-charts.ts'
import { requestsPerDay } from '../../charts/requests-per-day.ts'
import { pager } from '../../components/list.ts'
import { table } from '../../components/table.ts'
import { when } from '../../components/time.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { address, given } from '../../query.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'

const PATH = '/dashboard/usage'

/** `/dashboard/usage`: today’s quota, the requests of a month, and the bookings and fees of one. */
export async function usage(scope: FastifyInstance, { call }: DashboardDeps) {
  scope.get(PATH, async (request, reply) => {
    const { month, cursor } = given(request.query, ['month', 'cursor'])
    const of = month ?? new Date().toISOString().slice(0, 7)
    const [used, fees, sent] = await Promise.all([
      call(request, readUsage, { month: of }),
      call(request, listFeeEntries, { month: of, ...(cursor && { cursor }) }),
      call(request, deliveryStats, {}),
    ])
    const body = usageView({ ...used, fees, spans: sent.spans })
    const view = {
      title: 'Usage and fees',
      section: 'usage',
      body,
      styles: ['charts.css'],
    } as const
    return sendPage(reply, dashboardPage(request, view))
  })
}

type UsagePage = {
  today: z.infer<typeof quotaToday>
  days: readonly DayOfCalls[]
  month: z.infer<typeof monthOfUse>
  fees: { entries: readonly FeeEntry[]; next_cursor: string | null }
  spans: readonly DeliverySpan[]
}

/** What was used, drawn where that says more than figures. */
const usageView = ({ today, days, month, fees, spans }: UsagePage): Html => html`
${quota(today)}
<h2>Requests</h2>
${requestsPerDay('requests', days)}
<p><a href="/dashboard/requests">See the request log</a></p>
<h2>Webhooks, the last 24 hours</h2>
${
  spans.some(({ succeeded, failed }) => succeeded + failed > 0)
    ? html`<div class="charts">${deliveryOutcomes('attempts', spans)}${deliveryLatency('latency', spans)}</div><p class="quiet">These figures are up to a minute old.</p>`
    : html`<p class="quiet">Nothing was sent. <a href="/dashboard/webhooks">Endpoints</a></p>`
}
<h2>Bookings and fees of ${month.month}</h2>
<p>${monthLink(month.month, -1, 'Previous month')}${today.day.startsWith(month.month) ? '' : html` · ${monthLink(month.month, 1, 'Next month')}`}</p>
${bookingsByState('bookings', month.by_status, `Bookings made in ${month.month}`)}
${totals(month.fees)}
${
  fees.entries.length === 0
    ? html`<p class="quiet">No fees this month.</p>`
    : html`<h3>Entries</h3>${table(['When', 'Booking', 'Kind', 'Base', '%', 'Amount', 'Venue'], fees.entries.map(entryRow), 'Fees')}`
}
${pager(fees.next_cursor, (cursor) => address(PATH, { month: month.month, cursor }))}`

const quota = ({ used, limit, remaining, resets_at }: UsagePage['today']): Html => html`
<h2 id="quota">Today</h2>
<p><progress aria-labelledby="quota" max="${limit}" value="${Math.min(used, limit)}">${used} of ${limit}</progress></p>
<p>${count(used)} of ${count(limit)} requests used, ${count(remaining)} left. Resets ${when(resets_at)}. <a href="/dashboard/plan">Upgrade</a> for a higher limit.</p>`

function monthLink(month: string, step: 1 | -1, words: string): Html {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const other = new Date(Date.UTC(year, number - 1 + step)).toISOString().slice(0, 7)
  return html`<a href="${address(PATH, { month: other })}">${words}, ${other}</a>`
}

const totals = (fees: readonly MonthlyFees[]): Html =>
  fees.length === 0
    ? html``
    : html`<h3>Totals</h3>${table(
        ['Currency', 'Entries', 'Accrued', 'Reversed', 'Total', 'Venues'],
        fees.map((one) => [
          one.currency,
          one.entries,
          money(one.accrued_minor, one.currency),
          money(one.reversed_minor, one.currency),
          money(one.total_minor, one.currency),
          venueWords(one.is_demo),
        ]),
        'Totals of fees',
      )}`

const entryRow = (fee: FeeEntry) => [
  when(fee.created_at),
  html`<a href="/dashboard/bookings/${fee.booking_id}">${fee.booking_id.slice(0, 8)}</a>`,
  fee.kind,
  money(fee.base_minor, fee.currency),
  fee.pct,
  money(fee.amount_minor, fee.currency),
  venueWords(fee.is_demo),
]

const venueWords = (isDemo: boolean): string => (isDemo ? 'demo, never invoiced' : 'real')

const count = (number: number): string => number.toLocaleString('en')
