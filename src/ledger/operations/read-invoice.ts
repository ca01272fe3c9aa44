import { z } from 'zod'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { invoice, invoiceLine, MAX_LINES } from '../schema/invoices.ts'
import { countInvoiceLines, selectInvoiceLines } from '../store/invoices.ts'
import { invoiceId, ownInvoice } from './own-invoice.ts'

export const readInvoice = defineOperation({
  name: 'invoice',
  summary: 'One invoice with its lines',
  description:
    'Returns an invoice or credit note with its first lines: each has what was booked, the base, ' +
    'the rate and the amount, as they were when it was issued.',
  scope: 'usage',
  input: z.strictObject({ id: invoiceId }),
  output: z.object({
    invoice,
    account: z.object({ id: z.uuid(), name: z.string() }),
    lines: z.array(invoiceLine).describe(`Oldest first, up to ${MAX_LINES}`),
    lines_left_out: z.int(),
  }),
  errors: ['invoice_not_found'],
  async run(ctx, { id }) {
    const [row, lines, count] = await Promise.all([
      ownInvoice(ctx, id),
      selectInvoiceLines(ctx.db, id, { after: 0, limit: MAX_LINES }),
      countInvoiceLines(ctx.db, id),
    ])
    const { id: accountId, name } = accountOf(ctx)
    const account = { id: accountId, name }
    return { invoice: row, account, lines, lines_left_out: Math.max(0, count - lines.length) }
  },
})
