import { randomUUIDv7 } from 'node:crypto'
import { money } from '../../contract/rules/money.ts'
import { postEntries } from '../../ledger/store/entries.ts'
import { type Pool, transaction } from '../../platform/database/sql.ts'
import { insertAccountEvent } from '../../webhooks/store/events.ts'
import { promiseOf, whyOf } from '../rules/findings.ts'
import { CREDIT_CURRENCY, creditFor } from '../rules/tariff.ts'
import { insertBreach, lockCreditedOfMonth } from '../store/breaches.ts'
import type { BreachCandidate } from '../store/candidates.ts'

/**
 * Records a breach with its credit and its event, all or nothing. False when it has been recorded:
 * `guarantee_breach_once` allows one for each booking and promise.
 */
export const creditBreach = (db: Pool, found: BreachCandidate, at: Date): Promise<boolean> =>
  transaction(db, async (tx) => {
    const { account_id: accountId, booking_id, is_demo, broken_at } = found
    const id = randomUUIDv7()
    const promise = promiseOf(found.finding)
    const why = whyOf(found.finding, found.seconds)
    const earlier = await lockCreditedOfMonth(tx, accountId, at)
    const credit_minor = creditFor(promise, is_demo, earlier)
    const credit = { credit_minor, currency: CREDIT_CURRENCY }
    const row = { id, account_id: accountId, booking_id, promise, why, broken_at, is_demo, at }
    if (!(await insertBreach(tx, { ...row, ...credit }))) return false
    if (credit_minor === 0) return true
    await postEntries(tx, [
      {
        ...{ accountId, currency: CREDIT_CURRENCY, kind: 'credited', amountMinor: credit_minor },
        ...{ debit: 'goodwill', credit: 'credit', sourceKind: 'guarantee', sourceId: id, at },
        note: why,
      },
    ])
    const text = money(credit_minor, CREDIT_CURRENCY)
    const facts = { breach_id: id, booking_id, promise, why, broken_at: broken_at.toISOString() }
    const data = { ...facts, ...credit, credit_text: text }
    await insertAccountEvent(tx, { accountId, type: 'guarantee.credited', data, at })
    return true
  })
