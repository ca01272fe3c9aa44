import { continuePass } from '../../platform/database/continue-pass.ts'
import type { Pool } from '../../platform/database/sql.ts'
import { emptyPass, type Pass } from '../../platform/process/work-through.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { Facilitator } from '../rules/facilitator.ts'
import {
  selectFailedToCheck,
  selectRefundsDue,
  updateChecked,
  updateRefunded,
} from '../store/refunds.ts'

type Paying = { db: Pool; log: Log; facilitator: Facilitator }
export type RefundDeps = Omit<Paying, 'facilitator'> & { facilitator?: Facilitator | undefined }

/**
 * Sends the refunds that are due and stores their proof. Repeating a refund makes no second
 * transfer. If the facilitator cannot refund, an operator does and enters the proof.
 */
export async function sendRefunds({ db, log, facilitator }: RefundDeps, at: Date): Promise<Pass> {
  const refund = facilitator?.refund
  if (!refund) return emptyPass
  return continuePass({ db, log }, 'x402-refunds', {
    select: (page) => selectRefundsDue(db, page),
    idOf: ({ id }) => id,
    async help({ id, network, payer, amount }) {
      const transaction = await refund({ id, network, to: payer, amount })
      return (await updateRefunded(db, id, transaction, at)) === 1
    },
  })
}

/**
 * Rechecks failed authorisations once they have lapsed: somebody who saw one may have used it, in
 * which case a refund is due.
 */
export const checkFailed = ({ db, log, facilitator }: Paying, at: Date): Promise<Pass> =>
  continuePass({ db, log }, 'x402-failed', {
    select: (page) => selectFailedToCheck(db, at, page),
    idOf: ({ id }) => id,
    async help({ id, payload }) {
      const usage = await facilitator.lookUp(payload)
      return (await updateChecked(db, id, usage.used ? usage.transaction : null, at)) === 1
    },
  })
