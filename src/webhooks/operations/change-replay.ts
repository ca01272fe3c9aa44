import { z } from 'zod'
import { accountOf, type Context, defineOperation } from '../../contract/define.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { REPLAY_SIGNAL } from '../rules/webhooks.ts'
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
  summary: 'Put nothing more up for now',
  description:
    'Stops a replay where it is, until it is resumed. What it has put up already is still delivered.',
  tier: 'free',
  scope: 'webhooks',
  input,
  output,
  errors: ['replay_not_found', 'replay_over'],
  run: (ctx, { id }) => change(ctx, id, 'pause'),
})

export const resumeReplay = defineOperation({
  name: 'resume replay',
  summary: 'Go on with a replay',
  description: 'Goes on with a paused replay from where it stopped.',
  tier: 'free',
  scope: 'webhooks',
  input,
  output,
  errors: ['replay_not_found', 'replay_over'],
  run: (ctx, { id }) => change(ctx, id, 'resume'),
})

export const cancelReplay = defineOperation({
  name: 'cancel replay',
  summary: 'End a replay',
  description:
    'Ends a replay: it puts nothing more up. What it has put up already is still delivered, as are all deliveries that wait.',
  tier: 'free',
  scope: 'webhooks',
  input,
  output,
  errors: ['replay_not_found', 'replay_over'],
  run: (ctx, { id }) => change(ctx, id, 'cancel'),
})
