import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { idInCursor, pageOf } from '../../contract/cursor.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { nextCursor, pageInput } from '../../contract/public.ts'
import { entryStatuses } from '../rules/entry-status.ts'
import { watch } from '../schema.ts'
import { selectEntriesOf, selectOptionalEntryOf } from '../store/entry-view.ts'
import { nextOf, whileWatching } from './next-of-watch.ts'

export const entryId = z.uuid().toLowerCase().describe('Watch id')

export const getWatch = defineOperation({
  name: 'read watch',
  summary: 'Read a watch',
  description:
    'Returns a watch: its position in the queue, or the hold that it was offered, with its id ' +
    'and the time until which it can be confirmed.',
  part: 'bookings',
  input: z.strictObject({ id: entryId }),
  output: z.object({ watch, ...whileWatching }),
  errors: ['watch_not_found'],
  async run(ctx, { id }) {
    const entry = await selectOptionalEntryOf(ctx.db, accountOf(ctx).id, id)
    if (!entry) throw refuse('watch_not_found')
    return { watch: entry, ...nextOf(entry) }
  },
})

export const listWatches = defineOperation({
  name: 'list watches',
  summary: 'List the watches of your account',
  description: 'Lists the watches of the account, newest first, optionally of one status.',
  part: 'bookings',
  input: z.strictObject({
    status: z.enum(entryStatuses).optional(),
    ...pageInput,
  }),
  output: z.object({ watches: z.array(watch), next_cursor: nextCursor }),
  errors: ['invalid_cursor'],
  async run(ctx, { status = null, limit, cursor }) {
    const page = { before: idInCursor(cursor), status, limit: limit + 1 }
    const entries = await selectEntriesOf(ctx.db, accountOf(ctx).id, page)
    const { rows: watches, next_cursor } = pageOf(entries, limit, (last) => last.id)
    return { watches, next_cursor }
  },
})
