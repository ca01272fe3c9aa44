import { notBefore, type OnClock, timeAt } from '../src/base/account-time.ts'
import type { BookingEngine } from '../src/bookings/engine.ts'
import type { StepDeps } from '../src/bookings/hooks.ts'
import type { BookingStart, OperatorAct } from '../src/bookings/rules/booking-messages.ts'
import { inTaskTurn, inTurn } from '../src/bookings/steps/account-turns.ts'
import { actWhenDue } from '../src/bookings/steps/act-when-due.ts'
import { decideBooking, findDecision } from '../src/bookings/steps/decide-booking.ts'
import { eraseHistory } from '../src/bookings/steps/erase-history.ts'
import { saidIn, storeOperatorAct } from '../src/bookings/steps/operator-act.ts'
import { runCommands } from '../src/bookings/steps/run-commands.ts'
import { wakeOverdueHolds } from '../src/bookings/steps/sweep.ts'
import { bySignal } from '../src/contract/audit.ts'
import { readClock } from '../src/platform/database/account-time.ts'
import { type Pool, transaction } from '../src/platform/database/sql.ts'
import type { Log } from '../src/platform/telemetry/log.ts'
import { whileBeating } from './while-beating.ts'

export type BookingActivities = ReturnType<typeof createBookingActivities>
export type BookingActivityDeps = {
  db: Pool
  engine: BookingEngine
  log: Log
  steps: StepDeps
}
export type HistoryDeps = { historyRetentionDays: number }

/** Adds the account's test clock to the result of a step. */
export async function onClock<R extends object>(
  { aheadMs }: OnClock,
  step: Promise<R>,
): Promise<R & OnClock> {
  const result = await step
  return aheadMs === undefined ? result : { ...result, aheadMs }
}

/** The steps of one booking, and the erasure of its history. */
export function createBookingActivities({
  db,
  engine,
  log,
  steps,
  historyRetentionDays,
}: BookingActivityDeps & HistoryDeps) {
  return {
    async decideBooking(booking: BookingStart, workflowTime: number) {
      const start = await readClock(db, booking)
      const at = timeAt(start, workflowTime)
      const decide = async () =>
        (await findDecision(db, start)) ?? decideBooking(db, start, steps, at)
      const decision = await onClock(start, inTaskTurn(db, start, decide))
      const { answer } = decision
      const code = answer && 'refusal' in answer && answer.refusal.code
      if (code === 'slot_held') await wakeOverdueHolds({ db, engine, log }, start.venueId, at)
      return decision
    },
    async actWhenDue(booking: BookingStart, workflowTime: number) {
      const start = await readClock(db, booking)
      const act = () => actWhenDue(db, start, steps, notBefore(start, workflowTime))
      return onClock(start, inTaskTurn(db, start, act))
    },
    async runCommands(booking: BookingStart, commandIds: string[], workflowTime: number) {
      const start = await readClock(db, booking)
      const run = () => {
        const at = notBefore(start, workflowTime)
        return runCommands(db, start, steps, { commandIds, at })
      }
      return onClock(start, inTurn(db, start, run))
    },
    storeOperatorAct: ({ accountId, bookingId }: BookingStart, act: OperatorAct, at: number) =>
      transaction(db, (tx) =>
        storeOperatorAct(tx, bookingId, act, bySignal(accountId, new Date(at), saidIn(act))),
      ),
    eraseHistory: (at: number) =>
      whileBeating(() => eraseHistory({ db, log }, historyRetentionDays, new Date(at))),
  }
}
