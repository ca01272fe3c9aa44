import { acceptOffer } from '../../confirmation/steps/accept-offer.ts'
import { hearVenue } from '../../confirmation/steps/hear-venue.ts'
import { refuseOffer } from '../../confirmation/steps/refuse-offer.ts'
import type { Db, Pool } from '../../platform/database/sql.ts'
import type {
  BookingStart,
  CommandAnswer,
  CommandKind,
  CommandsRun,
} from '../rules/booking-messages.ts'
import { selectOptionalBookingState } from '../store/booking-state.ts'
import { type LockedBooking, selectBookingForUpdate } from '../store/bookings.ts'
import {
  markBegun,
  type OpenCommand,
  selectCommandAnswers,
  selectOpenCommands,
  updateCommandAnswer,
} from '../store/commands.ts'
import { selectOptionalAnswer } from '../store/requests.ts'
import { stepOnce } from '../store/transitions.ts'
import { amend } from './amend.ts'
import { cancel } from './cancel.ts'
import type { Terms } from './confirm-booking.ts'
import { confirmHold } from './confirm-hold.ts'
import { type CommandDone, type RunCommand, refused } from './define.ts'
import { extend } from './extend.ts'
import { release } from './release.ts'

const kinds: Partial<Record<CommandKind, RunCommand>> = {
  confirm: confirmHold,
  extend,
  release,
  cancel,
  accept_offer: acceptOffer,
  refuse_offer: refuseOffer,
}

/**
 * Runs what agents want of a booking and nobody has acted upon yet, one command after the other, each once; what its venue
 * has said comes first. Answers where the booking stands, and the answers to `asked`.
 */
export async function runCommands(
  db: Pool,
  start: BookingStart,
  terms: Terms,
  { asked, at }: { asked: readonly string[]; at: Date },
): Promise<CommandsRun> {
  const { accountId, bookingId } = start
  const { state: before } = await hearVenue(db, start, terms, at)
  for (const command of await selectOpenCommands(db, bookingId)) {
    const step = { accountId, bookingId, transitionId: `command:${command.id}`, at }
    const work = before ? await workOf(db, start, command, { terms, at }) : null
    await stepOnce<CommandAnswer | null>(db, step, async (tx) => {
      const { answer, events } = work
        ? await work(tx, await selectBookingForUpdate(tx, bookingId))
        : refused('already_final', { id: bookingId, status: 'failed' }, 'The request was refused.')
      if (answer) await updateCommandAnswer(tx, command.id, answer)
      else await markBegun(tx, command.id, at)
      return { result: answer, events }
    })
  }
  const [state, answer, answers] = await Promise.all([
    selectOptionalBookingState(db, bookingId),
    selectOptionalAnswer(db, bookingId),
    selectCommandAnswers(db, asked),
  ])
  return { state: state ?? null, answer, answers }
}

/** The work of a command's transaction, after whatever can be looked up before it. */
async function workOf(
  db: Pool,
  start: BookingStart,
  command: OpenCommand,
  context: { terms: Terms; at: Date },
): Promise<(tx: Db, booking: LockedBooking) => Promise<CommandDone>> {
  if (command.kind === 'amend') return amend(db, start, command, context)
  const kind = kinds[command.kind]
  if (!kind) throw new Error(`nothing can ${command.kind} a booking`)
  return (tx, booking) => kind(tx, booking, command, context)
}
