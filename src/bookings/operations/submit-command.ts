import { randomUUIDv7 } from 'node:crypto'
import { accountOf, type Context } from '../../contract/define.ts'
import { Refusal, refuse } from '../../contract/rules/errors.ts'
import { selectOptionalUse } from '../../platform/database/used-keys.ts'
import type { CommandAnswer, CommandKind, SubmittedCommand } from '../rules/booking-messages.ts'
import { selectOptionalBookingStartOf } from '../store/booking-starts.ts'
import { selectBooking } from '../store/booking-view.ts'
import { insertCommand, type NewCommand, selectOptionalCommandAnswer } from '../store/commands.ts'
import { type BookingRequest, guestOf, hash } from './booking-request.ts'

/** What an agent wants of one of its bookings. `input` is for all to see, `guest` for the venue only. */
export type CommandInput = {
  bookingId: string
  kind: CommandKind
  input?: Record<string, unknown>
  guest?: Pick<BookingRequest, 'guest' | 'notes'>
  idempotencyKey?: string | undefined
  wait: number
}

/** The answer to a command: what it led to, or that it is still being worked on. */
export type CommandResult = {
  isPending: boolean
  isReplayed: boolean
  answer: Exclude<CommandAnswer, { refusal: unknown }>
}

/**
 * Writes a command down, has the booking's workflow run it and waits up to `wait` seconds for the answer. The same key and
 * body again give the same answer. Throws the refusal that it led to, `booking_not_found` for a booking of another account,
 * `idempotency_mismatch`.
 */
export async function submitCommand(ctx: Context, wish: CommandInput): Promise<CommandResult> {
  const { bookingId, wait } = wish
  const start = await selectOptionalBookingStartOf(ctx.db, accountOf(ctx).id, bookingId)
  if (!start) throw refuse('booking_not_found')
  const { command, isReplayed } = await record(ctx, wish, start.startsAt)
  const stored = isReplayed ? await selectOptionalCommandAnswer(ctx.db, command.id) : null
  const answer = stored ?? (await awaitAnswer(ctx, start, command, wait))
  if (answer && 'refusal' in answer) {
    const { refusal } = answer
    const facts = { ...refusal.facts, ...(isReplayed && { replayed: true }) }
    throw new Refusal({ ...refusal, facts })
  }
  if (answer) return { isPending: false, isReplayed, answer }
  return {
    isPending: true,
    isReplayed,
    answer: { booking: await selectBooking(ctx.db, bookingId) },
  }
}

/** The answer within `wait` seconds, or the one that was stored just as they ended; null when there is none yet. */
async function awaitAnswer(
  ctx: Context,
  start: Parameters<Context['engine']['command']>[0],
  command: SubmittedCommand,
  wait: number,
) {
  const answer = await ctx.engine.command(start, command, wait)
  return answer === 'pending' ? selectOptionalCommandAnswer(ctx.db, command.id) : answer
}

async function record(ctx: Context, wish: CommandInput, startsAt: string) {
  const command = newCommand(ctx, wish, new Date(startsAt))
  const { id, kind, input } = command
  if (await insertCommand(ctx.db, command))
    return { command: { id, kind, input }, isReplayed: false }
  const use = await selectOptionalUse(ctx.db, command.accountId, command.idempotencyKey ?? '')
  if (!use?.body_hash.equals(command.bodyHash)) throw refuse('idempotency_mismatch')
  return { command: { id: use.subject_id, kind, input }, isReplayed: true }
}

function newCommand(ctx: Context, wish: CommandInput, startsAt: Date): NewCommand {
  const { bookingId, kind, input = {}, guest = {}, idempotencyKey = null } = wish
  return {
    id: randomUUIDv7(),
    accountId: accountOf(ctx).id,
    bookingId,
    kind,
    input,
    idempotencyKey,
    bodyHash: hash({ bookingId, kind, input, ...guest }),
    guest: guestOf(guest, startsAt),
    door: ctx.door,
    fromAgent: ctx.from,
    at: ctx.at,
  }
}
