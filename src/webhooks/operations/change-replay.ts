import { z } from 'zod'
import { accountOf } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { REPLAY_SIGNAL } from '../rules/endpoint-messages.ts'
import { replay } from '../schema/replays.ts'
import { selectOptionalReplayOf } from '../store/replay-view.ts'
import { type ReplayChange, statusAfter, updateReplayStatus } from '../store/replays.ts'
import { signalEndpoint } from './own-endpoint.ts'
import { replayId } from './read-replays.ts'
import { webhookOperation } from './webhook-operation.ts'

const replayChange = (wanted: ReplayChange, summary: string, description: string) =>
  webhookOperation({
    name: `${wanted} replay`,
    summary,
    description,
    input: z.strictObject({ id: replayId }),
    output: z.object({ replay }),
    errors: ['replay_not_found', 'replay_over'],
    async run(ctx, { id }) {
      const accountId = accountOf(ctx).id
      const before = await selectOptionalReplayOf(ctx.db, accountId, id)
      const isChanged = before && (await updateReplayStatus(ctx.db, id, wanted, ctx.at))
      const after = await selectOptionalReplayOf(ctx.db, accountId, id)
      if (!after) throw refuse('replay_not_found')
      if (after.status !== statusAfter(wanted)) {
        throw refuse('replay_over', `The replay is ${after.status}.`, { replay_id: id })
      }
      const signal = { name: REPLAY_SIGNAL, replayId: id } as const
      if (isChanged) await signalEndpoint(ctx, after.endpoint_id, signal)
      return { replay: after }
    },
  })

export const pauseReplay = replayChange(
  'pause',
  'Pause a replay',
  'Pauses a replay until it is resumed. Events that it has enqueued already are still delivered.',
)
export const resumeReplay = replayChange(
  'resume',
  'Resume a replay',
  'Resumes a paused replay where it stopped.',
)
export const cancelReplay = replayChange(
  'cancel',
  'Cancel a replay',
  'Cancels a replay: it enqueues nothing more. Events that it has enqueued already are still ' +
    'delivered.',
)
