import { z } from 'zod'
import { decodeCursor, encodeCursor, pageOf } from '../../contract/cursor.ts'
import { givenCurrency, givenMonth } from '../../contract/fields.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { nextCursor, pageInput } from '../../contract/public.ts'
import { invoiceStatuses } from '../rules/invoices.ts'
import { invoice } from '../schema/invoices.ts'
import { selectInvoiceList } from '../store/invoices.ts'

const position = z.tuple([z.int32()])

export const listInvoices = defineOperation({
  name: 'invoices',
  summary: 'The invoices of your account',
  description:
    'Lists the invoices and credit notes of the account, newest first. When a month (UTC) is ' +
    'over, its fees, their reversals and the pro tier become one invoice for each currency.',
  scope: 'usage',
  input: z.strictObject({
    month: givenMonth.optional().describe('Only this month, in UTC'),
    status: z.enum(invoiceStatuses).optional(),
    currency: givenCurrency.optional(),
    ...pageInput,
  }),
  output: z.object({ invoices: z.array(invoice), next_cursor: nextCursor }),
  errors: ['invalid_cursor'],
  async run(ctx, { month = null, status = null, currency = null, limit, cursor }) {
    const [after] = decodeCursor(position, cursor) ?? [null]
    const filter = { accountId: accountOf(ctx).id, month, status, currency }
    const invoices = await selectInvoiceList(ctx.db, filter, { after, limit: limit + 1 })
    const { rows, next_cursor } = pageOf(invoices, limit, (last) => encodeCursor([last.sequence]))
    return { invoices: rows, next_cursor }
  },
})
