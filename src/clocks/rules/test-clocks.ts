import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/durations.ts'
import { callerThrottle } from '../../base/throttle.ts'

/** Maximum number of test clocks per account. */
export const MAX_CLOCKS = 20
/** Limits creations per hour, because deleted clocks leave an account, a key and bookings. */
export const clocksCreated = callerThrottle('test clocks', 3_600, { account: 40, address: 200 })
/** How far from the current time a new clock may be set, in either direction. */
export const FARTHEST_DAYS = 366
/** How far a clock may move in one step, and how far it may run ahead of real time. */
export const MAX_ADVANCE_DAYS = 2 * 366
export const MAX_AHEAD_DAYS = 10 * 366

/** The argument of the workflow `testClock`, visible in the Temporal UI. */
export type ClockStart = { accountId: string; name: string }

export const clockWorkflowId = (accountId: string): string => `test-clock/${accountId}`

/** The update that moves a clock to the target in its row and waits for it to arrive. */
export const ADVANCE_UPDATE = 'advance'

/** An ISO 8601 duration without years or months, whose length depends on the date. */
export const durationPattern =
  /^P(?=.)(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?=.)(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/

/** A duration in milliseconds; undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const parts = durationPattern.exec(text)
  if (!parts) return undefined
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0))
  return (weeks * 7 + days) * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS
}

/** The first instant of the next month in UTC, at which an account's month ends. */
export const nextMonth = (at: Date): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))
