import { z } from 'zod'
import { decodeCursor, encodeCursor, pageOf, timePosition } from '../../contract/cursor.ts'
import { givenCurrency, givenMonth, spanOf } from '../../contract/fields.ts'
import { accountOf, type Context, defineOperation } from '../../contract/operation.ts'
import { nextCursor, pageInput } from '../../contract/public.ts'
import { feeEntry, monthlyFees } from '../schema/fees.ts'
import { selectFees } from '../store/fee-list.ts'

const input = z.strictObject({
  month: givenMonth.optional().describe('Only this month, in UTC'),
  currency: givenCurrency.optional(),
  ...pageInput,
})

export const listFees = defineOperation({
  name: 'fees',
  summary: 'The fees of your account',
  description:
    'Lists what each booking cost and what was reversed, newest first, with the totals of each ' +
    'month and currency. The totals cover all entries that match the filter, not only those on ' +
    'the page.',
  scope: 'usage',
  input,
  output: z.object({
    entries: z.array(feeEntry),
    totals: z.array(monthlyFees),
    next_cursor: nextCursor,
  }),
  errors: ['invalid_cursor'],
  run: (ctx, query) => feesOf(ctx, query),
})

/** `fees` without totals, for pages that already have them. Not in the catalogue. */
export const listFeeEntries = defineOperation({
  ...listFees,
  output: listFees.output.omit({ totals: true }),
  async run(ctx, query) {
    const { entries, next_cursor } = await feesOf(ctx, query, { withoutTotals: true })
    return { entries, next_cursor }
  },
})

async function feesOf(
  ctx: Context,
  { month, currency, limit, cursor }: z.output<typeof input>,
  parts: { withoutTotals?: true } = {},
) {
  const filter = {
    accountId: accountOf(ctx).id,
    ...(month === undefined ? always : spanOf(month)),
    currency: currency ?? null,
  }
  const after = decodeCursor(timePosition, cursor)
  const fees = await selectFees(ctx.db, filter, { after, limit: limit + 1, ...parts })
  const page = pageOf(fees.entries, limit, (last) => encodeCursor([last.created_at, last.id]))
  return { entries: page.rows, totals: fees.totals, next_cursor: page.next_cursor }
}

const always = { from: null, until: null }
