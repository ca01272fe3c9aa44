import type { OneBooking } from '../answers.ts'
import { defineCommand } from '../command.ts'
import type { Screen } from '../screen/screen.ts'
import { shellWord } from '../screen/shell-word.ts'
import { showBooking } from '../screen/show-booking.ts'
import { showBooked } from './book.ts'
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

const exampleId = '01a1fe14-6cb9-7562-8d94-b8aa549d7d5d'
const holdArgument = { about: 'Id of a hold' }

export const hold = defineCommand({
  words: 'hold',
  summary: 'Hold a slot for some minutes, free of charge.',
  details: 'Confirm it before it ends, or release it. Needs the pro plan.',
  args: slotArguments,
  options: { ...slotOptions, ...refOption, ...alsoOption, ...deciding },
  examples: ['hold angin-laut-sushi-canggu 2026-12-24T19:00 --party 2'],
  async run({ args, options, ...call }) {
    const { ref: guest_ref, also } = options
    const body = { ...slotOf('hold', args, options), guest_ref, also }
    const request = { path: '/api/holds', body, waiting: 'Waiting for the hold' }
    const place = { network: await call.network(), terminal: call.terminal }
    const { body: answer, code } = await change<OneBooking>(place, request, options)
    return { answer, text: (screen) => showHeld(screen, answer), code }
  },
})

function showHeld(screen: Screen, answer: OneBooking): string {
  const { id, status } = answer.booking
  const { paint, program } = screen
  if (status !== 'held') return showBooking(screen, answer)
  return [
    paint('Held.', 'good'),
    showBooking(screen, { booking: answer.booking }),
    `Confirm it: ${program} holds confirm ${shellWord(id)}`,
  ].join('\n')
}

export const confirmHold = defineCommand({
  words: 'holds confirm',
  summary: 'Confirm a hold: it becomes a booking.',
  args: { hold: holdArgument },
  options: { ...guestOptions, ...refOption, ...alsoOption, ...deciding },
  examples: [`holds confirm ${exampleId} --name Ayu`],
  async run({ args, options, ...call }) {
    const { ref: guest_ref, also } = options
    const body = { hold_id: args.hold, ...guestOf(options), guest_ref, also }
    const request = { path: '/api/bookings', body, waiting: 'Waiting for the booking' }
    const place = { network: await call.network(), terminal: call.terminal }
    const { body: answer, code } = await change<OneBooking>(place, request, options)
    return { answer, text: (screen) => showBooked(screen, answer), code }
  },
})

const holdCommand = (verb: 'extend' | 'release', summary: string, head: string) =>
  defineCommand({
    words: `holds ${verb}`,
    summary,
    args: { hold: holdArgument },
    options: deciding,
    examples: [`holds ${verb} ${exampleId}`],
    async run({ args, options, ...call }) {
      const path = `/api/holds/${encodeURIComponent(args.hold)}/${verb}`
      const request = { path, body: {}, waiting: 'Waiting for the hold' }
      const place = { network: await call.network(), terminal: call.terminal }
      const { body: answer, code } = await change<OneBooking>(place, request, options)
      const line = answer.status === 'pending' ? 'Not decided yet.' : head
      return { answer, text: (screen) => `${line}\n${showBooking(screen, answer)}`, code }
    },
  })

export const extendHold = holdCommand('extend', 'Keep a hold longer, once.', 'Extended.')
export const releaseHold = holdCommand('release', 'Release a held slot.', 'Released.')
