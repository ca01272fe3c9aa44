import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, dateOf, weekdayOf, weekdays, zonedMinute } from '../../src/base/local-time.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { type Agent, openAgent } from '../support/agent.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { stepDeps } from '../support/terms.ts'
import { addVenue, type ServiceOptions, type TestVenue } from '../support/test-venues.ts'

const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
const oneTable: ServiceOptions = { resources: [{}] }

let doors: Doors
let agent: Agent

beforeAll(async () => {
  doors = await openDoors()
  doors.engine.confirm = async (start) =>
    (await decideBooking(doors.db, start, stepDeps, new Date())).answer ?? 'pending'
  agent = await openAgent(doors.db, doors.url)
})
afterAll(() => doors?.close())

const book = ({ id }: TestVenue, time: string, party_size = 2) =>
  agent.post(
    '/api/bookings',
    { venue_id: id, slot_time: `${day}T${time}`, party_size },
    { 'idempotency-key': randomUUID() },
  )

const watch = ({ id }: TestVenue, time: string) =>
  agent.post('/api/watches', { venue_id: id, slot_time: `${day}T${time}`, party_size: 2 })

type Shown = { venue: { slug: string }; slot_time: string; kind: string; same_time: boolean }
const inShort = (alternatives: Shown[]) =>
  alternatives.map(({ venue, slot_time, kind }) => [venue.slug, kind, slot_time.slice(11, 16)])

test('a taken slot: its own venue’s day, its hour at similar ones, and the waitlist', async () => {
  const full = await addVenue(doors.db, [oneTable])
  const near = await addVenue(doors.db)
  expect((await book(full, '19:00:00')).status).toBe(201)
  const { body, status } = await book(full, '19:00:00')
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'slot_unavailable' })
  expect(body.alternatives).toHaveLength(5)
  expect(body.alternatives[3]).toMatchObject({
    venue: { id: near.id },
    slot_time: `${day}T19:00:00`,
    kind: 'other_venue',
    same_time: true,
    price: expect.stringMatching(/^about IDR [\d,]+ per guest$/),
    distance_km: 0,
    ask_user_first: true,
    why_ask: 'another venue, 0 km away',
  })
  expect(body.alternatives[0]).toMatchObject({ ask_user_first: true, why_ask: 'much earlier' })
  const kinds = body.alternatives.map(({ kind }: Shown) => kind)
  expect(kinds).toEqual(['same_day', 'same_day', 'same_day', 'other_venue', 'other_venue'])
  for (const { slot_time } of body.alternatives) expect(dateOf(slot_time)).toBe(day)
  expect(body.detail).not.toMatch(/book one of/i)
  expect(body.detail).toContain('Ask your user before you book one that has `ask_user_first`')
  expect(body.watch).toMatchObject({ intent: 'watch.create', route: 'POST /api/watches' })
  const { body: watched, status: created } = await agent.post('/api/watches', body.watch.input)
  expect({ created, watched }).toMatchObject({
    created: 201,
    watched: { watch: { status: 'watching', venue: { id: full.id } } },
  })
})

test('what differs is named: a dearer venue, a far time, a deposit that starts later', async () => {
  const deposits = [{ kind: 'guarantee', amount_minor: 10_000_000, per: 'guest' } as const]
  const spend = { spend_per_guest_minor: 24_000_000, party_max: 31 }
  const of = (rules: object) => ({ rules: { ...spend, durations, ...rules }, resources: [table] })
  const [durations, table] = [[{ party_max: 31, minutes: 90 }], { party_max: 31 }]
  const windows = [1, 2, 3, 4, 5, 6, 7].map((one) => ({ day: one, open: '12:00', close: '13:30' }))
  const late = [{ ...deposits[0], from: '20:30' }]
  const evening = windows.map((one) => ({ ...one, open: '20:00', close: '22:30' }))
  const venue = await addVenue(doors.db, [
    of({ windows }),
    of({ windows: evening, deposits: late }),
  ])
  await addVenue(doors.db, [of({ spend_per_guest_minor: 26_000_000 })])
  await addVenue(doors.db, [of({ spend_per_guest_minor: 152_000_000, deposits })])
  expect((await book(venue, '20:00:00', 31)).status).toBe(201)
  const { body } = await book(venue, '20:00:00', 31)
  const why = body.alternatives.map((one: any) => [one.slot_time.slice(11, 16), one.why_ask])
  // Venues at the same distance are listed in any order.
  expect([why[0], ...why.slice(1, 3).toSorted(), ...why.slice(3)]).toEqual([
    ['12:00', 'Service 1, not Service 2; much earlier'],
    ['20:00', 'another venue, 0 km away'],
    [
      '20:00',
      'another venue, 0 km away; about IDR 1,520,000 per guest, not about IDR 240,000 per ' +
        'guest; a guarantee of IDR 3,100,000',
    ],
    ['20:00', 'another day'],
    ['20:00', 'another day'],
  ])
})

test('alternatives and the next step name the deposit for the party', async () => {
  const deposits = [{ kind: 'guarantee', amount_minor: 10_000_000, per: 'guest' } as const]
  const venue = await addVenue(doors.db, [{ rules: { deposits } }])
  const { body } = await book(venue, '19:10:00')
  const [first] = body.alternatives
  expect([body.code, first.venue.id]).toEqual(['slot_off_grid', venue.id])
  const deposit = {
    ...{ kind: 'guarantee', amount_minor: 20_000_000, text: 'IDR 200,000', currency: 'IDR' },
  }
  expect(first.deposit).toEqual(deposit)
  const [, time] = first.slot_time.split('T')
  const booked = await book(venue, time)
  expect(booked.body.booking.deposit).toEqual(deposit)
  const { fee, cancel_until, timezone } = booked.body.booking
  const until = zonedMinute(timezone, new Date(cancel_until))
  expect(booked.body.next).toBe(
    'The venue, not the network, asks its guest for a guarantee of IDR 200,000, of which nothing ' +
      'is taken now: tell your user. ' +
      `Cancelling is free until ${until}, and costs ${fee.text} after that. ` +
      'Give your user `guest_url`: a page to see the booking and to cancel it.',
  )
})

test('a closed day: the same hour on other days, marked as needing a question', async () => {
  const windows = [1, 2, 3, 4, 5, 6, 7]
    .filter((one) => one !== weekdayOf(day))
    .map((one) => ({ day: one, open: '10:00', close: '22:00' }))
  // No other test books for parties of this size.
  const rules = { party_max: 60, durations: [{ party_max: 60, minutes: 90 }], windows }
  const closed = await addVenue(doors.db, [{ rules, resources: [{ party_max: 60 }] }])
  const { body } = await book(closed, '19:00:00', 60)
  expect(body.code).toBe('venue_closed')
  expect(body.alternatives.length).toBeGreaterThan(0)
  for (const one of body.alternatives) {
    expect(one).toMatchObject({ kind: 'other_day', same_time: true, ask_user_first: true })
    expect(one.slot_time).toMatch(/T19:00:00$/)
    expect(dateOf(one.slot_time)).not.toBe(day)
  }
  expect(body.detail).not.toMatch(/book one of/i)
})

test('a party that is too large: venues nearby that take it', async () => {
  const small = await addVenue(doors.db)
  const rules = { party_max: 45, durations: [{ party_max: 45, minutes: 90 }] }
  const large = await addVenue(doors.db, [{ rules, resources: [{ party_max: 45 }] }])
  const { body } = await book(small, '19:00:00', 45)
  expect(body.code).toBe('party_too_large')
  expect(inShort(body.alternatives)).toEqual([[large.slug, 'other_venue', '19:00']])
  expect(body.detail).toContain('`alternatives` lists similar venues nearby that accept it')
})

test('a party too large for every nearby venue gets no alternatives', async () => {
  const venue = await addVenue(doors.db)
  const { body } = await book(venue, '19:00:00', 500)
  expect(body).toMatchObject({ code: 'party_too_large', alternatives: [] })
  const shown = await agent.get(`/api/venues/${venue.slug}/availability?party_size=500`)
  expect(shown.body.code).toBe('party_too_large')
  for (const { detail } of [body, shown.body]) {
    expect(detail).not.toContain('alternatives')
    expect(detail).toContain('search with `party_size`')
  }
})

test('a time off the grid: the nearest times of the venue come first', async () => {
  const venue = await addVenue(doors.db)
  const { body } = await book(venue, '19:07:00')
  expect(body.code).toBe('slot_off_grid')
  expect(inShort(body.alternatives).slice(0, 2)).toEqual([
    [venue.slug, 'same_day', '19:00'],
    [venue.slug, 'same_day', '19:30'],
  ])
  expect(body.alternatives[0].ask_user_first).toBe(false)
})

test('an hour that the venue lacks: the nearest time, and those of that day first', async () => {
  const venue = await addVenue(doors.db)
  const { body } = await book(venue, '23:00:00')
  expect(body.code).toBe('venue_closed')
  expect(body.detail).toContain(`On ${weekdays[weekdayOf(day)]} ${day} the last time is 20:30.`)
  expect(inShort(body.alternatives)[0]).toEqual([venue.slug, 'same_day', '20:30'])
  expect((await book(venue, '08:00:00')).body.detail).toContain('the first time is 10:00')
  const waiting = await watch(venue, '23:00:00')
  expect(waiting.body).toMatchObject({ status: 422, code: 'venue_closed' })
  expect(inShort(waiting.body.alternatives)[0]).toEqual([venue.slug, 'same_day', '20:30'])
})

test('a service that nobody named is said first, with the others of that time', async () => {
  const price = (amount_minor: number) => ({ amount_minor, per: 'guest' }) as const
  const lengths = [{ minutes: 60 }, { minutes: 90 }]
  const evenings = [1, 2, 3, 4, 5, 6, 7].map((one) => ({ day: one, open: '18:00', close: '22:00' }))
  const venue = await addVenue(doors.db, [
    { name: 'Private lesson', rules: { price: price(75_000_000) }, resources: [{}, {}] },
    { name: 'Class', rules: { price: price(15_000_000) } },
    { name: 'Massage', rules: { windows: evenings, lengths } },
  ])
  const chosen = 'Private lesson, 90 min, IDR 750,000 per guest was chosen because no service was'
  const { body } = await book(venue, '10:00:00')
  const class90 = 'also: Class, 90 min, IDR 150,000 per guest.'
  expect(body.next).toMatch(new RegExp(`^${chosen} named: tell your user; ${class90} Canc`))
  const slot = { venue_id: venue.id, slot_time: `${day}T18:00:00`, party_size: 3 }
  const held = await agent.post('/api/holds', slot)
  expect(held.body.next).toMatch(new RegExp(`^${chosen}.*Massage, .* Confirm it before`))
  const named = await agent.post('/api/holds', { ...slot, party_size: 4, service: 'Massage' })
  expect(named.body.next).toMatch(/^Massage, .*because no length was named: .*also: .* min of it\./)
  const whole = { ...slot, party_size: 5, service: 'Class' }
  expect((await agent.post('/api/holds', whole)).body.next).toMatch(/^Confirm it before/)
})

test('after midnight, the same day is the night that began the evening before', async () => {
  const windows = [1, 2, 3, 4, 5, 6, 7].map((one) => ({ day: one, open: '18:00', close: '26:00' }))
  const venue = await addVenue(doors.db, [{ ...oneTable, rules: { windows } }])
  expect((await book(venue, '00:00:00')).status).toBe(201)
  const { body } = await book(venue, '00:00:00')
  const own = body.alternatives.filter((one: Shown) => one.venue.slug === venue.slug)
  const evening = addDays(day, -1)
  expect(own.length).toBeGreaterThan(2)
  for (const { kind, slot_time } of own) {
    expect([kind, dateOf(slot_time)]).toEqual(['same_day', evening])
  }
  const late = await book(venue, '02:30:00')
  expect(late.body.code).toBe('venue_closed')
  expect(late.body.alternatives[0]).toMatchObject({ kind: 'same_day', same_time: false })
})

test('a party too small for every table is refused as such, and cannot wait', async () => {
  const resources = [{ party_min: 4, party_max: 10 }]
  const rules = { party_max: 10, durations: [{ party_max: 10, minutes: 90 }] }
  const venue = await addVenue(doors.db, [{ rules, resources }])
  const refused = { code: 'party_too_small', party_min: 4, party_max: 10 }
  const input = { venue_id: venue.id, slot_time: `${day}T19:00:00`, party_size: 2 }
  const shown = await agent.get(`/api/venues/${venue.slug}/availability?date=${day}&party_size=2`)
  expect(shown.body).toMatchObject(refused)
  expect((await book(venue, '19:00:00')).body).toMatchObject(refused)
  expect((await agent.post('/api/holds', input)).body).toMatchObject(refused)
  expect((await watch(venue, '19:00:00')).body).toMatchObject({ status: 422, ...refused })
  const { id } = (await book(venue, '19:00:00', 6)).body.booking
  const change = { party_size: 3, dry_run: true }
  expect((await agent.patch(`/api/bookings/${id}`, change)).body).toMatchObject(refused)
})

test('limits are those of the venue, not of one of its services', async () => {
  const venue = await addVenue(doors.db, [
    { resources: [{ party_max: 4 }] },
    { rules: { party_min: 6 }, resources: [{ party_min: 6 }] },
  ])
  for (const [size, code] of [
    [0, 'party_too_small'],
    [13, 'party_too_large'],
  ] as const) {
    const { body } = await book(venue, '19:00:00', size)
    expect(body).toMatchObject({ code, party_min: 1, party_max: 8 })
    expect(body.detail).toContain(`Parties of 1 to 8 can be booked, not ${size}.`)
  }
  const between = await book(venue, '19:00:00', 5)
  expect(between.body.detail).toContain('Nothing here takes a party of exactly 5.')
})

test('a booking that cannot move gets times of its own venue only', async () => {
  const windows = [weekdayOf(day), weekdayOf(addDays(day, 2))].map((one) => ({
    day: one,
    open: '18:00',
    close: '22:00',
  }))
  const venue = await addVenue(doors.db, [{ rules: { windows } }])
  const { id } = (await book(venue, '19:00:00')).body.booking
  const change = { slot_time: `${addDays(day, 1)}T19:00:00`, dry_run: true }
  const { body } = await agent.patch(`/api/bookings/${id}`, change)
  expect(body.code).toBe('venue_closed')
  const closed = addDays(day, 1)
  expect(body.detail).toContain(`The venue is closed on ${weekdays[weekdayOf(closed)]} ${closed}`)
  expect(body.detail).toContain('a booking cannot move to another venue')
  expect(body.detail).not.toContain('other_venue')
  expect(body.alternatives.length).toBeGreaterThan(0)
  for (const one of body.alternatives) expect(one.venue.id).toBe(venue.id)
})
