import { z } from 'zod'
import { eraseAccount } from '../../accounts/store/deleted-accounts.ts'
import { revokeKeysOf } from '../../accounts/store/keys.ts'
import { recordAudit } from '../../contract/audit.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import { deleteEndpointsOf, discardDeliveriesOf } from '../../webhooks/steps/delete-endpoints.ts'
import { clockId } from '../schema/test-clocks.ts'
import { deleteClockRow, lockOwner } from '../store/clocks.ts'
import { ownClock } from './own-clock.ts'

export const deleteClock = defineOperation({
  name: 'delete test clock',
  summary: 'Delete a test clock',
  description:
    'Deletes a test clock with its keys and its endpoints. The bookings of its sandbox ' +
    'continue in real time, but nobody can read them any more.',
  tier: 'free',
  scope: 'bookings',
  audit: 'clock.deleted',
  input: z.strictObject({ id: clockId }),
  output: z.object({ id: z.uuid(), deleted: z.literal(true) }),
  errors: ['clock_not_found'],
  async run(ctx, { id }) {
    const { at } = ctx
    await transaction(ctx.db, async (tx) => {
      await lockOwner(tx, accountOf(ctx).id)
      const { name } = await ownClock({ ...ctx, db: tx }, id)
      await recordAudit(tx, ctx, 'clock.deleted', { id, name })
      await revokeKeysOf(tx, id, at)
      await deleteEndpointsOf(tx, id, at)
      await eraseAccount(tx, id, at)
      await deleteClockRow(tx, id)
    })
    await discardDeliveriesOf(ctx.db, id, at)
    return { id, deleted: true as const }
  },
})
