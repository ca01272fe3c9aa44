import { byId, capability } from '../contract/capability.ts'
import type { Room } from '../contract/room.ts'
import { listInvoiceLines } from './operations/list-invoice-lines.ts'
import { listInvoices } from './operations/list-invoices.ts'
import { readBalance } from './operations/read-balance.ts'
import { readInvoice } from './operations/read-invoice.ts'

const invoiceColumns = [
  ...['id', 'number', 'kind', 'month', 'currency', 'total_minor', 'total_text', 'credit_minor'],
  ...['paid_minor', 'due_minor', 'due_text', 'status', 'issued_at', 'due_at', 'paid_at'],
  ...['voided_at', 'credits', 'is_test'],
]

const lineColumns = [
  ...['position', 'at', 'kind', 'description', 'booking_id', 'slot_time', 'timezone', 'party_size'],
  ...['base_minor', 'base_text', 'pct', 'amount_minor', 'text', 'currency'],
]

const capabilities = [
  capability(readBalance, 'GET /api/balance', 'balance.get', {}),
  capability(
    listInvoices,
    'GET /api/invoices',
    'invoice.list',
    { status: 'open' },
    {
      csv: { list: 'invoices', columns: invoiceColumns },
    },
  ),
  capability(readInvoice, 'GET /api/invoices/{id}', 'invoice.get', byId),
  capability(listInvoiceLines, 'GET /api/invoices/{id}/lines', 'invoice.lines', byId, {
    csv: { list: 'lines', columns: lineColumns },
  }),
]

/** An account's balance and invoices. */
export const ledger = {
  name: 'ledger',
  comesLast: true,
  capabilities,
} as const satisfies Room
