import { z } from 'zod'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { drawInvoice } from '../invoice-pdf.ts'
import { countInvoiceLines, selectInvoiceLines } from '../store/invoices.ts'
import { invoiceId, ownInvoice } from './own-invoice.ts'

/** Lines that are printed: about 20 pages. */
const MAX_PRINTED = 500

export const readInvoicePdf = defineOperation({
  name: 'invoice PDF',
  summary: 'One invoice as a PDF',
  description:
    `Answers the invoice as a PDF with its first ${MAX_PRINTED} lines: at REST the file, ` +
    'elsewhere its base64.',
  tier: 'free',
  scope: 'usage',
  input: z.strictObject({ id: invoiceId }),
  output: z.object({
    file_name: z.string(),
    media_type: z.string(),
    pdf: z.string().describe('The file in base64'),
  }),
  errors: ['invoice_not_found'],
  async run(ctx, { id }) {
    const [invoice, lines, count] = await Promise.all([
      ownInvoice(ctx, id),
      selectInvoiceLines(ctx.db, id, { after: 0, limit: MAX_PRINTED }),
      countInvoiceLines(ctx.db, id),
    ])
    const left = count - lines.length
    const account = accountOf(ctx)
    ctx.charge?.(10)
    const pdf = await drawInvoice({ invoice, account, lines, left, site: ctx.settings.publicUrl })
    return {
      file_name: `${invoice.number}.pdf`,
      media_type: 'application/pdf',
      pdf: pdf.toString('base64'),
    }
  },
})
