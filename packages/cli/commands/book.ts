import type { OneBooking } from '../answers.ts'
import { defineCommand } from '../command.ts'
import type { Screen } from '../screen/screen.ts'
import { shellWord } from '../screen/shell-word.ts'
import { showBooking } from '../screen/show-booking.ts'
import {
  alsoOption,
  deciding,
  guestOf,
  guestOptions,
  refOption,
  slotArguments,
  slotOf,
  slotOptions,
} from './booking-options.ts'
import { change } from './change.ts'

export const book = defineCommand({
  words: 'book',
  summary: 'Book a slot at a venue.',
  details:
    'Makes exactly one booking: after a lost connection it retries with the same idempotency ' +
    'key. Needs the pro plan.',
  args: slotArguments,
  options: { ...slotOptions, ...guestOptions, ...refOption, ...alsoOption, ...deciding },
  examples: [
    'book angin-laut-sushi-canggu 2026-12-24T19:00 --party 2',
    'book angin-laut-sushi-canggu 2026-12-24 19:00 --party 4 --name Ayu --notes "window seat"',
    'book lumbung-spa-seminyak 2026-12-24T15:00 --party 1 --service "hot stone" --with Ayu',
  ],
  async run({ args, options, ...call }) {
    const body = {
      ...slotOf('book', args, options),
      ...guestOf(options),
      guest_ref: options.ref,
      also: options.also,
    }
    const request = { path: '/api/bookings', body, waiting: 'Waiting for the booking' }
    const place = { network: await call.network(), terminal: call.terminal }
    const { body: answer, code } = await change<OneBooking>(place, request, options)
    return { answer, text: (screen) => showBooked(screen, answer), code }
  },
})

/** The answer to a booking, or to the confirmation of a hold. */
export const showBooked = (screen: Screen, answer: OneBooking): string => {
  const again = answer.replayed || answer.joined
  const isPending = answer.status === 'pending' || answer.status === 'offered'
  const { paint, program } = screen
  return [
    paint(headOf(isPending, again), isPending ? 'wait' : 'good'),
    showBooking(screen, answer),
    ...(isPending
      ? [`Still in progress. Check with: ${program} bookings show ${shellWord(answer.booking.id)}`]
      : []),
  ].join('\n')
}

function headOf(isPending: boolean, again: boolean | undefined): string {
  if (isPending) return 'Not decided yet.'
  return again ? 'Already booked by an earlier request.' : 'Booked.'
}
