import type {
  BookingStart,
  BookingState,
  SubmittedCommand,
} from '../../src/bookings/rules/booking-messages.ts'
import { minutesOfReminder } from '../../src/bookings/rules/due.ts'

/** What a booking's timer waits for, as the Temporal UI shows it: `reminder 24 h before`. */
export function nextStep({ bookingId, startsAt }: BookingStart, state: BookingState): string {
  const { status, nextActionAt, answerBy } = state
  if (status === 'held') return 'end of the hold'
  if (status === 'offered') return 'end of the offer'
  if (!nextActionAt) return 'nothing'
  if (status === 'pending') {
    return answerBy && nextActionAt >= answerBy
      ? 'end of the venue’s time'
      : 'reminder to the people at the venue'
  }
  const msBefore = Date.parse(startsAt) - Date.parse(nextActionAt)
  if (msBefore <= 0) return 'completion'
  return `reminder ${inHours(minutesOfReminder(bookingId, msBefore))} before`
}

function inHours(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ')
}

/** Temporal servers refuse a summary of more than 400 bytes. */
const MAX_CHARS = 120

/** Sums up commands for the step that runs them: `amend: party of 4, 2026-11-24 19:30`. */
export function inWords(commands: readonly Pick<SubmittedCommand, 'kind' | 'input'>[]): string {
  const words = commands.map(({ kind, input }) => {
    const { party_size: size, slot_time: time } = input ?? {}
    const facts = [
      typeof size === 'number' && `party of ${size}`,
      typeof time === 'string' && localTime(time),
    ].filter(Boolean)
    return `${kind.replaceAll('_', ' ')}${facts.length > 0 ? `: ${facts.join(', ')}` : ''}`
  })
  const text = [...new Set(words)].join('; ')
  return text.slice(0, MAX_CHARS) || 'run the commands of the agent'
}

/** Formats a local time for operators. */
export const localTime = (slotTime: string): string => slotTime.replace('T', ' ').slice(0, 16)

/** Describes an amendment: `party of 2, 2026-11-24 19:00 → party of 4, 2026-11-24 19:30`. */
export const changeOf = (before: BookingStart, after: BookingStart): string =>
  `${slotOf(before)} → ${slotOf(after)}`

const slotOf = ({ partySize, slotTime }: BookingStart) =>
  `party of ${partySize}, ${localTime(slotTime)}`
