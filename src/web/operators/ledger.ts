import { randomUUID } from 'node:crypto'
import { refuse } from '../../base/errors.ts'
import { money, toMinor } from '../../base/money.ts'
import { corrections, isCorrection } from '../../ledger/rules/corrections.ts'
import * as operations from '../../operators/operations/act-on-ledger.ts'
import { askFirst, type Page, redirectDone } from '../dashboard/page.ts'
import { doneNotice, paramsOf, textFields } from '../page/forms.ts'
import { ledgerView } from './ledger-view.ts'
import { idOf, OPERATORS, reasonedAct, showOperators } from './operators-page.ts'

const PATH = `${OPERATORS}/accounts/:id/ledger`

const notices = {
  corrected: 'Entry added to the ledger.',
  voided: 'Invoice voided by a credit note.',
}

/** `/dashboard/operators/accounts/<id>/ledger`: an account's ledger, and forms to correct it. */
export const ledger: Page = async (scope, { services }) => {
  scope.get(PATH, async (request, reply) => {
    const { cursor } = textFields(request.query, ['cursor'])
    const after = cursor === undefined ? null : idOf(cursor)
    const page = await operations.readLedger(services, idOf(paramsOf(request).id), after)
    const title = `Ledger of ${page.account.name}`
    return showOperators(reply, [title, 'Accounts'], ledgerView(page, randomUUID()), {
      notice: doneNotice(request, notices),
    })
  })

  scope.post(`${PATH}/correct`, async (request, reply) => {
    const id = idOf(paramsOf(request).id)
    const names = ['correction', 'amount', 'currency', 'form'] as const
    const { correction, amount, currency = '', form = '' } = textFields(request.body, names)
    if (!isCorrection(correction)) throw refuse('form_incomplete', 'Choose what to do.')
    if (!/^[A-Z]{3}$/.test(currency)) {
      throw refuse('form_incomplete', 'Give a currency as its ISO 4217 code, as in IDR.')
    }
    const entry = { correction, currency, amountMinor: minorOf(amount, currency), form: idOf(form) }
    const act = reasonedAct(request, id)
    const path = `${OPERATORS}/accounts/${id}/ledger`
    const question = {
      title: `${corrections[correction].words}: ${money(entry.amountMinor, currency)}?`,
      text: 'An entry is permanent. Only another entry can offset it.',
      button: 'Add the entry',
      back: [path, 'Add nothing'],
    } as const
    const subject = () => operations.readLedger(services, id, null)
    if (await askFirst(reply, question, subject)) return reply
    await operations.correct(services, act, entry)
    return redirectDone(reply, path, 'corrected')
  })

  scope.post(`${PATH}/void`, async (request, reply) => {
    const id = idOf(paramsOf(request).id)
    const invoice = idOf(textFields(request.body, ['invoice']).invoice ?? '')
    const act = reasonedAct(request, id)
    const path = `${OPERATORS}/accounts/${id}/ledger`
    const question = {
      title: 'Take the invoice back?',
      text: 'The account gets a credit note for the full amount and no longer owes any of it.',
      button: 'Take it back',
      back: [path, 'Keep the invoice'],
    } as const
    const subject = () => operations.readLedger(services, id, null)
    if (await askFirst(reply, question, subject)) return reply
    await operations.takeBack(services, act, invoice)
    return redirectDone(reply, path, 'voided')
  })
}

/** A typed amount in minor units; it must not have more decimals than its currency. */
function minorOf(text = '', currency: string): number {
  const minor = toMinor(Number(text), currency)
  const isExact = toMinor(1, currency) * Number(text) - minor
  if (!/^\d{1,12}(\.\d{1,4})?$/.test(text) || minor <= 0 || Math.abs(isExact) > 1e-4) {
    throw refuse('form_incomplete', `Give an amount in ${currency}, as in 250000 or 3.85.`)
  }
  return minor
}
