import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { CommandAnswer, OperatorActName } from '../bookings/rules/booking-messages.ts'
import { saidIn, storeOperatorAct } from '../bookings/steps/operator-act.ts'
import { selectBookingStart } from '../bookings/store/booking-starts.ts'
import { selectOptionalCommandAnswer } from '../bookings/store/commands.ts'
import { byCommand } from '../contract/audit.ts'
import { UsageError } from '../platform/command-line/usage-error.ts'
import type { Pool } from '../platform/database/sql.ts'
import { idFrom } from './ids.ts'
import { defineOperatorCommand, operatorProgram } from './operator-program.ts'

const exampleId = '0197a1f0-0000-7000-8000-000000000000'
const MAX_CHARS = { by: 100, reason: 500, id: 100 }
/** The sweep announces stored acts to their bookings, every 15 s. */
const WAIT_SECONDS = 40

const act = (name: OperatorActName, summary: string, details: string) =>
  defineOperatorCommand({
    words: name,
    summary,
    details,
    args: { booking: { about: 'Id of the booking' } },
    options: {
      by: { kind: 'text', value: 'NAME', about: 'Who you are, for operators', required: true },
      reason: { kind: 'text', value: 'TEXT', about: 'Why; the account sees it', required: true },
      id: { kind: 'text', value: 'ID', about: 'The same id has its effect once (default random)' },
    },
    examples: [`${name} ${exampleId} --by Ayu --reason "the guest called" --id INC-7`],
    async run({ args, options, onDatabase, at }) {
      const bookingId = idFrom(args.booking, name)
      const { by, reason, id = randomUUID() } = options
      for (const [option, text] of Object.entries({ by, reason, id })) {
        const max = MAX_CHARS[option as keyof typeof MAX_CHARS]
        if (text.trim() === '' || text.length > max) {
          throw new UsageError(`--${option} takes 1 to ${max} characters.`)
        }
      }
      return onDatabase(async (db) => {
        const { accountId } = await selectBookingStart(db, bookingId)
        const act = { name, id, by, reason }
        const audited = byCommand(accountId, at, saidIn(act))
        const command = await storeOperatorAct(db, bookingId, act, audited)
        return outcomeOf(await waitForAnswer(db, command.id))
      })
    },
  })

async function waitForAnswer(db: Pool, commandId: string): Promise<CommandAnswer | null> {
  for (let second = 0; second < WAIT_SECONDS; second += 1) {
    const answer = await selectOptionalCommandAnswer(db, commandId)
    if (answer) return answer
    await setTimeout(1_000)
  }
  return null
}

function outcomeOf(answer: CommandAnswer | null): string {
  if (!answer) return 'It is stored, and runs as soon as workers can take it.'
  if ('refusal' in answer) throw new Error(answer.refusal.message)
  const { booking, cancellation } = answer
  return [`The booking is ${booking.status}.`, cancellation?.policy].filter(Boolean).join(' ')
}

/** `npx node src/commands/bookings.ts`. */
export const bookingProgram = operatorProgram({
  name: 'npx node src/commands/bookings.ts',
  about: 'What operators do to a booking of any account; its audit log has who and why.',
  commands: [
    act('cancel', 'Cancel a booking; its fee is taken back.', 'The venue and the agent are told.'),
    act('retry', 'Try the last command again that was given up.', 'Does what is due, too.'),
    act('wake', 'Do now what is due of a booking.', 'Harmless at any time.'),
  ],
})
