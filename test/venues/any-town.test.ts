import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type Service } from '../support/network.ts'
import { openSearch, type Search } from '../support/search.ts'
import { load } from './import-load.ts'

let service: Service
let find: Search

const towns = {
  surabaya: ['Kopi Tunjungan', -7.2653, 112.7421, 'Asia/Jakarta', 'IDR'],
  'chiang-rai': ['Doi Table', 19.905, 99.833, 'Asia/Bangkok', 'THB'],
  'da-nang': ['Han River Table', 16.06, 108.245, 'Asia/Ho_Chi_Minh', 'VND'],
  kathmandu: ['Thamel Table', 27.715, 85.311, 'Asia/Kathmandu', 'NPR'],
  berlin: ['Kreuzberg Table', 52.499, 13.418, 'Europe/Berlin', 'EUR'],
  munich: ['Isar Table', 48.13, 11.57, 'Europe/Berlin', 'EUR'],
  'sao-paulo': ['Pinheiros Table', -23.561, -46.68, 'America/Sao_Paulo', 'BRL'],
  'tabwakea-village': ['Atoll Table', 1.99, -157.47, 'Pacific/Kiritimati', 'AUD'],
  bath: ['Avon Table', 51.38, -2.36, 'Europe/London', 'GBP'],
  nice: ['Azur Table', 43.7, 7.26, 'Europe/Paris', 'EUR'],
} as const

const cafe = (slug: string, [name, latitude, longitude]: readonly unknown[]) => ({
  id: slug,
  name,
  category: 'restaurant',
  latitude,
  longitude,
  tags: ['cafe'],
  services: [
    { name: 'Places', strategy: 'pooled', hours: '00:00-05:00', places: 20, horizon_days: 700 },
  ],
})

beforeAll(async () => {
  service = await openService()
  const rows = Object.entries(towns).map(([slug, town]) => cafe(slug, town))
  expect(await load(service.db, JSON.stringify(rows), 'json')).toMatchObject({
    new: rows.length,
    lines: [],
  })
  find = await openSearch(service.db)
})

afterAll(() => service?.close())

const areaOf = async (id: string) => {
  const { rows } = await service.db.query(
    `select a.* from venue_source s join venue v on v.id = s.venue_id
     join area a on a.slug = v.area_slug where s.external_id = $1`,
    [id],
  )
  return rows[0]
}

test.each(Object.entries(towns))('a venue without an area is in %s', async (slug, town) => {
  const [, , , timezone, currency] = town
  expect(await areaOf(slug)).toMatchObject({ slug, timezone, currency, radius_km: null })
})

test.each([
  ['Surabaya', 'Kopi Tunjungan'],
  ['Soerabaja', 'Kopi Tunjungan'],
  ['Chiang Rai', 'Doi Table'],
  ['เชียงราย', 'Doi Table'],
  ['Đà Nẵng', 'Han River Table'],
  ['Danang', 'Han River Table'],
  ['Kathmandu', 'Thamel Table'],
  ['काठमाडौं', 'Thamel Table'],
  ['Berlin', 'Kreuzberg Table'],
  ['Munich', 'Isar Table'],
  ['Münich', 'Isar Table'],
  ['München', 'Isar Table'],
  ['Bavaria', 'Isar Table'],
  ['São Paulo', 'Pinheiros Table'],
  ['Sao Paulo', 'Pinheiros Table'],
  ['Kiritimati', 'Atoll Table'],
  ['Nepal', 'Thamel Table'],
  ['Bath', 'Avon Table'],
  ['Nice', 'Azur Table'],
])('a café in %s is found', async (place, name) => {
  const { venues, interpretation } = await find(`cafe in ${place}`)
  expect(venues.map((venue) => venue.name)).toEqual([name])
  expect(interpretation).toMatchObject({ not_covered: null, widened: null, dropped: [] })
})

test('a town that is called like a common word is meant only after "in"', async () => {
  const { interpretation } = await find('nice restaurant in Berlin')
  expect(interpretation).toMatchObject({ area: 'Berlin', not_covered: null })
  const bath = await find('spa with a bath in Ubud')
  expect(bath.interpretation).toMatchObject({ area: 'Ubud', not_covered: null })
})

test('what is covered is where venues are', async () => {
  const { interpretation } = await find('cafe in Hamburg')
  expect(interpretation.not_covered).toMatchObject({
    place: 'Hamburg, Germany',
    nearest: { area: 'Berlin', country: 'DE' },
  })
  expect(interpretation.not_covered?.covered.areas.slice(0, 2)).toEqual(['Berlin', 'Munich'])
})

test('a town whose last venue is removed is no longer covered', async () => {
  await load(service.db, JSON.stringify([cafe('hue', ['Hue Table', 16.463, 107.585])]), 'json')
  const covered = await openSearch(service.db)
  expect((await covered('cafe in Hue')).venues).toHaveLength(1)
  await service.db.query(`update venue set is_test = null where name = 'Hue Table'`)
  const after = await openSearch(service.db)
  const { venues, interpretation } = await after('restaurant in Hue')
  expect(venues).toEqual([])
  expect(interpretation.not_covered).toMatchObject({ place: 'Huế, Vietnam' })
})

test('a town is told from another one with its name', async () => {
  const rows = [
    cafe('london-on', ['Thames Table', 42.984, -81.245]),
    cafe('london', ['Soho Table', 51.513, -0.132]),
    cafe('soho', ['Second Soho Table', 51.512, -0.131]),
  ]
  expect(await load(service.db, JSON.stringify(rows), 'json')).toMatchObject({ new: 3 })
  expect(await areaOf('london-on')).toMatchObject({ slug: 'london', country: 'CA' })
  expect(await areaOf('london')).toMatchObject({ slug: 'london-gb', country: 'GB' })
  expect(await areaOf('soho')).toMatchObject({ slug: 'london-gb' })
  const findAgain = await openSearch(service.db)
  const namesIn = async (place: string) =>
    (await findAgain(`cafe in ${place}`)).venues.map(({ name }) => name).toSorted()
  expect(await namesIn('London')).toEqual(['Second Soho Table', 'Soho Table', 'Thames Table'])
  expect(await namesIn('London, Canada')).toEqual(['Thames Table'])
  expect(await namesIn('London, England')).toEqual(['Second Soho Table', 'Soho Table'])
})

test('an area by name can be a town of the gazetteer', async () => {
  const row = { ...cafe('ubon', ['Ubon Table', 15.24, 104.85]), area: 'Ubon Ratchathani' }
  expect(await load(service.db, JSON.stringify([row]), 'json')).toMatchObject({ lines: [] })
  expect(await areaOf('ubon')).toMatchObject({ slug: 'ubon-ratchathani', currency: 'THB' })
})

test('a venue is booked in the zone of its town, before and after a clock change', async () => {
  const { agent } = service
  const { rows } = await service.db.query(`select slug from venue where name = 'Kreuzberg Table'`)
  const slug = rows[0].slug
  const slotOn = async (date: string) => {
    const path = `/api/venues/${slug}/availability?party_size=2&detail=full&date=${date}`
    const { body } = await agent.get(path)
    const [slot] = body.days[0].slots
    return { ...slot, times: body.days[0].slots.map((one: any) => one.slot_time.slice(11, 16)) }
  }
  const winter = await slotOn('2027-03-27')
  const summer = await slotOn('2027-03-29')
  expect(winter).toMatchObject({ utc_offset: '+01:00', starts_at: '2027-03-26T23:00:00.000Z' })
  expect(summer).toMatchObject({ utc_offset: '+02:00', starts_at: '2027-03-28T22:00:00.000Z' })
  const spring = await slotOn('2027-03-28')
  expect(spring.times).toContain('01:30')
  expect(spring.times).not.toContain('02:30')
  const slot = { venue_id: slug, slot_time: summer.slot_time, party_size: 2, wait: 60 }
  const booked = await agent.post('/api/bookings', slot, { 'idempotency-key': randomUUID() })
  expect(booked.status).toBe(201)
  expect(booked.body.booking).toMatchObject({
    timezone: 'Europe/Berlin',
    utc_offset: '+02:00',
    starts_at: summer.starts_at,
    fee: { currency: 'EUR' },
  })
})

test('without a rate a spend must be given, and a budget is not used', async () => {
  const { services, ...row } = cafe('ub', ['Steppe Table', 47.92, 106.92])
  const priced = services.map((one) => ({ ...one, spend_per_guest_minor: 5_000_000 }))
  const refused = await load(service.db, JSON.stringify([{ ...row, services }]), 'json')
  expect(refused.lines[0]).toContain('there is no default in MNT')
  await load(service.db, JSON.stringify([{ ...row, services: priced }]), 'json')
  const findAgain = await openSearch(service.db)
  const { venues, interpretation } = await findAgain('cafe in Ulan Bator under 20 dollars')
  expect(venues.map(({ name }) => name)).toEqual(['Steppe Table'])
  expect(interpretation.assumed).toContain('no rate for MNT: the budget in USD was not used')
})
