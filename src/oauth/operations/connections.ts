import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { recordAudit } from '../../contract/audit.ts'
import { idInCursor, pageOf } from '../../contract/cursor.ts'
import { accountOf, type Context, defineOperation } from '../../contract/operation.ts'
import { nextCursor, pageInput } from '../../contract/public.ts'
import { transaction } from '../../platform/database/sql.ts'
import { connection } from '../schema/connections.ts'
import { type Caller, selectConnections, selectOptionalConnection } from '../store/connections.ts'
import { deleteGrant } from '../store/grants.ts'

const callerOf = (ctx: Context): Caller => ({
  accountId: accountOf(ctx).id,
  memberId: ctx.actor?.kind === 'member' ? ctx.actor.id : null,
})

export const listConnections = defineOperation({
  name: 'list connections',
  summary: 'List the assistants connected to your account',
  description:
    'Lists the programs that members signed in with (OAuth), newest first, with what they may do ' +
    'and when they last did. They have tokens instead of keys.',
  scope: 'keys',
  part: 'self',
  input: z.strictObject({ ...pageInput, limit: pageInput.limit.default(50) }),
  output: z.object({ connections: z.array(connection), next_cursor: nextCursor }),
  errors: ['invalid_cursor'],
  async run(ctx, { limit, cursor }) {
    const page = { before: idInCursor(cursor), limit: limit + 1 }
    const stored = await selectConnections(ctx.db, callerOf(ctx), page)
    const { rows: connections, next_cursor } = pageOf(stored, limit, (last) => last.id)
    return { connections, next_cursor }
  },
})

export const endConnection = defineOperation({
  name: 'end connection',
  summary: 'Disconnect an assistant',
  description:
    'Ends a connection immediately and permanently: each request with its tokens is refused. ' +
    'Bookings stay. The member can connect the program again.',
  scope: 'keys',
  part: 'self',
  audit: 'connection.ended',
  input: z.strictObject({ id: z.uuid().describe('The id of the connection') }),
  output: z.object({ connection }),
  errors: ['connection_not_found'],
  run: (ctx, { id }) =>
    transaction(ctx.db, async (tx) => {
      const own = await selectOptionalConnection(tx, callerOf(ctx), id)
      if (!own || !(await deleteGrant(tx, id))) throw refuse('connection_not_found')
      await recordAudit(tx, ctx, 'connection.ended', { id, name: own.client.name })
      return { connection: own }
    }),
})
