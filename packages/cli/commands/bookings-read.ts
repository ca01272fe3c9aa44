import { bookingStatuses } from '../../../src/base/booking-status.ts'
import type { Booking, Bookings, OneBooking, Timeline } from '../answers.ts'
import { defineCommand } from '../command.ts'
import { moreOf } from '../screen/more.ts'
import type { Screen } from '../screen/screen.ts'
import { feeOf, showBooking } from '../screen/show-booking.ts'
import { showTimeline } from '../screen/show-timeline.ts'
import { slotColumns } from '../screen/slot-columns.ts'
import { table } from '../screen/table.ts'
import { paged } from './paged.ts'

export const bookingArgument = { about: 'Id of a booking' }

export const listBookings = defineCommand({
  words: 'bookings list',
  summary: 'List your bookings, newest first.',
  details: 'Times are local to each venue.',
  options: {
    status: { kind: 'text', value: 'STATUS', about: 'Only this status', choices: bookingStatuses },
    ref: { kind: 'text', value: 'TEXT', about: 'Only for this guest: your own reference' },
    failed: { kind: 'flag', about: 'Also what was refused' },
    venue: { kind: 'text', value: 'VENUE', about: 'Only at this venue (slug or id)' },
    from: { kind: 'text', value: 'YYYY-MM-DD', about: 'Slots on this day or later' },
    to: { kind: 'text', value: 'YYYY-MM-DD', about: 'Slots on this day or earlier' },
    ...paged,
  },
  examples: ['bookings list', 'bookings list --status confirmed --from 2026-12-24 --json'],
  async run({ options: { ref: guest_ref, failed: include_failed, ...options }, network }) {
    const { body } = await (await network()).ask<Bookings>({
      path: '/api/bookings',
      query: { ...options, guest_ref, include_failed },
    })
    return { answer: body, text: (screen) => list(screen, body) }
  },
})

const list = (screen: Screen, { bookings, next_cursor }: Bookings) =>
  bookings.length === 0
    ? 'No bookings match.'
    : [rows(screen, bookings), ...moreOf(screen, next_cursor)].join('\n')

const rows = (screen: Screen, bookings: readonly Booking[]) =>
  table<Booking>(
    screen,
    [
      { head: 'BOOKING', cell: ({ id }) => id, whole: true },
      ...slotColumns,
      { head: 'FEE', cell: feeOf, whole: true, dispensable: 3 },
    ],
    bookings,
  )

export const showOne = defineCommand({
  words: 'bookings show',
  summary: 'Show a booking, its status and what cancelling it would cost.',
  args: { booking: bookingArgument },
  examples: ['bookings show 01a1fe14-6cb9-7562-8d94-b8aa549d7d5d'],
  async run({ args, network }) {
    const path = `/api/bookings/${encodeURIComponent(args.booking)}`
    const { body } = await (await network()).ask<OneBooking>({ path })
    return { answer: body, text: (screen) => showBooking(screen, body) }
  },
})

export const bookingTimeline = defineCommand({
  words: 'bookings timeline',
  summary: 'Show what happened to a booking, step by step, and why.',
  details:
    'Steps are chained and signed. /docs/timeline explains how to verify the output of --json.',
  args: { booking: bookingArgument },
  examples: [
    'bookings timeline 01a1fe14-6cb9-7562-8d94-b8aa549d7d5d',
    'bookings timeline 01a1fe14-6cb9-7562-8d94-b8aa549d7d5d --json > timeline.json',
  ],
  async run({ args, network }) {
    const path = `/api/bookings/${encodeURIComponent(args.booking)}/timeline`
    const { body } = await (await network()).ask<Timeline>({ path })
    return { answer: body, text: (screen) => showTimeline(screen, body) }
  },
})
