import { z } from 'zod'
import { bookingStatuses } from '../../base/booking-status.ts'
import { monthlyFees } from '../../bookings/schema/fees.ts'
import { anyObject, counts, httpHeaders, named } from '../../contract/named.ts'
import { instant } from '../../contract/public.ts'

/** A call by an account, logged for a week. */
export const loggedCall = named('LoggedRequest', {
  at: instant,
  request_id: z.uuid().describe('The `X-Request-Id` of the answer, also in the operator’s log'),
  key_id: z.uuid().nullable(),
  door: z.string(),
  method: z.string().nullable().describe('HTTP method'),
  path: z.string().nullable().describe('Path, without its query'),
  target: z
    .string()
    .nullable()
    .describe('What was called: the route at REST, the intent at A2A, the tool at MCP'),
  operation: z.string(),
  status: z
    .int()
    .nullable()
    .describe(
      'HTTP status. MCP answers a refused call with 200; this is then the status of its error ' +
        'code',
    ),
  code: z.string().describe('`ok` or an error code'),
  ms: z.number().describe('From the request to the answer'),
  from: z.string().nullable().describe('The agent that called, if it gave its name'),
  calls: z
    .int()
    .describe('More than 1 if refusals because of a limit within one second share this entry'),
})
export type LoggedCall = z.infer<typeof loggedCall>

const recordedMessage = named('RecordedMessage', {
  headers: httpHeaders.optional().describe('Of a request: `Idempotency-Key` and `Prefer`'),
  query: anyObject.optional().describe('Of a request'),
  body: z.unknown().optional(),
  bytes: z.int().describe('Length of the whole body'),
  is_cut: z.boolean().describe('Only a part is kept'),
})

/** A call in full detail. */
export const requestDetails = z.object({
  request: loggedCall,
  error: z
    .object({ title: z.string(), message: z.string(), advice: z.string(), retryable: z.boolean() })
    .nullable()
    .describe('Why it was refused, and what to do next'),
  key: z.object({ id: z.uuid(), name: z.string(), ends_in: z.string() }).nullable(),
  booking_id: z.uuid().nullable().describe('The booking that it was about'),
  group_id: z.uuid().nullable().describe('The alternatives or the itinerary that it was about'),
  sent: recordedMessage
    .nullable()
    .describe('The request without secrets and guests’ details; null: not recorded'),
  answer: recordedMessage
    .nullable()
    .describe('Answer at REST, payload or error at A2A, content of the result at MCP'),
})
export type RequestDetails = z.infer<typeof requestDetails>

/** An account's quota today. */
export const quotaToday = named('Quota', {
  day: z.string().describe('UTC date'),
  used: z.int(),
  limit: z.int(),
  remaining: z.int(),
  resets_at: instant,
})

/** The calls on one day. */
export const dayOfCalls = named('DayOfRequests', {
  day: z.string().describe('UTC date'),
  calls: z.int().describe('All calls, including those that do not count towards the quota'),
  by_code: counts.describe('Number of calls by `ok` or error code'),
})
export type DayOfCalls = z.infer<typeof dayOfCalls>

/** Bookings and fees in a month. */
export const monthOfUse = named('MonthOfUse', {
  month: z.string().describe('YYYY-MM, in UTC'),
  bookings: z.int().describe('Bookings made in the month'),
  by_status: z.partialRecord(z.enum(bookingStatuses), z.int()).describe('Their current statuses'),
  fees: z.array(monthlyFees).describe('By currency; demo venues separately'),
})
