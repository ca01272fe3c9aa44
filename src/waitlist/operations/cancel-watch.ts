import { z } from 'zod'
import { Refusal, refuse } from '../../base/errors.ts'
import { submitCommand } from '../../bookings/operations/submit-command.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import type { WaitlistContext } from '../engine.ts'
import { type Watch, watch } from '../schema.ts'
import * as stored from '../store/entries.ts'
import { selectOptionalEntryOf } from '../store/entry-view.ts'
import { selectOptionalEntryStart } from '../store/queue.ts'
import { entryId } from './read-watches.ts'

/** A hold is usually released within this time; the answer is the same if it is not. */
const CANCEL_WAIT_SECONDS = 2

export const cancelWatch = defineOperation({
  name: 'cancel watch',
  summary: 'Leave the queue of a full slot',
  description:
    'Cancels a watch. Its hold, if any, is released for the next in the queue. Cancelling twice ' +
    'changes nothing.',
  tier: 'free',
  scope: 'bookings',
  input: z.strictObject({ id: entryId }),
  output: z.object({ watch }),
  errors: ['watch_not_found', 'already_final'],
  async run(ctx: WaitlistContext, { id }) {
    const accountId = accountOf(ctx).id
    const before = await selectOptionalEntryOf(ctx.db, accountId, id)
    if (!before) throw refuse('watch_not_found')
    const isCancelled = await stored.cancelWatch(ctx.db, id, ctx.at)
    const after = (await selectOptionalEntryOf(ctx.db, accountId, id)) ?? before
    if (after.status === 'fulfilled') {
      const what = 'The watch is fulfilled: cancel its booking instead.'
      throw refuse('already_final', what, { booking_id: after.hold_id })
    }
    if (isCancelled) await release(ctx, after)
    return { watch: after }
  },
})

/** Best effort: otherwise the hold expires, and the scan ends the entry's workflow. */
async function release(ctx: WaitlistContext, { id, hold_id }: Watch): Promise<void> {
  const start = await selectOptionalEntryStart(ctx.db, id)
  if (start) await ctx.engine.notifyEntry(start).catch(() => {})
  if (hold_id === null) return
  // The hold is cancelled rather than released, because its venue may already be deciding about it.
  const cancel = { id: hold_id, kind: 'cancel', wait: CANCEL_WAIT_SECONDS } as const
  await submitCommand(ctx, cancel).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
  })
}
