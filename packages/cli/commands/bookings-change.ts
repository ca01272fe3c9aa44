import { money } from '../../../src/base/money.ts'
import { UsageError } from '../../../src/platform/command-line/usage-error.ts'
import type { OneBooking } from '../answers.ts'
import { defineCommand, type Outcome } from '../command.ts'
import { printable } from '../screen/printable.ts'
import type { Screen } from '../screen/screen.ts'
import { cancelling, showBooking } from '../screen/show-booking.ts'
import { localSlot } from '../screen/times.ts'
import { deciding } from './booking-options.ts'
import { bookingArgument } from './bookings-read.ts'
import { change } from './change.ts'

const dryRun = { kind: 'flag', about: 'Show the outcome without changing anything' } as const

export const cancelBooking = defineCommand({
  words: 'bookings cancel',
  summary: 'Cancel a booking.',
  details: 'A late cancellation still costs the fee; --dry-run shows whether it applies.',
  args: { booking: bookingArgument },
  options: {
    by: {
      kind: 'text',
      value: 'WHO',
      about: 'Who cancels; the agent by default',
      choices: ['guest', 'agent'],
    },
    'dry-run': dryRun,
    ...deciding,
  },
  examples: [
    'bookings cancel 01a1fe14-6cb9-7562-8d94-b8aa549d7d5d --dry-run',
    'bookings cancel 01a1fe14-6cb9-7562-8d94-b8aa549d7d5d --by guest',
  ],
  async run({ args, options, ...call }): Promise<Outcome> {
    const network = await call.network()
    const path = `/api/bookings/${encodeURIComponent(args.booking)}`
    if (options['dry-run']) {
      const { body } = await network.ask<OneBooking>({ path })
      return { answer: body, text: () => wouldCost(body) }
    }
    const request = {
      path: `${path}/cancel`,
      body: options.by === undefined ? {} : { by: options.by },
      waiting: 'Waiting for the cancellation',
    }
    const place = { network, terminal: call.terminal }
    const { body, code } = await change<OneBooking>(place, request, options)
    return { answer: body, text: (screen) => cancelled(screen, body), code }
  },
})

const wouldCost = ({ booking, cancellation }: OneBooking) =>
  cancellation
    ? `Cancelling it now: ${cancelling(cancellation)}.`
    : `Nothing to cancel: the booking is ${booking.status}.`

function cancelled(screen: Screen, { status, booking, cancellation, next }: OneBooking): string {
  if (status === 'pending') return `Not decided yet. ${printable(next ?? '')}`
  const isKept = cancellation?.fee === 'kept'
  const fee = isKept ? money(cancellation.amount_minor, cancellation.currency) : ''
  return screen.paint(
    `Cancelled ${booking.id}, ${isKept ? `the fee of ${fee} stays` : 'free of charge'}.`,
    'good',
  )
}

export const amendBooking = defineCommand({
  words: 'bookings amend',
  summary: 'Move a booking to another time or party size.',
  details: 'All or nothing. Needs the pro plan.',
  args: { booking: bookingArgument },
  options: {
    time: { kind: 'text', value: 'TIME', about: 'Local time at the venue: 2026-12-24T19:30' },
    party: { kind: 'number', value: 'N', about: 'Number of guests' },
    'dry-run': dryRun,
    ...deciding,
  },
  examples: [
    'bookings amend 01a1fe14-6cb9-7562-8d94-b8aa549d7d5d --party 4 --dry-run',
    'bookings amend 01a1fe14-6cb9-7562-8d94-b8aa549d7d5d --time 2026-12-24T19:30',
  ],
  async run({ args, options, ...call }): Promise<Outcome> {
    const { time, party, 'dry-run': isDry } = options
    if (time === undefined && party === undefined) {
      throw new UsageError('bookings amend needs --time, --party or both.')
    }
    const request = {
      method: 'PATCH' as const,
      path: `/api/bookings/${encodeURIComponent(args.booking)}`,
      body: {
        ...(time !== undefined && { slot_time: time.replace(' ', 'T') }),
        ...(party !== undefined && { party_size: party }),
        ...(isDry && { dry_run: true }),
      },
      waiting: 'Waiting for the change',
    }
    const place = { network: await call.network(), terminal: call.terminal }
    const { body, code } = await change<OneBooking>(place, request, options)
    return { answer: body, text: (screen) => amended(screen, body), code }
  },
})

const heads: Record<string, string> = {
  amended: 'Amended.',
  possible: 'Possible. Nothing was changed. The booking would be:',
  unchanged: 'Nothing to change: the booking is already like this.',
  pending: 'Not decided yet.',
}

const headOf = (status: string) => (Object.hasOwn(heads, status) && heads[status]) || status

function amended(screen: Screen, answer: OneBooking): string {
  const { status = '', amended } = answer
  const from = amended && `${localSlot(amended.from.slot_time)} for ${amended.from.party_size}`
  return [
    screen.paint(headOf(status), status === 'pending' ? 'wait' : 'good'),
    ...(from ? [`Before: ${from}`] : []),
    showBooking(screen, answer),
  ].join('\n')
}
