import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { nextCursor } from '../../contract/public.ts'
import { entryStatuses } from '../rules/entry.ts'
import { watch } from '../schema.ts'
import { selectEntriesOf, selectOptionalEntryOf } from '../store/entry-view.ts'

export const entryId = z.uuid().toLowerCase().describe('Watch id')

export const getWatch = defineOperation({
  name: 'read watch',
  summary: 'Read a watch',
  description:
    'Returns a watch: its position in the queue, or the hold that it was offered, with its id ' +
    'and the time until which it can be confirmed.',
  tier: 'free',
  part: 'bookings',
  input: z.strictObject({ id: entryId }),
  output: z.object({ watch }),
  errors: ['watch_not_found'],
  async run(ctx, { id }) {
    const entry = await selectOptionalEntryOf(ctx.db, accountOf(ctx).id, id)
    if (!entry) throw refuse('watch_not_found')
    return { watch: entry }
  },
})

export const listWatches = defineOperation({
  name: 'list watches',
  summary: 'List the watches of your account',
  description: 'Lists the watches of the account, newest first, optionally of one status.',
  tier: 'free',
  part: 'bookings',
  input: z.strictObject({
    status: z.enum(entryStatuses).optional(),
    limit: z.int().min(1).max(100).default(20),
    cursor: z.string().max(200).optional(),
  }),
  output: z.object({ watches: z.array(watch), next_cursor: nextCursor }),
  errors: ['invalid_cursor'],
  async run(ctx, { status = null, limit, cursor = null }) {
    if (cursor !== null && !z.uuid().safeParse(cursor).success) throw refuse('invalid_cursor')
    const page = { before: cursor, status, limit: limit + 1 }
    const entries = await selectEntriesOf(ctx.db, accountOf(ctx).id, page)
    const watches = entries.slice(0, limit)
    return { watches, next_cursor: entries.length > limit ? (watches.at(-1)?.id ?? null) : null }
  },
})
