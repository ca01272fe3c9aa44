import { expect, test } from 'vitest'
import { type BookingPage, bookingView } from '../../src/web/dashboard/pages/bookings.ts'

/** The booking fields that its page reads. */
const booking = {
  id: '0197a1f0-0000-7000-8000-000000000000',
  status: 'offered',
  reason_code: null,
  venue: { slug: 'warung', name: 'Warung' },
  slot_time: '2027-01-15T19:00',
  timezone: 'Asia/Makassar',
  party_size: 2,
  ends_at: null,
  confirm_mode: 'request',
  fee: { status: 'none' },
  offer: { slot_time: '2027-01-15T20:00' },
  change: null,
  hold_until: null,
  answer_by: null,
  cancel_until: null,
  cancelled_by: null,
  reminders: [],
  group_id: null,
  revision: 1,
  created_at: '2027-01-01T00:00:00Z',
  guest_ref: null,
  guest_mails: false,
  service: null,
  place: {
    address: { street: 'Jl. Mawar 1', locality: 'Ubud', postcode: null },
    phone: '+62361975123',
    directions_url: 'https://map.example/',
  },
} as unknown as BookingPage['booking']

const page = (isPro: boolean): string =>
  bookingView({
    booking,
    timeline: { entries: [], complete: true } as unknown as BookingPage['timeline'],
    events: [],
    requests: [],
    keyNames: new Map(),
    workflow: undefined,
    isPro,
  }).markup

test('an offer can be answered on its page if the account has the right to', () => {
  expect(page(true)).toContain('Accept offer')
})

test('on free the page says what answering needs, without a button that would fail', () => {
  const free = page(false)
  expect(free).not.toContain('/offer/')
  expect(free).toContain('needs the pro tier')
  expect(free).toContain('href="/dashboard/plan"')
})
