import { z } from 'zod'
import { decodeCursor, encodeCursor, pageOf } from '../../contract/cursor.ts'
import { defineOperation } from '../../contract/operation.ts'
import { nextCursor, pageInput } from '../../contract/public.ts'
import { invoiceLine } from '../schema/invoices.ts'
import { selectInvoiceLines } from '../store/invoices.ts'
import { invoiceId, ownInvoice } from './own-invoice.ts'

const position = z.tuple([z.int32()])

export const listInvoiceLines = defineOperation({
  name: 'invoice lines',
  summary: 'All lines of an invoice',
  description: 'Lists what an invoice or credit note charges or credits, oldest first.',
  scope: 'usage',
  input: z.strictObject({
    id: invoiceId,
    ...pageInput,
    limit: z.int().min(1).max(500).default(100),
  }),
  output: z.object({ lines: z.array(invoiceLine), next_cursor: nextCursor }),
  errors: ['invoice_not_found', 'invalid_cursor'],
  async run(ctx, { id, limit, cursor }) {
    const [after] = decodeCursor(position, cursor) ?? [0]
    const [, lines] = await Promise.all([
      ownInvoice(ctx, id),
      selectInvoiceLines(ctx.db, id, { after, limit: limit + 1 }),
    ])
    const { rows, next_cursor } = pageOf(lines, limit, (last) => encodeCursor([last.position]))
    return { lines: rows, next_cursor }
  },
})
