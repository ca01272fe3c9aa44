import { UsageError } from '../../../src/platform/command-line/usage-error.ts'
import type { OneBooking, Venue } from '../answers.ts'
import { defineCommand } from '../command.ts'
import type { Network } from '../network/network.ts'
import type { Screen } from '../screen/screen.ts'
import { shellWord } from '../screen/shell-word.ts'
import { showBooking } from '../screen/show-booking.ts'
import { deciding, wishing } from './booking-options.ts'
import { change } from './change.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const book = defineCommand({
  words: 'book',
  summary: 'Book a slot at a venue.',
  details:
    'Makes exactly one booking: after a lost connection it retries with the same idempotency ' +
    'key. Needs the pro plan.',
  args: {
    venue: { about: 'Slug or id of the venue, from search' },
    time: { about: 'Local time at the venue, as in 2026-12-24T19:00', many: true },
  },
  options: {
    party: { kind: 'number', value: 'N', about: 'Number of guests (required)' },
    ...wishing,
    name: { kind: 'text', value: 'NAME', about: 'Guest’s name; shared with the venue only' },
    phone: { kind: 'text', value: 'PHONE', about: 'Guest’s phone, with --name' },
    email: { kind: 'text', value: 'EMAIL', about: 'Guest’s email address, with --name' },
    notes: { kind: 'text', value: 'TEXT', about: 'For the venue: allergies, occasion, …' },
    ref: { kind: 'text', value: 'TEXT', about: 'Your own reference for the guest' },
    ...deciding,
  },
  examples: [
    'book angin-laut-sushi-canggu 2026-12-24T19:00 --party 2',
    'book angin-laut-sushi-canggu 2026-12-24 19:00 --party 4 --name Ayu --notes "window seat"',
    'book lumbung-spa-seminyak 2026-12-24T15:00 --party 1 --service "hot stone" --with Ayu',
  ],
  async run({ args, options, ...call }) {
    const { party, service, minutes, with: leader, name, phone, email, notes, ref } = options
    if (party === undefined) throw new UsageError('book needs --party, the number of guests.')
    if (name === undefined && (phone !== undefined || email !== undefined)) {
      throw new UsageError('--phone and --email need --name.')
    }
    const network = await call.network()
    const input = {
      venue_id: await venueIdOf(network, args.venue),
      slot_time: args.time.replace(' ', 'T'),
      party_size: party,
      service,
      minutes,
      with: leader,
      ...(name !== undefined && { guest: { name, phone, email } }),
      ...(notes !== undefined && { notes }),
      ...(ref !== undefined && { guest_ref: ref }),
    }
    const request = { path: '/api/bookings', body: input, waiting: 'Waiting for the booking' }
    const { body, code } = await change<OneBooking>(
      { network, terminal: call.terminal },
      request,
      options,
    )
    return { answer: body, text: (screen) => show(screen, body), code }
  },
})

async function venueIdOf(network: Network, slug: string): Promise<string> {
  if (uuid.test(slug)) return slug
  const path = `/api/venues/${encodeURIComponent(slug)}`
  const { body } = await network.ask<{ venue: Venue }>({ path })
  return body.venue.id
}

const show = (screen: Screen, booking: OneBooking): string => {
  const again = booking.replayed || booking.joined
  const isPending = booking.status === 'pending'
  const { paint, program } = screen
  return [
    paint(headOf(isPending, again), isPending ? 'wait' : 'good'),
    showBooking(screen, booking),
    ...(isPending
      ? [`Still in progress. Check with: ${program} bookings show ${shellWord(booking.booking.id)}`]
      : []),
  ].join('\n')
}

function headOf(isPending: boolean, again: boolean | undefined): string {
  if (isPending) return 'Not decided yet.'
  return again ? 'Already booked by an earlier request.' : 'Booked.'
}
