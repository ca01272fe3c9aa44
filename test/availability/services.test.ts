import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, type DayBookings, day, openDayBookings } from '../support/day-bookings.ts'
import { addSpa, therapist, treatment } from '../support/spa.ts'
import { addVenue } from '../support/test-venues.ts'
import { linkTo } from '../support/venue-people.ts'

let { doors, agent, book, read } = {} as DayBookings

beforeAll(async () => {
  ;({ doors, agent, book, read } = await openDayBookings())
})
afterAll(() => doors?.close())

const openSpa = () => addSpa(doors.db)

test('a venue shows its services with lengths, prices and people', async () => {
  const { slug } = await openSpa()
  const { venue } = await read(`/api/venues/${slug}`)
  expect(venue.services).toMatchObject([
    {
      name: 'Balinese massage',
      kind: 'treatment',
      minutes: [60, 90],
      prices: [
        { amount_minor: 25_000_000, per: 'guest', text: 'IDR 250,000++ per guest' },
        { amount_minor: 35_000_000, currency: 'IDR' },
      ],
      with: ['Ayu', 'Made'],
    },
    { name: 'Hot stone massage', minutes: [90], prices: [{ per: 'booking' }], with: ['Ayu'] },
    { name: 'Foot ritual', minutes: [30] },
  ])
  const days = await read(`/api/venues/${slug}/availability?date=${day}&detail=full`)
  expect(days.services).toEqual(venue.services)
})

test('a service is booked by part of its name, with its length, price and fee', async () => {
  const venue = await openSpa()
  const stones = await book(venue, '10:00', { service: 'hot stone' })
  expect(stones.status).toBe(201)
  expect(stones.body.understood).toMatchObject({ service: 'Hot stone massage' })
  expect(stones.body.booking).toMatchObject({
    service: { name: 'Hot stone massage', minutes: 90, with: ['Ayu'], price: { per: 'booking' } },
    fee: { amount_minor: 1_000_000 },
  })
  const long = { service: '90 minute balinese massage', party_size: 2 }
  expect((await book(venue, '14:00', long)).body.booking).toMatchObject({
    service: { name: 'Balinese massage', minutes: 90, with: ['Ayu', 'Made'] },
    ends_at: expect.stringContaining('T07:30'),
    fee: { amount_minor: (35_000_000 * 2 * 2.5) / 100 },
  })
  const plain = await book(venue, '18:00')
  expect(plain.body.booking.service).toMatchObject({ name: 'Balinese massage', minutes: 60 })
})

test('the calendar file and the guest’s page say what was booked', async () => {
  const venue = await openSpa()
  const { body } = await book(venue, '10:00', { service: 'hot stone', with: 'Ayu' })
  const { id, guest_url } = body.booking
  const calendar = await fetch(`${doors.url}/api/bookings/${id}/calendar.ics`, {
    headers: { authorization: `Bearer ${agent.key}` },
  })
  const lines = (await calendar.text()).replaceAll('\r\n ', '')
  expect(lines).toContain('Hot stone massage\\, 90 min\\, with Ayu\\, 1 guest')
  expect(lines).toMatch(/DESCRIPTION:.*IDR 400\\,000 per booking.*openstreetmap/)
  const page = await (await fetch(guest_url)).text()
  expect(page).toContain('Hot stone massage, 90 min, with Ayu')
  expect(page).toContain('IDR 400,000 per booking')
  const indonesian = await (await fetch(`${guest_url}?lang=id`)).text()
  expect(indonesian).toContain('IDR 400.000 per reservasi')
  const balinese = await book(venue, '14:00', { minutes: 90 })
  expect(await (await fetch(balinese.body.booking.guest_url)).text()).toContain(
    'IDR 350,000 per guest, plus tax and service (++)',
  )
  const day = balinese.body.booking.slot_time.slice(0, 10)
  const staff = await (await fetch(`${await linkTo(doors, venue.id)}?date=${day}`)).text()
  expect(staff).toContain('<span>Hot stone massage, 90 min, with Ayu</span>')
  expect(staff).toMatch(/<span>Balinese massage, 90 min, with (Ayu|Made)<\/span>/)
})

test('the public page has the services, the times of one, and offers for crawlers', async () => {
  const { slug } = await openSpa()
  const page = await (await fetch(`${doors.url}/venues/${slug}?service=hot+stone`)).text()
  expect(page).toContain('60 min, IDR 250,000++ per guest<br>90 min, IDR 350,000++ per guest')
  expect(page).toContain('++: tax and service are added.')
  expect(page).toContain('Times for 1, Hot stone massage')
  expect(page).toContain('&quot;service&quot;:&quot;Hot stone massage&quot;')
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page) ?? []
  const [balinese, stones, foot] = JSON.parse(json).makesOffer
  expect(balinese).toMatchObject({
    '@type': 'Offer',
    itemOffered: { '@type': 'Service', name: 'Balinese massage' },
    eligibleQuantity: { minValue: 1, maxValue: 2 },
    priceSpecification: [
      {
        price: 250_000,
        priceCurrency: 'IDR',
        unitText: 'guest',
        valueAddedTaxIncluded: false,
        referenceQuantity: { value: 60, unitCode: 'MIN' },
      },
      { price: 350_000, referenceQuantity: { value: 90 } },
    ],
  })
  expect(stones.priceSpecification).toMatchObject([{ price: 400_000, unitText: 'booking' }])
  expect(foot).not.toHaveProperty('priceSpecification')
  const twin = await (await fetch(`${doors.url}/venues/${slug}.md`)).text()
  expect(twin).toMatch(/^- Hot stone massage: 90 min, IDR 400,000 per booking; .*; with Ayu$/m)
})

test('a hold fixes the service, and a repeated request finds it', async () => {
  const venue = await openSpa()
  const request = { venue_id: venue.id, slot_time: at('10:00'), party_size: 1, service: 'foot' }
  const hold = await agent.post('/api/holds', request)
  expect(hold.body.booking.service).toMatchObject({
    name: 'Foot ritual',
    with: [expect.any(String)],
  })
  const again = await agent.post('/api/holds', { ...request, service: 'Foot Ritual' })
  expect(again.body).toMatchObject({ joined: true, booking: { id: hold.body.booking.id } })
  const other = await agent.post('/api/holds', { ...request, service: 'balinese' })
  expect(other.body.booking).toMatchObject({ service: { name: 'Balinese massage' } })
})

test('what the venue does not have is refused with what it has', async () => {
  const venue = await openSpa()
  const refused = async (wish: object) => (await book(venue, '10:00', { ...wish })).body
  expect(await refused({ service: 'reiki' })).toMatchObject({
    code: 'service_not_offered',
    services: [
      { name: 'Balinese massage', minutes: [60, 90], price: expect.stringContaining('350,000') },
      { name: 'Hot stone massage' },
      { name: 'Foot ritual' },
    ],
  })
  expect((await refused({ service: 'massage' })).services).toHaveLength(2)
  expect(await refused({ service: 'foot', minutes: 120 })).toMatchObject({
    detail: expect.stringContaining('is not offered for 120 minutes'),
  })
  expect((await refused({ service: 'hot stone', with: 'Made' })).code).toBe('service_not_offered')
})

test('whom the guest wishes for is booked, or somebody else is named', async () => {
  const venue = await openSpa()
  const wish = { service: 'foot', with: 'made' }
  expect((await book(venue, '10:00', wish)).body.booking.service.with).toEqual(['Made'])
  const taken = await book(venue, '10:00', { ...wish, guest_ref: 'another' })
  expect(taken.body).toMatchObject({ code: 'slot_unavailable', free_with: ['Ayu'] })
  expect(taken.body.alternatives.length).toBeGreaterThan(0)
})

test('a day says what else is free at a time, and which services are not', async () => {
  const venue = await openSpa()
  await book(venue, '10:00', { service: 'hot stone' })
  const { services, days } = await read(
    `/api/venues/${venue.slug}/availability?date=${day}&party_size=1`,
  )
  expect(services).toMatchObject([{ name: 'Balinese massage', minutes: [60, 90] }, {}, {}])
  const [{ times, by_service: others }] = days
  expect(times).toContain('10:00')
  const stones = others.find((one: any) => one.services.includes('Hot stone massage'))
  expect(stones.times).not.toContain('11:30')
  expect(stones.times).toContain('12:00')
  const own = await read(
    `/api/venues/${venue.slug}/availability?date=${day}&party_size=1&service=hot+stone`,
  )
  expect(own.days[0].times).toEqual(stones.times)
})

test('a booking keeps its service when it moves, and can change to another', async () => {
  const venue = await openSpa()
  const { body } = await book(venue, '10:00', { service: 'hot stone' })
  const amend = (change: object) => agent.patch(`/api/bookings/${body.booking.id}`, change)
  const moved = await amend({ slot_time: '12:00', wait: 20 })
  expect(moved.body.booking).toMatchObject({
    slot_time: at('12:00'),
    service: { name: 'Hot stone massage' },
  })
  const dry = await amend({ service: 'balinese', minutes: 90, dry_run: true })
  expect(dry.body).toMatchObject({ status: 'possible', booking: { service: { minutes: 90 } } })
  const changed = await amend({ service: 'balinese', minutes: 90, wait: 20 })
  expect(changed.body).toMatchObject({
    status: 'amended',
    booking: { service: { name: 'Balinese massage', minutes: 90 }, slot_time: at('12:00') },
  })
})

test('a session is booked with its name, leader and price, which every text says', async () => {
  const sessions = [1, 2, 3, 4, 5, 6, 7].flatMap((day) => [
    { day, start: '07:00', minutes: 75, places: 14, name: 'Vinyasa', with: 'Ayu' },
    { day, start: '18:00', minutes: 60, places: 6 },
  ])
  const rules = { kind: 'class' as const, leader: 'therapist', windows: [], sessions, places: 14 }
  const price = { amount_minor: 15_000_000, per: 'guest' as const }
  const venue = await addVenue(
    doors.db,
    [{ name: 'Yoga', strategy: 'pooled', rules: { ...rules, price } }],
    { shared: [therapist('Ayu'), therapist('Made')] },
  )
  const path = `/api/venues/${venue.slug}/availability?date=${day}&party_size=2`
  expect((await read(path)).days).toMatchObject([
    {
      times: ['07:00', '18:00'],
      sessions: [
        { service: 'Yoga', name: 'Vinyasa', with: 'Ayu', times: ['07:00'] },
        { service: 'Yoga', times: ['18:00'] },
      ],
    },
  ])
  expect((await read(`/api/venues/${venue.slug}`)).venue.services).toMatchObject([
    { name: 'Yoga', minutes: [75, 60], with: ['Ayu'] },
  ])
  const plain = await book(venue, '18:00', { party_size: 2 })
  expect(plain.body.booking.service).toEqual({
    id: expect.any(String),
    name: 'Yoga',
    kind: 'class',
    minutes: 60,
    price: expect.objectContaining({ amount_minor: 15_000_000 }),
  })
  const { body } = await book(venue, '07:00')
  expect(body.booking.service).toMatchObject({ session: 'Vinyasa', minutes: 75, with: ['Ayu'] })
  const page = await (await fetch(body.booking.guest_url)).text()
  expect(page).toContain('Yoga, Vinyasa, 75 min, with Ayu')
  for (const [end, format] of [
    ['', 'html'],
    ['.md', 'markdown'],
  ]) {
    const path = `${doors.url}/venues/${venue.slug}${end}`
    const studio = await (await fetch(path, { headers: { accept: `text/${format}` } })).text()
    expect(studio).toMatch(/Sessions this week.*07:00.*Vinyasa.*with Ayu/s)
    expect(studio).not.toContain('Opening hours')
  }
  const moved = await agent.patch(`/api/bookings/${body.booking.id}`, { slot_time: at('18:00') })
  expect(moved.body.booking.service).not.toHaveProperty('session')
})

test('services with different buffers never share one pair of hands', async () => {
  const venue = await addVenue(
    doors.db,
    [
      treatment('Short', { buffer_minutes: 0, durations: [{ party_max: 2, minutes: 60 }] }),
      treatment('Long', { buffer_minutes: 45, durations: [{ party_max: 2, minutes: 90 }] }),
    ],
    { shared: [therapist('Ayu')] },
  )
  const clocks = ['10:00', '10:30', '11:00', '11:30', '12:00', '12:30']
  const answers = await Promise.all(
    clocks.flatMap((clock) => ['Short', 'Long'].map((service) => book(venue, clock, { service }))),
  )
  expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0)
  const { rows } = await doors.db.query(
    `select count(*) filter (where exists (select from allocation o
       where o.resource_id = a.resource_id and o.booking_id <> a.booking_id and o.active
         and o.during && a.during))::int as twice
     from allocation a where a.venue_id = $1 and a.active`,
    [venue.id],
  )
  expect(rows[0].twice).toBe(0)
  const { days } = await read(
    `/api/venues/${venue.slug}/availability?date=${day}&party_size=1&detail=full`,
  )
  const free = days[0].slots.find(({ status }: any) => status !== 'unavailable')
  const { slot_time, service } = free
  expect((await book(venue, slot_time.slice(11, 16), { service })).status).toBe(201)
})

test('a moved booking keeps service, length and person, whichever were chosen when', async () => {
  const venue = await openSpa()
  const { id } = (await book(venue, '10:00', { with: 'Made' })).body.booking
  const amend = async (change: object) => (await agent.patch(`/api/bookings/${id}`, change)).body
  expect((await amend({ minutes: 90 })).booking.service).toMatchObject({
    minutes: 90,
    with: ['Made'],
  })
  expect((await amend({ slot_time: at('13:00') })).booking).toMatchObject({
    service: { name: 'Balinese massage', minutes: 90, with: ['Made'] },
    fee: { amount_minor: 875_000 },
  })
  const foot = await amend({ service: 'foot ritual' })
  expect(foot.booking.service).toMatchObject({ name: 'Foot ritual', minutes: 30 })
  const later = await amend({ slot_time: at('15:00') })
  expect(later.booking.service).toMatchObject({ name: 'Foot ritual', minutes: 30 })
})
