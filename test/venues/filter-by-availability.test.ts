import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selectDays } from '../../src/availability/store/day-availability.ts'
import { partyServicesOf } from '../../src/availability/store/party-services.ts'
import { selectServicesOf } from '../../src/availability/store/venue-services.ts'
import { MINUTE_MS } from '../../src/base/durations.ts'
import { addDays, dateOf, toLocal } from '../../src/base/local-time.ts'
import { holdSlot } from '../support/hold.ts'
import { bearer, type Doors, type Holder, jsonOf, openDoors } from '../support/open-doors.ts'
import { addVenue } from '../support/test-venues.ts'

let doors: Doors
let free: Holder
let date: string

beforeAll(async () => {
  doors = await openDoors()
  free = await doors.openAccount('free', 100_000)
  date = addDays(dateOf(toLocal('Asia/Makassar', new Date())), 3)
})
afterAll(() => doors.close())

async function get(path: string) {
  const address = new URL(`${doors.url}/api/venues${path}`)
  address.searchParams.set('detail', 'full')
  const response = await fetch(address, { headers: bearer(free.key) })
  return { status: response.status, body: await jsonOf(response) }
}

async function everyPage(path: string): Promise<any[]> {
  const venues: any[] = []
  for (let cursor = ''; ; ) {
    const { body } = await get(`${path}${cursor && `&cursor=${cursor}`}`)
    venues.push(...body.venues)
    if (!body.next_cursor) return venues
    cursor = body.next_cursor
  }
}

/** Minutes between 19:00 and the nearest slot that a venue shows. */
const distanceOf = ({ availability }: any): number =>
  Math.min(
    ...availability.slots.map(
      ({ slot_time }: { slot_time: string }) =>
        Math.abs(Date.parse(`${slot_time}Z`) - Date.parse(`${date}T19:00:00Z`)) / MINUTE_MS,
    ),
  )

/** The restaurants in Ubud with a free slot near 19:00, checked one by one. */
async function freeInUbud(partySize: number): Promise<string[]> {
  const { rows } = await doors.db.query(
    `select id, slug from venue where category = 'restaurant' and area_slug = 'ubud'`,
  )
  const at = new Date()
  const found: string[] = []
  for (const { id, slug } of rows) {
    const services = await selectServicesOf(doors.db, id, {
      from: addDays(date, -2),
      to: addDays(date, 2),
    })
    const [day] = await selectDays(doors.db, partyServicesOf(services, partySize), {
      dates: [date],
      at,
      feePct: 2.5,
    })
    const isNear = (slotTime: string) =>
      slotTime >= `${date}T17:30:00` && slotTime <= `${date}T20:30:00`
    const isFree = day?.slots.some(
      ({ slot_time, status }) =>
        isNear(slot_time) && (status === 'available' || status === 'limited'),
    )
    if (isFree) found.push(slug)
  }
  return found.sort()
}

describe.each([
  ['search', '/search?q=restaurants%20in%20ubud'],
  ['listing', '?category=restaurant&area=ubud'],
])('%s with party, date and time', (_, path) => {
  test('returns exactly the venues free near that time, nearest first, each once', async () => {
    const venues = await everyPage(`${path}&party_size=6&date=${date}&time=19:00&limit=2`)
    expect(venues.map(({ slug }) => slug).sort()).toEqual(await freeInUbud(6))
    expect(venues.length).toBeGreaterThan(0)
    const whole = (await get(`${path}&party_size=6&date=${date}&time=19:00&limit=50`)).body.venues
    const distances = whole.map(distanceOf)
    expect(distances).toEqual(distances.toSorted((a: number, b: number) => a - b))
    expect(Math.max(...distances)).toBeLessThanOrEqual(90)
  })

  test('omits a venue that is full then', async () => {
    const venue = await addVenue(doors.db, [{ resources: [{ party_max: 6 }] }])
    const slugs = async () =>
      (await get(`${path}&party_size=6&date=${date}&limit=50`)).body.venues.map(
        ({ slug }: any) => slug,
      )
    for (const hour of [10, 12, 14, 16, 18, 20]) {
      const slotTime = `${date}T${hour}:00:00`
      await holdSlot(doors.db, { venue, slotTime, partySize: 6, at: new Date() })
    }
    expect(await slugs()).not.toContain(venue.slug)
  })

  test('refuses a past date and an invalid time', async () => {
    expect((await get(`${path}&date=2026-01-01`)).body.code).toBe('slot_in_past')
    for (const wrong of [
      'date=someday',
      'time=later',
      'time=24:00',
      'party_size=0',
      'party_size=2.5',
    ]) {
      expect((await get(`${path}&${wrong}`)).body.code).toBe('invalid_request')
    }
  })

  test('returns nothing for a party that no venue accepts', async () => {
    const { status, body } = await get(`${path}&party_size=5000`)
    expect([status, body.venues, body.next_cursor]).toEqual([200, [], null])
  })
})

test('explicit filters override the query text, which supplies the rest', async () => {
  const { body } = await get(
    `/search?q=dinner%20for%202%20in%20ubud%20at%208pm&party_size=5&date=${date}`,
  )
  expect(body.interpretation).toMatchObject({ party_size: 5, date, time: '20:00' })
  for (const venue of body.venues) {
    for (const slot of venue.availability.slots) {
      expect(slot.slot_time >= `${date}T18:30:00` && slot.slot_time <= `${date}T21:30:00`).toBe(
        true,
      )
      expect(slot.party_max).toBeGreaterThanOrEqual(5)
    }
  }
  const none = await get(`/search?q=dinner%20in%20ubud&party_size=5000`)
  expect(none.body.interpretation.hint).toContain('none takes a party of 5000')
})

test('a party alone keeps the venues that accept it, the earliest slot first', async () => {
  const { body } = await get('?category=restaurant&area=Bali&party_size=12&limit=50')
  const starts = body.venues.map(({ availability }: any) => availability.slots[0].starts_at)
  expect(starts.length).toBeGreaterThan(0)
  expect(starts).toEqual(starts.toSorted())
})
