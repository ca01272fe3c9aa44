import type { Db, Pool } from '../../platform/database/sql.ts'
import type { CommandDone, RunCommand, StepContext, StepDeps } from '../hooks.ts'
import type {
  BookingStart,
  CommandAnswer,
  CommandKind,
  CommandsResult,
} from '../rules/booking-messages.ts'
import { type LockedBooking, selectBookingForUpdate } from '../store/bookings.ts'
import {
  markBegun,
  type OpenCommand,
  selectCommandAnswers,
  selectOpenCommands,
  updateCommandAnswer,
} from '../store/commands.ts'
import { selectDecision } from '../store/requests.ts'
import { stepOnce } from '../store/transitions.ts'
import { amend } from './amend.ts'
import { cancel } from './cancel.ts'
import { confirmHold, extendHold, releaseHold } from './change-hold.ts'
import { refused } from './refused.ts'

const kinds: Partial<Record<CommandKind, RunCommand>> = {
  confirm: confirmHold,
  extend: extendHold,
  release: releaseHold,
  cancel,
}

/**
 * Runs the open commands of a booking. Answers the state of the booking and the answers to `asked`.
 */
export async function runCommands(
  db: Pool,
  start: BookingStart,
  deps: StepDeps,
  { asked, at }: { asked: readonly string[]; at: Date },
): Promise<CommandsResult> {
  await runOpenCommands(db, start, deps, at)
  const [decision, answers] = await Promise.all([
    selectDecision(db, start.bookingId),
    selectCommandAnswers(db, asked),
  ])
  return { ...decision, answers }
}

/** Runs the open commands in order, each once; responses of the venue come first. */
export async function runOpenCommands(
  db: Pool,
  start: BookingStart,
  deps: StepDeps,
  at: Date,
): Promise<void> {
  const { accountId, bookingId } = start
  await deps.hooks.beforeDue(db, start, deps, at)
  const commands = await selectOpenCommands(db, bookingId)
  if (commands.length === 0) return
  const { state: before } = await selectDecision(db, bookingId)
  for (const command of commands) {
    const step = { accountId, bookingId, transitionId: `command:${command.id}`, at }
    const work = before ? await workOf(db, start, command, { ...deps, at }) : null
    await stepOnce<CommandAnswer | null>(db, step, async (tx) => {
      const { answer, events } = work
        ? await work(tx, await selectBookingForUpdate(tx, bookingId))
        : refused('already_final', { id: bookingId, status: 'failed' }, 'The request was refused.')
      if (answer) await updateCommandAnswer(tx, command.id, answer)
      else await markBegun(tx, command.id, at)
      return { result: answer, events }
    })
  }
}

/** The work of a command's transaction, after the look-ups that need no lock. */
async function workOf(
  db: Pool,
  start: BookingStart,
  command: OpenCommand,
  context: StepContext,
): Promise<(tx: Db, booking: LockedBooking) => Promise<CommandDone>> {
  if (command.kind === 'amend') return amend(db, start, command, context)
  const kind = kinds[command.kind] ?? context.venue.commands[command.kind]
  if (!kind) throw new Error(`nothing can ${command.kind} a booking`)
  return (tx, booking) => kind(tx, booking, command, context)
}
