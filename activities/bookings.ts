import type { BookingAnswers } from '../src/bookings/booking-answers.ts'
import type { StepDeps } from '../src/bookings/hooks.ts'
import type { BookingStart, ConfirmAnswer } from '../src/bookings/rules/booking-messages.ts'
import { inTaskTurn, inTurn } from '../src/bookings/steps/account-turns.ts'
import { actWhenDue } from '../src/bookings/steps/act-when-due.ts'
import { decideBooking } from '../src/bookings/steps/decide-booking.ts'
import { eraseHistory } from '../src/bookings/steps/erase-history.ts'
import { runCommands } from '../src/bookings/steps/run-commands.ts'
import { wakeOverdueHolds } from '../src/bookings/steps/sweep.ts'
import type { Engine } from '../src/contract/operation.ts'
import type { Shard } from '../src/contract/rules/shards.ts'
import type { Pool } from '../src/platform/database/sql.ts'
import type { Log } from '../src/platform/telemetry/log.ts'
import type { CountPass } from '../src/platform/telemetry/pass-metrics.ts'
import { whileBeating } from './while-beating.ts'

export type BookingActivities = ReturnType<typeof createBookingActivities>
export type BookingActivityDeps = {
  db: Pool
  engine: Engine
  log: Log
  steps: StepDeps
  /** set where doors run in the same process */
  answers?: BookingAnswers | undefined
}
export type HistoryDeps = { historyRetentionDays: number; countPass: CountPass }

/** What a step decides, told at once to callers in this process who wait for the booking. */
export async function announced<D extends { answer?: ConfirmAnswer | null }>(
  answers: BookingAnswers | undefined,
  { bookingId }: BookingStart,
  deciding: Promise<D>,
): Promise<D> {
  const decision = await deciding
  answers?.announce(bookingId, decision.answer ?? null)
  return decision
}

/** The steps of one booking, and the end of its history. */
export const createBookingActivities = ({
  db,
  engine,
  log,
  steps,
  historyRetentionDays,
  countPass,
  answers,
}: BookingActivityDeps & HistoryDeps) => ({
  async decideBooking(start: BookingStart, at: number) {
    const decide = async () => {
      const evaluation = await answers?.takePrepared(start.bookingId)
      return decideBooking(db, start, steps, new Date(at), evaluation)
    }
    const deciding = inTaskTurn(db, start.accountId, decide)
    const decision = await announced(answers, start, deciding)
    const { answer } = decision
    const code = answer && 'refusal' in answer && answer.refusal.code
    if (code === 'slot_held') {
      await wakeOverdueHolds({ db, engine, log }, start.venueId, new Date(at))
    }
    return decision
  },
  actWhenDue: (start: BookingStart, at: number) =>
    announced(
      answers,
      start,
      inTaskTurn(db, start.accountId, () => actWhenDue(db, start, steps, notBefore(at))),
    ),
  runCommands: (start: BookingStart, asked: string[], at: number) =>
    announced(
      answers,
      start,
      inTurn(db, start.accountId, () =>
        runCommands(db, start, steps, { asked, at: notBefore(at) }),
      ),
    ),
  async eraseHistory(at: number, shard?: Shard) {
    const erase = () =>
      eraseHistory({ db, log }, historyRetentionDays, new Date(at), shard && { shard })
    const pass = await whileBeating(erase)
    countPass('eraseHistory', pass)
    return pass
  },
})

/** A retry gets the time of the first attempt, but a step must not judge by a time long past. */
const notBefore = (at: number) => new Date(Math.max(at, Date.now()))
