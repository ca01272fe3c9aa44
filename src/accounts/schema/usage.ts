import { z } from 'zod'
import { monthlyFees } from '../../bookings/schema/fees.ts'
import { instant } from '../../contract/public.ts'
import { bookingStatuses } from '../../contract/rules/booking-status.ts'

/** One call of an account, as it is kept for a week. */
export const loggedCall = z.object({
  at: instant,
  request_id: z.uuid().describe('As `X-Request-Id` of the answer; the operator’s log has it too'),
  key_id: z.uuid().nullable(),
  door: z.string(),
  operation: z.string(),
  code: z.string().describe('`ok`, or a code of the error catalogue'),
  ms: z.number().describe('From the request to the answer'),
  from: z.string().nullable().describe('The agent that called, where it said so'),
  calls: z
    .int()
    .describe('More than 1: refusals of a limit that came in the same second are one entry'),
})
export type LoggedCall = z.infer<typeof loggedCall>

/** A row of the log. */
export const loggedCallRow = z
  .object({
    at: z.date(),
    request_id: z.uuid(),
    key_id: z.uuid().nullable(),
    door: z.string(),
    operation: z.string(),
    code: z.string(),
    ms: z.number(),
    from_agent: z.string().nullable(),
    calls: z.int(),
  })
  .transform(({ at, ms, from_agent, ...call }) => ({
    ...call,
    at: at.toISOString(),
    ms: Math.round(ms * 10) / 10,
    from: from_agent,
  }))

/** What an account has used of its day. */
export const quotaToday = z.object({
  day: z.string().describe('UTC date'),
  used: z.int(),
  limit: z.int(),
  remaining: z.int(),
  resets_at: instant,
})

/** The calls of one UTC day. */
export const dayOfCalls = z.object({
  day: z.string().describe('UTC date'),
  calls: z.int().describe('All of them, also those that no quota counts'),
  by_code: z.record(z.string(), z.int()).describe('`ok`, and each code that was answered'),
})
export type DayOfCalls = z.infer<typeof dayOfCalls>

/** What was booked in a month, and what it cost. */
export const monthOfUse = z.object({
  month: z.string().describe('YYYY-MM, in UTC'),
  bookings: z.int().describe('Made in the month'),
  by_status: z.partialRecord(z.enum(bookingStatuses), z.int()).describe('Where these stand now'),
  fees: z.array(monthlyFees).describe('By currency, demo venues apart'),
})
