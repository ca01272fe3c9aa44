import { expect, test } from 'vitest'
import { type BookingStatus, bookingStatuses } from '../../src/base/booking-status.ts'
import { transitions } from '../../src/bookings/rules/booking.ts'

const isLive = (status: BookingStatus) =>
  ['held', 'pending', 'offered', 'confirmed'].includes(status)

test('every transition leads to an existing, different status', () => {
  for (const from of bookingStatuses) {
    for (const to of transitions[from]) {
      expect(bookingStatuses).toContain(to)
      expect(to).not.toBe(from)
    }
  }
})

test('an ended booking never becomes live again', () => {
  for (const from of bookingStatuses.filter((status) => !isLive(status))) {
    for (const to of bookingStatuses.filter(isLive)) expect(transitions[from]).not.toContain(to)
  }
})

test('every live status can end', () => {
  for (const from of bookingStatuses.filter(isLive)) {
    expect(transitions[from].some((to) => !isLive(to))).toBe(true)
  }
})
