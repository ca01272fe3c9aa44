import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { accountOf, type Context } from '../../contract/operation.ts'
import { selectOptionalInvoice } from '../store/invoices.ts'

export const invoiceId = z.uuid().describe('Invoice id, from the list of invoices')

/** An invoice of the caller's account; throws `invoice_not_found`. */
export async function ownInvoice(ctx: Pick<Context, 'account' | 'db'>, id: string) {
  const invoice = await selectOptionalInvoice(ctx.db, accountOf(ctx).id, id)
  if (!invoice) throw refuse('invoice_not_found')
  return invoice
}
