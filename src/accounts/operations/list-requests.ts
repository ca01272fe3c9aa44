import { z } from 'zod'
import { decodeCursor, encodeCursor } from '../../contract/cursor.ts'
import { accountOf, defineOperation } from '../../contract/define.ts'
import { givenInstant, nextCursor } from '../../contract/public.ts'
import { type ErrorCode, errorCatalogue } from '../../contract/rules/error-catalogue.ts'
import { text } from '../../contract/text.ts'
import { loggedCall } from '../schema/usage.ts'
import { selectCalls } from '../store/call-list.ts'
import { keyId } from './key-fields.ts'

const position = z.tuple([z.iso.datetime(), z.uuid()])
const codes = ['ok', 'refused', ...(Object.keys(errorCatalogue) as ErrorCode[])] as const

/** Doors that requests of agents come through. */
export const requestDoors = ['rest', 'a2a', 'mcp'] as const

export const listRequests = defineOperation({
  name: 'requests',
  summary: 'What your keys asked for',
  description:
    'Lists the requests that were made with keys of the account in the last 7 days, newest first: when, through which door, what was answered and how ' +
    'long it took. A request appears within a second or two. What is done in the dashboard is not listed.',
  tier: 'free',
  scope: 'usage',
  input: z.strictObject({
    code: z
      .enum(codes)
      .optional()
      .describe('`ok`, a code of the error catalogue, or `refused` for all of these'),
    key: keyId.optional(),
    door: z.enum(requestDoors).optional(),
    operation: text(100).optional().describe('Name of an operation, as listed here'),
    from: givenInstant.optional().describe('At this instant or later'),
    until: givenInstant.optional().describe('Before this instant'),
    limit: z.int().min(1).max(100).default(20),
    cursor: z.string().max(200).optional(),
  }),
  output: z.object({ requests: z.array(loggedCall), next_cursor: nextCursor }),
  errors: ['invalid_cursor'],
  async run(
    ctx,
    { code = null, key = null, door = null, operation = null, from, until, limit, cursor },
  ) {
    const filter = {
      accountId: accountOf(ctx).id,
      keyId: key,
      door,
      operation,
      code: code === 'refused' ? null : code,
      isRefused: code !== null && code !== 'ok',
      from: from === undefined ? null : new Date(from),
      before: until === undefined ? null : new Date(until),
    }
    const after = cursor === undefined ? null : decodePosition(cursor)
    const found = await selectCalls(ctx.db, filter, { after, limit: limit + 1 })
    const requests = found.slice(0, limit)
    const last = found.length > limit ? requests.at(-1) : undefined
    return { requests, next_cursor: last ? encodeCursor([last.at, last.request_id]) : null }
  },
})

function decodePosition(cursor: string) {
  const [at, requestId] = decodeCursor(position, cursor)
  return { at: new Date(at), requestId }
}
