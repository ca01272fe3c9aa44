import { randomUUIDv7 } from 'node:crypto'
import { Refusal, refuse } from '../../base/errors.ts'
import { digestOf } from '../../contract/idempotency.ts'
import { accountOf } from '../../contract/operation.ts'
import type { OwnBooking } from '../../contract/public.ts'
import { selectOptionalUse } from '../../platform/database/used-keys.ts'
import type { BookingContext } from '../engine.ts'
import type {
  BookingStart,
  CommandAnswer,
  CommandKind,
  SubmittedCommand,
} from '../rules/booking-messages.ts'
import { ownBookingOf } from '../steps/guest-link.ts'
import { storeCommand } from '../steps/store-command.ts'
import { selectOptionalBookingStartOf } from '../store/booking-starts.ts'
import { selectOwnBooking, selectOwnFields } from '../store/booking-view.ts'
import { type NewCommand, selectOptionalCommandAnswer } from '../store/commands.ts'
import { isPersonUnattended, pending } from './open-request.ts'
import { type BookingRequest, guestOf } from './store-request.ts'
import { unlessUnattended } from './unless-far-off.ts'

/** A command for the booking `id`. Temporal shows `input`; `guest` goes only to the venue. */
export type CommandInput = {
  id: string
  kind: CommandKind
  input?: Record<string, unknown> | undefined
  guest?: Pick<BookingRequest, 'guest' | 'notes' | 'guest_ref'>
  idempotency_key?: string | undefined
  wait: number
}

/** The result of a command, or the current booking while the command is running. */
export type CommandResult = {
  commandId: string
  isPending: boolean
  isReplayed: boolean
  /** the venue is deciding about an equal command */
  isJoined: boolean
  answer: Exclude<CommandAnswer, { refusal: unknown }> & { booking: OwnBooking }
  at: Date
}

/**
 * Stores a command, lets the booking's workflow run it and waits up to `wait` seconds for the
 * answer. Repeating the key and body returns the same answer, and so does an equal command while
 * the venue decides. Throws the command's refusal, `booking_not_found` for another account's
 * booking, `idempotency_mismatch` and `command_limit`.
 */
export async function submitCommand(
  ctx: BookingContext,
  input: CommandInput,
): Promise<CommandResult> {
  const start = await startOf(ctx, input.id)
  const { isReplayed, isJoined, ...command } = await record(ctx, input, new Date(start.startsAt))
  const earlier = isReplayed ? await selectOptionalCommandAnswer(ctx.db, command.id) : null
  const answer = earlier ?? (await awaitAnswer(ctx, start, command, input.wait))
  const result = { commandId: command.id, isReplayed, isJoined, at: ctx.at }
  if (!answer) {
    const booking = ownBookingOf(ctx, await selectOwnBooking(ctx.db, input.id))
    return { ...result, isPending: true, answer: { booking } }
  }
  if ('booking' in answer) {
    const row = { ...answer.booking, ...(await selectOwnFields(ctx.db, input.id)) }
    const booking = ownBookingOf(ctx, row)
    return { ...result, isPending: false, answer: { ...answer, booking } }
  }
  const facts = { ...answer.refusal.facts, ...(isReplayed && { replayed: true }) }
  throw new Refusal({ ...answer.refusal, facts })
}

/** The input for the workflow of the account's booking; throws `booking_not_found`. */
export async function startOf(ctx: BookingContext, bookingId: string): Promise<BookingStart> {
  const start = await selectOptionalBookingStartOf(ctx.db, accountOf(ctx).id, bookingId)
  if (!start) throw refuse('booking_not_found')
  return start
}

/** How operations answer a command: `status` once it has run, and the next step until then. */
export const resultOf = <S extends string>(result: CommandResult, status: S) =>
  result.isPending
    ? pending(result.answer.booking, result.at)
    : { status, booking: result.answer.booking, ...(result.isReplayed && { replayed: true }) }

/** The answer within `wait` seconds, or one stored just after; null if there is none. */
async function awaitAnswer(
  ctx: BookingContext,
  start: BookingStart,
  command: SubmittedCommand,
  wait: number,
) {
  const running = ctx.engine
    .command(start, command, wait)
    .then((answer) => (answer === 'pending' ? null : answer))
  const answer = await unlessUnattended(running, () => isPersonUnattended(ctx, start.bookingId))
  return answer ?? selectOptionalCommandAnswer(ctx.db, command.id)
}

async function record(ctx: BookingContext, request: CommandInput, startsAt: Date) {
  const { id: bookingId, kind, input = {}, guest = {}, idempotency_key = null } = request
  const digest = digestOf(ctx, { bookingId, kind, input, ...guest })
  const details = guestOf(guest, startsAt)?.details ?? null
  const command: NewCommand = {
    id: randomUUIDv7(),
    accountId: accountOf(ctx).id,
    bookingId,
    kind,
    input,
    idempotencyKey: idempotency_key,
    bodyHash: digest.newest,
    guest: details && { ...details, guest_ref: guest.guest_ref },
    door: ctx.door,
    fromAgent: ctx.from,
    at: ctx.at,
  }
  const id = await storeCommand(ctx.db, command)
  const asGiven = { kind, input }
  if (id !== undefined) return { id, isReplayed: false, isJoined: id !== command.id, ...asGiven }
  const use = await selectOptionalUse(ctx.db, command.accountId, command.idempotencyKey ?? '')
  if (!use || !digest.equals(use.body_hash)) throw refuse('idempotency_mismatch')
  return { id: use.subject_id, isReplayed: true, isJoined: false, ...asGiven }
}
