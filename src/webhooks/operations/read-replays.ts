import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { idInCursor, pageOf } from '../../contract/cursor.ts'
import { accountOf } from '../../contract/operation.ts'
import { nextCursor, pageInput } from '../../contract/public.ts'
import { replay } from '../schema/replays.ts'
import { selectOptionalReplayOf, selectReplaysOf } from '../store/replay-view.ts'
import { selectOptionalReplayTarget } from '../store/replays.ts'
import { endpointId } from './endpoint-fields.ts'
import { webhookOperation } from './webhook-operation.ts'

export const replayId = z.uuid().toLowerCase().describe('Replay id')

export const getReplay = webhookOperation({
  name: 'read replay',
  summary: 'Read a replay',
  description: 'Returns a replay with its progress: how much is enqueued, and what became of it.',
  input: z.strictObject({ id: replayId }),
  output: z.object({ replay }),
  errors: ['replay_not_found'],
  async run(ctx, { id }) {
    const row = await selectOptionalReplayOf(ctx.db, accountOf(ctx).id, id)
    if (!row) throw refuse('replay_not_found')
    return { replay: row }
  },
})

export const listReplays = webhookOperation({
  name: 'list replays',
  summary: 'List the replays of an endpoint',
  description: 'Lists the replays of an endpoint, newest first.',
  input: z.strictObject({
    id: endpointId,
    ...pageInput,
  }),
  output: z.object({ replays: z.array(replay), next_cursor: nextCursor }),
  errors: ['endpoint_not_found', 'invalid_cursor'],
  async run(ctx, { id, limit, cursor }) {
    const before = idInCursor(cursor)
    if (!(await selectOptionalReplayTarget(ctx.db, accountOf(ctx).id, id))) {
      throw refuse('endpoint_not_found')
    }
    const page = await selectReplaysOf(ctx.db, id, { before, limit: limit + 1 })
    const { rows: replays, next_cursor } = pageOf(page, limit, (last) => last.id)
    return { replays, next_cursor }
  },
})
