import type { Engine } from '../../contract/operation.ts'
import { SECOND_MS } from '../../contract/rules/durations.ts'
import { money } from '../../contract/rules/money.ts'
import { continuePass } from '../../platform/database/continue-pass.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { Pass } from '../../platform/process/work-through.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { selectLostOwed } from '../store/owed-payments.ts'

/** Longer than a payment waits for its workflow, shorter than its authorisation is good for. */
const LOST_AFTER_MS = 20 * SECOND_MS

/** Starts the workflows of payments that have lost theirs, or never had one. */
export function resumeSettlements(
  deps: { db: Pool; engine: Engine; log: Log },
  at: Date,
): Promise<Pass> {
  const before = new Date(at.getTime() - LOST_AFTER_MS)
  return continuePass(deps, 'x402_settlements', {
    select: (after, limit) => selectLostOwed(deps.db, before, { after, limit }),
    idOf: ({ id }) => id,
    async help({ id: paymentId, price_minor, currency }) {
      const text = money(price_minor, currency)
      if (!(await deps.engine.resumeSettlement({ paymentId, text }))) return false
      deps.log.warn({ payment_id: paymentId }, 'resumed a payment that had lost its workflow')
    },
  })
}
