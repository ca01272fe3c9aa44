import { z } from 'zod'
import { type ErrorCode, errorCatalogue } from '../../base/error-catalogue.ts'
import { decodeCursor, encodeCursor, pageOf, timePosition } from '../../contract/cursor.ts'
import { givenInstant, text } from '../../contract/fields.ts'
import { accountOf, defineOperation, type Services } from '../../contract/operation.ts'
import { nextCursor, pageInput } from '../../contract/public.ts'
import { loggedCall } from '../schema/usage.ts'
import { selectCalls, selectOptionalNewestCall } from '../store/call-list.ts'
import { keyId } from './key-fields.ts'

export type { NewestCall } from '../store/call-list.ts'

const codes = ['ok', 'refused', ...(Object.keys(errorCatalogue) as ErrorCode[])] as const

/** The doors open to agents. */
export const requestDoors = ['rest', 'a2a', 'mcp'] as const

/** Classes of HTTP statuses. */
export const statusClasses = ['2xx', '4xx', '5xx'] as const

export const listRequests = defineOperation({
  name: 'requests',
  summary: 'List the requests of your keys',
  description:
    'Lists the requests made with keys of the account in the last 7 days, newest first: time, ' +
    'door, what was called, result and duration. A request appears within two seconds. Actions ' +
    'in the dashboard are not listed.',
  part: 'requests',
  scope: 'usage',
  input: z.strictObject({
    code: z.enum(codes).optional().describe('`ok`, an error code, or `refused` for every error'),
    status: z.enum(statusClasses).optional().describe('Class of the HTTP status'),
    booking: z
      .uuid()
      .toLowerCase()
      .optional()
      .describe('Requests about this booking, or a group that it is part of'),
    key: keyId.optional(),
    door: z.enum(requestDoors).optional(),
    operation: text(100).optional().describe('Name of an operation, as shown in this list'),
    from: givenInstant.optional().describe('Requests at this instant or later'),
    until: givenInstant.optional().describe('Requests before this instant'),
    ...pageInput,
  }),
  output: z.object({ requests: z.array(loggedCall), next_cursor: nextCursor }),
  errors: ['invalid_cursor'],
  async run(ctx, { code = null, status, from, until, limit, cursor, ...input }) {
    const { booking = null, key = null, door = null, operation = null } = input
    const filter = {
      accountId: accountOf(ctx).id,
      keyId: key,
      door,
      operation,
      booking,
      statusClass: status === undefined ? null : Number(status[0]),
      code: code === 'refused' ? null : code,
      isRefused: code !== null && code !== 'ok',
      from: from === undefined ? null : new Date(from),
      before: until === undefined ? null : new Date(until),
      after: decodeCursor(timePosition, cursor),
      limit: limit + 1,
    }
    const calls = await selectCalls(ctx.db, filter)
    const page = pageOf(calls, limit, (last) => encodeCursor([last.at, last.request_id]))
    return { requests: page.rows, next_cursor: page.next_cursor }
  },
})

/** The account's newest call with a key, visible within two seconds. Page views are not calls. */
export const newestCall = ({ db }: Pick<Services, 'db'>, accountId: string) =>
  selectOptionalNewestCall(db, accountId)
