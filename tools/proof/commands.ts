import { randomUUID, randomUUIDv7 } from 'node:crypto'
import type { BookingStart, CommandKind } from '../../src/bookings/rules/booking-messages.ts'
import { runCommands } from '../../src/bookings/steps/run-commands.ts'
import { insertCommand } from '../../src/bookings/store/commands.ts'
import { stepDeps } from '../../test/support/terms.ts'
import { type Outcome, outcomeOf, type World } from './world.ts'

/**
 * Records a command for an existing booking as a door does, and runs it at once, both as of `at`.
 */
export async function command(
  world: World,
  start: BookingStart,
  kind: CommandKind,
  { at = new Date(), input = {} }: { at?: Date; input?: Record<string, unknown> } = {},
): Promise<Outcome> {
  const { db, answers } = world
  const { accountId, bookingId } = start
  const id = randomUUIDv7()
  const body = { kind, input, bodyHash: Buffer.from(id), guest: null }
  const sender = { idempotencyKey: randomUUID(), door: 'rest', fromAgent: null, at }
  await insertCommand(db, { id, accountId, bookingId, ...body, ...sender })
  const { answers: commandAnswers, ...decision } = await runCommands(db, start, stepDeps, {
    commandIds: [id],
    at,
  })
  const answer = commandAnswers[id] ?? null
  answers.note(id, answer)
  const outcome = outcomeOf(world, start, decision)
  return answer && 'refusal' in answer ? `refused: ${answer.refusal.code}` : outcome
}
