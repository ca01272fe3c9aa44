import { z } from 'zod'
import { accountOf, type Context, defineOperation } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { REPLAY_SIGNAL } from '../rules/endpoint-messages.ts'
import { replay } from '../schema/replays.ts'
import { selectOptionalReplayOf } from '../store/replay-view.ts'
import { type ReplayChange, statusAfter, updateReplayStatus } from '../store/replays.ts'
import { signalEndpoint } from './own-endpoint.ts'
import { replayId } from './read-replays.ts'

const input = z.strictObject({ id: replayId })
const output = z.object({ replay })

async function change(ctx: Context, id: string, wanted: ReplayChange) {
  const accountId = accountOf(ctx).id
  if (!(await selectOptionalReplayOf(ctx.db, accountId, id))) throw refuse('replay_not_found')
  const isChanged = await updateReplayStatus(ctx.db, id, wanted, ctx.at)
  const after = await selectOptionalReplayOf(ctx.db, accountId, id)
  if (!after) throw refuse('replay_not_found')
  if (after.status !== statusAfter(wanted)) {
    throw refuse('replay_over', `The replay is ${after.status}.`, { replay_id: id })
  }
  if (isChanged) await signalEndpoint(ctx, after.endpoint_id, { name: REPLAY_SIGNAL, replayId: id })
  return { replay: after }
}

export const pauseReplay = defineOperation({
  name: 'pause replay',
  summary: 'Pause a replay',
  description:
    'Pauses a replay until it is resumed. Events that it has enqueued already are still delivered.',
  tier: 'free',
  scope: 'webhooks',
  input,
  output,
  errors: ['replay_not_found', 'replay_over'],
  run: (ctx, { id }) => change(ctx, id, 'pause'),
})

export const resumeReplay = defineOperation({
  name: 'resume replay',
  summary: 'Resume a replay',
  description: 'Resumes a paused replay where it stopped.',
  tier: 'free',
  scope: 'webhooks',
  input,
  output,
  errors: ['replay_not_found', 'replay_over'],
  run: (ctx, { id }) => change(ctx, id, 'resume'),
})

export const cancelReplay = defineOperation({
  name: 'cancel replay',
  summary: 'Cancel a replay',
  description:
    'Cancels a replay: it enqueues nothing more. Events that it has enqueued already are still ' +
    'delivered.',
  tier: 'free',
  scope: 'webhooks',
  input,
  output,
  errors: ['replay_not_found', 'replay_over'],
  run: (ctx, { id }) => change(ctx, id, 'cancel'),
})
