import { isDataError } from '../../platform/database/data-error.ts'
import type { Db, Pool } from '../../platform/database/sql.ts'
import type { CommandDone, RunCommand, StepContext, StepDeps } from '../hooks.ts'
import type {
  BookingStart,
  CommandAnswer,
  CommandKind,
  CommandsResult,
} from '../rules/booking-messages.ts'
import { selectBooking } from '../store/booking-view.ts'
import { selectBookingForUpdate } from '../store/bookings.ts'
import {
  countFailure,
  markBegun,
  type OpenCommand,
  readOpenCommand,
  selectCommandAnswers,
  selectOpenCommands,
  updateCommandAnswer,
} from '../store/commands.ts'
import { selectDecision } from '../store/requests.ts'
import { stepOnce } from '../store/transitions.ts'
import { amend } from './amend.ts'
import { cancel } from './cancel.ts'
import { confirmHold, extendHold, releaseHold } from './change-hold.ts'
import { requestRefused } from './refused.ts'

const kinds: Partial<Record<CommandKind, RunCommand>> = {
  confirm: confirmHold,
  extend: extendHold,
  release: releaseHold,
  cancel,
  wake: async (tx, { id }) => ({ answer: { booking: await selectBooking(tx, id) }, events: [] }),
}

/** Runs a booking's open commands. Returns its state and the answers to `commandIds`. */
export async function runCommands(
  db: Pool,
  start: BookingStart,
  deps: StepDeps,
  { commandIds, at }: { commandIds: readonly string[]; at: Date },
): Promise<CommandsResult> {
  await runOpenCommands(db, start, deps, at)
  const [decision, answers] = await Promise.all([
    selectDecision(db, start.bookingId),
    selectCommandAnswers(db, start.bookingId, commandIds),
  ])
  return { ...decision, answers }
}

/**
 * Runs the open commands in order, each once, after the venue's responses. Answers a command that
 * must fail, or has failed ten times, with `internal_error`, and runs the next.
 */
export async function runOpenCommands(
  db: Pool,
  start: BookingStart,
  deps: StepDeps,
  at: Date,
): Promise<void> {
  const { bookingId } = start
  await deps.hooks.beforeDue(db, start, deps, at)
  const commands = await selectOpenCommands(db, bookingId)
  if (commands.length === 0) return
  const { state: before } = await selectDecision(db, bookingId)
  for (const row of commands) {
    const run = (work: Work) => runOnce(db, start, row.id, at, work)
    try {
      const workNow = () => workOf(db, start, readOpenCommand(row), { ...deps, at })
      await run(before ? await workNow() : async () => requestRefused(start))
    } catch (error) {
      // Failures count only while the database is reachable, so an outage cannot abandon a command.
      const isCertain = isDataError(error) || error instanceof RangeError
      const isHopeless = isCertain || (await countFailure(db, row.id)) >= MAX_FAILURES
      if (!isHopeless) throw error
      await run(givenUp(start))
    }
  }
}

/** The last of these attempts comes more than a minute after the first. */
const MAX_FAILURES = 10

/** What a command does in its transaction. */
type Work = (tx: Db) => Promise<CommandDone>

/** Runs a command and stores its answer, or the fact that its venue is deciding. */
async function runOnce(
  db: Pool,
  { accountId, bookingId }: BookingStart,
  id: string,
  at: Date,
  work: Work,
): Promise<void> {
  const step = { accountId, bookingId, transitionId: `command:${id}`, at }
  await stepOnce<CommandAnswer | null>(db, step, async (tx) => {
    const { answer, events } = await work(tx)
    if (answer) await updateCommandAnswer(tx, id, answer)
    else await markBegun(tx, id, at)
    return { result: answer, events }
  })
}

/** A command that can never succeed must not block the booking's later commands. */
const givenUp =
  ({ bookingId }: BookingStart): Work =>
  async () => {
    const message = 'The command failed on our side and was given up. Nothing was changed.'
    const facts = { booking_id: bookingId }
    return { answer: { refusal: { code: 'internal_error', message, facts } }, events: [] }
  }

/** Does the look-ups that need no lock, and returns the work of the command's transaction. */
async function workOf(
  db: Pool,
  start: BookingStart,
  command: OpenCommand,
  context: StepContext,
): Promise<Work> {
  const locked = (tx: Db) => selectBookingForUpdate(tx, start.bookingId)
  if (command.kind === 'amend') {
    const work = await amend(db, start, command, context)
    return async (tx) => work(tx, await locked(tx))
  }
  const kind = kinds[command.kind] ?? context.venue.commands[command.kind]
  if (!kind) throw new Error(`nothing can ${command.kind} a booking`)
  return async (tx) => kind(tx, await locked(tx), command, context)
}
