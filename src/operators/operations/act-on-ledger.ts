import { refuse } from '../../base/errors.ts'
import { money } from '../../base/money.ts'
import type { Services } from '../../contract/operation.ts'
import type { Correction } from '../../ledger/rules/corrections.ts'
import { correctLedger } from '../../ledger/steps/correct-ledger.ts'
import { voidInvoice } from '../../ledger/steps/void-invoice.ts'
import { balancesOf } from '../../ledger/store/balances.ts'
import { selectEntries } from '../../ledger/store/entry-list.ts'
import { selectInvoiceList } from '../../ledger/store/invoices.ts'
import { endDunning } from '../../payments/steps/end-dunning.ts'
import { transaction } from '../../platform/database/sql.ts'
import { accountOfAct, recordAct } from '../steps/act.ts'
import { selectAnyAccount } from '../store/accounts.ts'
import type { Reasoned } from './act-on-account.ts'

const PAGE = 50
type Deps = Pick<Services, 'db'>

const anyInvoice = { month: null, status: null, currency: null }

/** An account's balances, invoices and entries, even if it was deleted. Throws `page_not_found`. */
export async function readLedger({ db }: Deps, accountId: string, after: string | null) {
  const account = await selectAnyAccount(db, accountId)
  if (!account) throw refuse('page_not_found', 'There is no such account.')
  const [balances, invoices, rows] = await Promise.all([
    balancesOf(db, accountId),
    selectInvoiceList(db, { accountId, ...anyInvoice }, { after: null, limit: PAGE }),
    selectEntries(db, accountId, { after, limit: PAGE + 1 }),
  ])
  const entries = rows.slice(0, PAGE)
  const next = rows.length > PAGE ? (entries.at(-1)?.id ?? null) : null
  return { account, balances, invoices, entries, next }
}
export type LedgerPage = Awaited<ReturnType<typeof readLedger>>

type Corrected = { correction: Correction; currency: string; amountMinor: number; form: string }

/** Corrects a ledger and records the reason; a form submitted twice counts once. */
export const correct = ({ db }: Deps, act: Reasoned, request: Corrected) =>
  transaction(db, async (tx) => {
    const accountId = accountOfAct(act)
    if (!(await selectAnyAccount(tx, accountId))) throw refuse('page_not_found')
    const { form: id, ...what } = request
    const of = { ...what, accountId, id, reason: act.reason, at: act.by.at }
    const result = await correctLedger(tx, of)
    if (result === 'too_much') {
      throw refuse('form_incomplete', 'The account has less than that in credit.')
    }
    if (result === 'done') return
    const { correction, currency, amountMinor } = request
    const details = { correction, amount: money(amountMinor, currency) }
    await recordAct(tx, act, 'ledger.corrected', { id, details })
  })

/** Voids an open invoice with a credit note, stops its dunning, and records the reason. */
export const takeBack = ({ db }: Deps, act: Reasoned, invoiceId: string) =>
  transaction(db, async (tx) => {
    const note = { reason: act.reason, at: act.by.at }
    const invoice = await voidInvoice(tx, accountOfAct(act), invoiceId, note)
    if (!invoice) throw refuse('page_not_found', 'There is no such invoice.')
    if (invoice.status === 'void') return
    if (invoice.status === 'paid') {
      throw refuse('form_incomplete', 'The invoice is paid. Give credit or refund it instead.')
    }
    await endDunning(tx, invoiceId, { paidAt: null, at: act.by.at })
    await recordAct(tx, act, 'invoice.voided', { id: invoiceId, name: invoice.number })
  })
