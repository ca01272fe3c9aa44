import { afterAll, beforeAll, expect, test } from 'vitest'
import { selectAlternatives } from '../../src/availability/store/alternatives.ts'
import { readVenueBooking } from '../../src/confirmation/operations/venue-page.ts'
import { at, type DayBookings, day, openDayBookings } from '../support/day-bookings.ts'
import { addSpa, therapist, treatment } from '../support/spa.ts'
import { addVenue } from '../support/test-venues.ts'
import { answer, linkTo } from '../support/venue-people.ts'

let { doors, agent, book } = {} as DayBookings

beforeAll(async () => {
  ;({ doors, agent, book } = await openDayBookings())
})
afterAll(() => doors?.close())

const cancel = (id: string) => agent.post(`/api/bookings/${id}/cancel`, {})

/** A spa where three people give a massage to each guest of a party. */
const addCouplesSpa = () =>
  addVenue(doors.db, [treatment('Massage', { durations: [{ party_max: 2, minutes: 60 }] })], {
    shared: [therapist('Ayu'), therapist('Made'), therapist('Sri')],
  })

test('one of two therapists is the one who was wished for', async () => {
  const spa = await addCouplesSpa()
  const { body } = await book(spa, '10:00', { party_size: 2, with: 'sri' })
  expect(body).toMatchObject({ understood: { with: 'Sri' } })
  expect(body.booking.service.with).toHaveLength(2)
  expect(body.booking.service.with).toContain('Sri')
})

test('the refusal says who is free then, when she is next, and how to wait for her', async () => {
  const spa = await addCouplesSpa()
  await book(spa, '10:00', { with: 'Sri' })
  const { body } = await book(spa, '10:00', { party_size: 2, with: 'Sri', guest_ref: 'two' })
  expect(body).toMatchObject({
    code: 'slot_unavailable',
    free_with: ['Ayu', 'Made'],
    next_with: at('11:30'),
    detail: expect.stringMatching(
      /nothing left with Sri for 2 .* Free then: Ayu, Made\. Next free/,
    ),
  })
  expect(body.alternatives[0]).toMatchObject({ slot_time: at('10:00'), with: 'Ayu' })
  expect(body.alternatives[2]).toMatchObject({ service: 'Massage', minutes: 60, with: 'Sri' })
  const watching = await agent.post('/api/watches', body.watch.input)
  expect(watching).toMatchObject({
    status: 201,
    body: { watch: { party_size: 2, service: null, minutes: null, with: 'Sri' } },
  })
})

test('a length that follows from the party is refused with the lengths there are', async () => {
  const durations = [
    { party_max: 1, minutes: 60 },
    { party_max: 2, minutes: 90 },
  ]
  const spa = await addVenue(doors.db, [treatment('House massage', { durations })], {
    shared: [therapist('Ayu'), therapist('Made')],
  })
  const told = {
    code: 'service_not_offered',
    detail: expect.stringContaining('House massage lasts 60 minutes for 1 guest and 90 for 2. '),
  }
  const { body } = await book(spa, '10:00', { party_size: 2, minutes: 60 })
  expect(body).toMatchObject(told)
  const path = `/api/venues/${spa.slug}/availability?date=${day}&party_size=2&minutes=60`
  expect((await agent.get(path)).body).toMatchObject(told)
  const { id } = (await book(spa, '10:00', { minutes: 60 })).body.booking
  const amended = await agent.patch(`/api/bookings/${id}`, { party_size: 2, minutes: 60 })
  expect(amended.body).toMatchObject(told)
})

test('somebody who is not there is not waited for', async () => {
  const spa = await addCouplesSpa()
  await doors.db.query(
    `update resource set days_off = array[$2::date] where venue_id = $1 and name = 'Sri'`,
    [spa.id, day],
  )
  const { body } = await book(spa, '10:00', { with: 'Sri' })
  expect(body).toMatchObject({
    code: 'slot_unavailable',
    detail: expect.stringMatching(
      /^Sri is not there at .* Free then: Ayu, Made\. Next free with Sri/,
    ),
    free_with: ['Ayu', 'Made'],
    next_with: expect.any(String),
  })
  expect(body).not.toHaveProperty('watch')
  const path = `/api/venues/${spa.slug}/availability?date=${day}&with=Sri`
  expect((await agent.get(path)).body.days).toMatchObject([
    { status: 'closed', reason: 'Sri is not there.', times: [] },
  ])
})

test('alternatives are somebody else then, other times, and venues with most like it', async () => {
  const other = await addVenue(
    doors.db,
    [
      treatment('House massage', { durations: [{ party_max: 2, minutes: 60 }] }),
      treatment('Lomi lomi massages', { durations: [{ party_max: 2, minutes: 60 }] }),
    ],
    { shared: [therapist('Rai')] },
  )
  const spa = await addVenue(
    doors.db,
    [treatment('Lomi lomi massage', { durations: [{ party_max: 2, minutes: 60 }] })],
    { shared: [therapist('Ayu'), therapist('Made')] },
  )
  // Other tests' venues are in the same place.
  await doors.db.query(`update venue set category = 'spa' where id = any($1)`, [[spa.id, other.id]])
  await book(spa, '10:00', { with: 'Ayu', service: 'lomi' })
  const asked = { with: 'Ayu', service: 'lomi', guest_ref: 'b' }
  const { alternatives } = (await book(spa, '10:00', asked)).body
  expect(alternatives[0]).toMatchObject({ slot_time: at('10:00'), with: 'Made', same_time: true })
  expect(alternatives[1]).toMatchObject({ venue: { id: spa.id }, with: 'Ayu' })
  const like = await selectAlternatives(doors.db, spa.id, {
    ...{ slotTime: at('10:00'), partySize: 1, at: new Date(), limit: 60 },
    wish: { serviceId: (await agent.get(`/api/venues/${spa.slug}`)).body.venue.services[0].id },
  })
  const elsewhere = like.filter(({ kind }) => kind === 'other_venue')
  expect(elsewhere[0]).toMatchObject({ venue: { id: other.id }, service: 'Lomi lomi massages' })
})

test('alternatives are of the service and length asked for, with their price', async () => {
  const spa = await addSpa(doors.db)
  const asked = { service: 'balinese', minutes: 90, party_size: 2 }
  await book(spa, '10:00', asked)
  const { body } = await book(spa, '10:00', { ...asked, guest_ref: 'other' })
  expect(body.watch.input).toMatchObject({ minutes: 90, party_size: 2 })
  const own = body.alternatives.filter(({ venue }: any) => venue.id === spa.id)
  expect(own.length).toBeGreaterThan(1)
  for (const one of body.alternatives) expect(one).toMatchObject({ minutes: 90 })
  const [{ slot_time, service, minutes, price }] = own
  expect({ service, price }).toEqual({
    service: 'Balinese massage',
    price: 'IDR 350,000++ per guest',
  })
  const taken = await book(spa, '10:00', { slot_time, service, minutes, party_size: 2 })
  expect(taken.body.booking).toMatchObject({ slot_time, service: { name: service, minutes } })
})

test('a change can wish for somebody else, who then stays', async () => {
  const spa = await addSpa(doors.db)
  const { id } = (await book(spa, '10:00', { service: 'balinese', minutes: 90, with: 'Made' })).body
    .booking
  const amend = async (change: object) => (await agent.patch(`/api/bookings/${id}`, change)).body
  const dry = await amend({ with: 'ayu', dry_run: true })
  expect(dry).toMatchObject({ status: 'possible', booking: { service: { with: ['Ayu'] } } })
  const changed = await amend({ with: 'ayu', wait: 20 })
  expect(changed).toMatchObject({ status: 'amended' })
  expect(changed.amended.from).toEqual({ slot_time: at('10:00'), party_size: 1, with: ['Made'] })
  expect((await amend({ service: 'hot stone', dry_run: true })).amended.from).toMatchObject({
    service: 'Balinese massage',
    price: 'IDR 350,000++ per guest',
  })
  expect(changed.understood).toEqual({ with: 'Ayu' })
  expect(changed.booking.service).toMatchObject({ minutes: 90, with: ['Ayu'] })
  await book(spa, '14:00', { service: 'hot stone' })
  const moved = await amend({ slot_time: '14:00', dry_run: true })
  expect(moved).toMatchObject({ code: 'slot_unavailable', free_with: ['Made'] })
  expect(moved.next_with > at('15:30')).toBe(true)
  const later = await amend({ slot_time: '17:00', wait: 20 })
  expect(later.booking.service).toMatchObject({ minutes: 90, with: ['Ayu'] })
  expect(await amend({ with: 'ayu' })).toMatchObject({ status: 'unchanged' })
  expect(await amend({ minutes: 45 })).toMatchObject({ code: 'service_not_offered' })
})

test('a watch is offered only the service and length that it waits for', async () => {
  const spa = await addSpa(doors.db)
  const stones = await book(spa, '10:00', { service: 'hot stone' })
  const foot = await book(spa, '10:00', { service: 'foot', with: 'Made' })
  const slot = { venue_id: spa.id, slot_time: at('10:00'), party_size: 1 }
  const unknown = await agent.post('/api/watches', { ...slot, service: 'reiki' })
  expect(unknown.body).toMatchObject({ code: 'service_not_offered', services: [{}, {}, {}] })
  const free = await agent.post('/api/watches', { ...slot, slot_time: at('14:00'), minutes: 90 })
  expect(free.body).toMatchObject({ code: 'slot_available', minutes: 90 })
  const { body } = await agent.post('/api/watches', { ...slot, service: 'hot stone' })
  expect(body).toMatchObject({
    understood: { service: 'Hot stone massage' },
    watch: { service: 'Hot stone massage', minutes: null, with: null },
  })
  const long = await agent.post('/api/watches', { ...slot, service: '90 minute balinese' })
  expect(long.body).toMatchObject({ joined: false, watch: { minutes: 90 } })
  const again = await agent.post('/api/watches', { ...slot, service: 'balinese', minutes: 90 })
  expect(again.body).toMatchObject({ joined: true, watch: { id: long.body.watch.id } })
  const read = async ({ watch: { id } }: any) => (await agent.get(`/api/watches/${id}`)).body.watch
  await cancel(foot.body.booking.id)
  expect(await read(body)).toMatchObject({ status: 'watching' })
  const massage = await read(long.body)
  expect(massage).toMatchObject({ status: 'offered', hold_slot_time: at('10:00') })
  await cancel(stones.body.booking.id)
  const offered = await read(body)
  expect(offered).toMatchObject({ status: 'offered' })
  const confirm = (hold_id: string) =>
    agent.post('/api/bookings', { hold_id, also: true, wait: 20 })
  expect((await confirm(massage.hold_id)).body.booking.service).toMatchObject({
    name: 'Balinese massage',
    minutes: 90,
    with: ['Made'],
  })
  expect((await confirm(offered.hold_id)).body.booking.service).toMatchObject({
    name: 'Hot stone massage',
    with: ['Ayu'],
  })
})

test('a choice at the same venue is of the first one’s service, unless it says so', async () => {
  const spa = await addSpa(doors.db)
  await book(spa, '10:00', { service: 'hot stone' })
  const alternatives = [{ venue_id: spa.slug, slot_time: at('13:00') }]
  const { body } = await book(spa, '10:00', { service: 'hot stone', guest_ref: 'b', alternatives })
  expect(body).toMatchObject({
    choice: 2,
    booking: { service: { name: 'Hot stone massage' } },
    choices: [{ service: 'Hot stone massage', status: 'refused' }, { status: 'confirmed' }],
  })
  const other = [{ ...alternatives[0], service: 'foot', with: 'made' }]
  const second = await book(spa, '10:00', { service: 'hot stone', alternatives: other })
  expect(second.body).toMatchObject({
    understood: { 'alternatives/0/service': 'Foot ritual', 'alternatives/0/with': 'Made' },
    booking: { service: { name: 'Foot ritual', with: ['Made'] } },
  })
})

test('each part of an itinerary is of the service that it names', async () => {
  const spa = await addSpa(doors.db)
  const part = { venue_id: spa.id, slot_time: at('10:00'), party_size: 1 }
  const later = { ...part, slot_time: at('13:00'), service: '90 min balinese', with: 'Made' }
  const make = (parts: object[]) => agent.post('/api/itineraries', { parts, wait: 60 })
  const { body } = await make([{ ...part, service: 'foot' }, later])
  expect(body).toMatchObject({
    understood: { 'parts/0/service': 'Foot ritual', 'parts/1/minutes': 90 },
    itinerary: {
      parts: [
        { service: 'Foot ritual', booking: { service: { name: 'Foot ritual' } } },
        { minutes: 90, with: 'Made', booking: { service: { minutes: 90, with: ['Made'] } } },
      ],
    },
  })
  const wrong = await make([
    { ...part, slot_time: at('16:00') },
    { ...later, service: 'reiki' },
  ])
  expect(wrong.body).toMatchObject({ code: 'service_not_offered', pointer: '/parts/1' })
})

test('people at a venue can offer times only for what was asked', async () => {
  const spa = await addSpa(doors.db, 'request')
  const { body } = await book(spa, '18:00', { service: 'hot stone', wait: 1 })
  const asked = { bookingId: body.booking.id, answerId: undefined }
  const { times } = await readVenueBooking(doors, spa, asked, new Date())
  expect(times).toContain(at('20:30'))
  expect(times).not.toContain(at('21:30'))
  const list = await linkTo(doors, spa.id)
  const page = list.replace(/\/?$/, `/bookings/${body.booking.id}`)
  await answer(page, 'offered', { slot_time: at('21:30') })
  const path = `/api/bookings/${body.booking.id}`
  expect((await agent.get(path)).body.booking).toMatchObject({ status: 'pending', offer: null })
  await answer(page, 'offered', { slot_time: at('20:30') })
  expect((await agent.get(path)).body.booking).toMatchObject({
    status: 'offered',
    service: { name: 'Hot stone massage', minutes: 90 },
  })
})
