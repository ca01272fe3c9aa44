import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { accountOf } from '../../contract/operation.ts'
import type { WebhookContext } from '../engine.ts'
import { replay } from '../schema/replays.ts'
import { changeReplay, replayChanges } from '../steps/command-once.ts'
import { selectOptionalReplayOf } from '../store/replay-view.ts'
import { type ReplayChange, statusAfter } from '../store/replays.ts'
import { signalEndpoint } from './own-endpoint.ts'
import { replayId } from './read-replays.ts'
import { webhookOperation } from './webhook-operation.ts'

const replayChange = (kind: ReplayChange, summary: string, description: string) =>
  webhookOperation({
    name: `${kind} replay`,
    audit: replayChanges[kind],
    summary,
    description,
    input: z.strictObject({ id: replayId }),
    output: z.object({ replay }),
    errors: ['replay_not_found', 'replay_over'],
    async run(ctx, { id }) {
      const accountId = accountOf(ctx).id
      const before = await selectOptionalReplayOf(ctx.db, accountId, id)
      const isChanged = before && (await change(ctx, before.endpoint_id, id, kind))
      const after = await selectOptionalReplayOf(ctx.db, accountId, id)
      if (!after) throw refuse('replay_not_found')
      if (after.status !== statusAfter(kind)) {
        throw refuse('replay_over', `The replay is ${after.status}.`, { replay_id: id })
      }
      if (isChanged) {
        const about = { replay_id: id, change: kind }
        await signalEndpoint(ctx, after.endpoint_id, { name: 'replay', id: isChanged, ...about })
      }
      return { replay: after }
    },
  })

/** The id of the command that changed the replay; undefined if nothing changed. */
async function change(
  ctx: WebhookContext,
  endpointId: string,
  replayId: string,
  kind: ReplayChange,
) {
  const id = randomUUIDv7()
  const command = { endpointId, id, name: 'replay', at: ctx.at } as const
  return (await changeReplay(ctx.db, command, replayId, kind, ctx)) ? id : undefined
}

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
