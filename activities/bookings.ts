import { notBefore, type OnClock, timeAt } from '../src/base/account-time.ts'
import type { BookingEngine } from '../src/bookings/engine.ts'
import type { StepDeps } from '../src/bookings/hooks.ts'
import type {
  BookingStart,
  ConfirmAnswer,
  OperatorAct,
} from '../src/bookings/rules/booking-messages.ts'
import { inTaskTurn, inTurn } from '../src/bookings/steps/account-turns.ts'
import { actWhenDue } from '../src/bookings/steps/act-when-due.ts'
import type { BookingAnswers } from '../src/bookings/steps/booking-answers.ts'
import { decideBooking } from '../src/bookings/steps/decide-booking.ts'
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
  /** set if doors run in the same process */
  answers?: BookingAnswers | undefined
}
export type HistoryDeps = { historyRetentionDays: number }

/** Announces a step's decision immediately to callers in this process that await the booking. */
export async function announced<D extends { answer?: ConfirmAnswer | null }>(
  answers: BookingAnswers | undefined,
  { bookingId, aheadMs }: BookingStart,
  deciding: Promise<D>,
): Promise<D & OnClock> {
  const decision = await deciding
  answers?.announce(bookingId, decision.answer ?? null)
  return aheadMs === undefined ? decision : { ...decision, aheadMs }
}

/** The steps of one booking, and the erasure of its history. */
export function createBookingActivities({
  db,
  engine,
  log,
  steps,
  historyRetentionDays,
  answers,
}: BookingActivityDeps & HistoryDeps) {
  const decide = async (booking: BookingStart, now: number, mayCommit?: () => Promise<void>) => {
    const start = await readClock(db, booking)
    const at = timeAt(start, now)
    const inItsTurn = () => decideBooking(db, start, steps, at, mayCommit)
    return announced(answers, start, inTaskTurn(db, start, inItsTurn))
  }
  answers?.decideWith((start, mayCommit) => decide(start, Date.now(), mayCommit))
  return {
    async decideBooking(booking: BookingStart, workflowTime: number) {
      const decision = await (answers?.takeBegun(booking.bookingId) ??
        decide(booking, workflowTime))
      const { answer } = decision
      const code = answer && 'refusal' in answer && answer.refusal.code
      if (code === 'slot_held') {
        const start = await readClock(db, booking)
        await wakeOverdueHolds({ db, engine, log }, start.venueId, timeAt(start, workflowTime))
      }
      return decision
    },
    async actWhenDue(booking: BookingStart, workflowTime: number) {
      const start = await readClock(db, booking)
      const act = () => actWhenDue(db, start, steps, notBefore(start, workflowTime))
      return announced(answers, start, inTaskTurn(db, start, act))
    },
    async runCommands(booking: BookingStart, commandIds: string[], workflowTime: number) {
      answers?.cancelCall(booking.bookingId)
      const start = await readClock(db, booking)
      const run = () => {
        const at = notBefore(start, workflowTime)
        return runCommands(db, start, steps, { commandIds, at })
      }
      return announced(answers, start, inTurn(db, start, run))
    },
    storeOperatorAct: ({ accountId, bookingId }: BookingStart, act: OperatorAct, at: number) =>
      transaction(db, (tx) =>
        storeOperatorAct(tx, bookingId, act, bySignal(accountId, new Date(at), saidIn(act))),
      ),
    eraseHistory: (at: number) =>
      whileBeating(() => eraseHistory({ db, log }, historyRetentionDays, new Date(at))),
  }
}
