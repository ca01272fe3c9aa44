import { z } from 'zod'
import { MINUTE_MS } from '../../base/durations.ts'
import { type ErrorCode, errorCatalogue } from '../../base/error-catalogue.ts'
import { refuse } from '../../base/errors.ts'
import { timeOfId } from '../../base/ids.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { type RequestDetails, requestDetails } from '../schema/usage.ts'
import { selectOptionalCall } from '../store/call-details.ts'

type RequestParts = Pick<NonNullable<RequestDetails['sent']>, 'headers' | 'query' | 'body'>

/** A request is logged when its operation begins, soon after its id is assigned. */
const SEARCHED_MS = 5 * MINUTE_MS

export const getRequest = defineOperation({
  name: 'read request',
  summary: 'Read one request in full',
  description:
    'Returns a request made with a key of the account in the last 7 days, by the ' +
    '`X-Request-Id` of its answer: its result, what to do about a refusal, and both bodies ' +
    'without secrets or guests’ details. Long bodies are shortened. It appears within two ' +
    'seconds.',
  part: 'requests',
  scope: 'usage',
  input: z.strictObject({
    id: z.uuid().toLowerCase().describe('The `X-Request-Id` of the answer'),
  }),
  output: requestDetails,
  errors: ['request_not_found'],
  async run(ctx, { id }) {
    const call = await selectOptionalCall(ctx.db, {
      accountId: accountOf(ctx).id,
      requestId: id,
      ...searched(id, ctx.at),
    })
    if (!call) throw refuse('request_not_found')
    const { key_name: name, key_ends_in: ends_in, message, booking_id, group_id } = call
    const { key_id, sent, sent_bytes, answer, answer_bytes } = call
    const hasKey = key_id !== null && name !== null && ends_in !== null
    return {
      request: call,
      error: explained(call.code, message),
      key: hasKey ? { id: key_id, name, ends_in } : null,
      booking_id,
      group_id,
      sent:
        sent_bytes === null
          ? null
          : { ...(sent as RequestParts), bytes: sent_bytes, is_cut: call.is_sent_cut === true },
      answer:
        answer_bytes === null
          ? null
          : { body: answer, bytes: answer_bytes, is_cut: call.is_answer_cut === true },
    }
  },
})

/** The span of the log that can contain an id, given the creation time in the id. */
function searched(id: string, now: Date) {
  const at = Math.min(timeOfId(id)?.getTime() ?? 0, now.getTime())
  return { from: new Date(at - SEARCHED_MS), until: new Date(at + SEARCHED_MS) }
}

/** Explains a refusal. The logged message may end with the advice, which is returned separately. */
function explained(code: string, message: string | null) {
  if (!Object.hasOwn(errorCatalogue, code)) return null
  const { title, advice, retryable } = errorCatalogue[code as ErrorCode]
  const what = message?.endsWith(advice) ? message.slice(0, -advice.length).trim() : message
  return { title, message: what || `${title}.`, advice, retryable }
}
