import { z } from 'zod'
import type { MonthlyFees } from '../../bookings/schema/fees.ts'
import { selectFeeLines } from '../../bookings/store/fee-lines.ts'
import { selectFees } from '../../bookings/store/fee-list.ts'
import { givenMonth, spanOf } from '../../contract/fields.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { withTexts } from '../../contract/twins.ts'
import type { PlanInvoice } from '../schema/plan.ts'
import { MAX_LINES, statement } from '../schema/statement.ts'
import { selectInvoices } from '../store/plans.ts'

const NOTE =
  'This is a statement of accrued fees. It is neither an invoice nor a receipt: when the month ' +
  'is over, its fees are on an invoice.'

export const readStatement = defineOperation({
  name: 'statement',
  summary: 'Read the statement of a month',
  description:
    'Returns the fees that the account accrued in a month (UTC): a line for each fee and ' +
    'reversal with what was booked, the fee of the pro tier, and the totals of each currency. ' +
    'It is a statement, not an invoice: ended months have invoices, at `GET /api/invoices`.',
  tier: 'free',
  mayLag: true,
  scope: 'usage',
  input: z.strictObject({ month: givenMonth.describe('YYYY-MM') }),
  output: statement,
  errors: [],
  async run(ctx, { month }) {
    const { id, name } = accountOf(ctx)
    const span = spanOf(month)
    const filter = { accountId: id, ...span, currency: null }
    const [found, { totals }, [pro = null]] = await Promise.all([
      selectFeeLines(ctx.db, id, span, MAX_LINES),
      selectFees(ctx.db, filter, { after: null, limit: 0 }),
      selectInvoices(ctx.db, id, 1, month),
    ])
    const entries = totals.reduce((sum, one) => sum + one.entries, 0)
    return {
      number: `${month.replace('-', '')}-${id.slice(-12).toUpperCase()}`,
      month,
      from: span.from.toISOString(),
      until: span.until.toISOString(),
      is_complete: span.until <= ctx.at,
      account: { id, name },
      lines: found.map((line) => withTexts({ ...line, text: '', base_text: '' })),
      lines_left_out: Math.max(0, entries - found.length),
      pro,
      totals: totalsOf(totals, pro),
      note: NOTE,
    }
  },
})

function totalsOf(fees: readonly MonthlyFees[], pro: PlanInvoice | null) {
  const currencies = new Set([...fees.map((one) => one.currency), ...(pro ? [pro.currency] : [])])
  return [...currencies].toSorted().map((currency) => {
    const sum = (isDemo: boolean) =>
      fees
        .filter((one) => one.currency === currency && one.is_demo === isDemo)
        .reduce((total, one) => total + one.total_minor, 0)
    const bookings_minor = sum(false)
    const pro_minor = pro?.currency === currency ? pro.amount_minor : 0
    const total_minor = bookings_minor + pro_minor
    return withTexts({ currency, bookings_minor, pro_minor, total_minor, demo_minor: sum(true) })
  })
}
