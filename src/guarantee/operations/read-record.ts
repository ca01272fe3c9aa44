import type { Services } from '../../contract/operation.ts'
import { DAY_MS } from '../../contract/rules/durations.ts'
import { money } from '../../contract/rules/money.ts'
import type { Db } from '../../platform/database/sql.ts'
import { CREDIT_CURRENCY } from '../rules/tariff.ts'
import { selectCredited, selectLatestBreaches } from '../store/breaches.ts'
import { selectFigures } from '../store/figures.ts'
import { promisedTerms } from './promised-terms.ts'

export const RECORD_DAYS = 90
const LATEST = 100

/** Each promise, how long it takes now, and its breaches and credits of the last 90 days. */
export async function readRecord(db: Db, at: Date) {
  const since = new Date(at.getTime() - RECORD_DAYS * DAY_MS)
  const [figures, credited] = await Promise.all([
    selectFigures(db, since),
    selectCredited(db, null, since),
  ])
  const counted = new Map(credited.map((one) => [one.promise, one]))
  return promisedTerms.map(({ promise, title, text, within_seconds }) => {
    const { breaches = 0, credit_minor = 0 } = counted.get(promise) ?? {}
    return {
      ...{ promise, title, text, within_seconds },
      p95_ms: promise === 'one_sale' ? null : figures[promise],
      breaches,
      credited_minor: credit_minor,
      credited_text: money(credit_minor, CREDIT_CURRENCY),
      currency: CREDIT_CURRENCY,
    }
  })
}
export type GuaranteeRecord = Awaited<ReturnType<typeof readRecord>>

/** The latest breaches with why, across all accounts: for operators only. */
export const readLatestBreaches = ({ db }: Pick<Services, 'db'>) => selectLatestBreaches(db, LATEST)
