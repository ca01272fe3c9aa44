import { afterAll, beforeAll, expect, test } from 'vitest'
import { readServices } from '../../src/availability/store/party-services.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { missedVisit, partyHint } from '../../src/venues/operations/missed-visit.ts'
import { createDatabase } from '../support/database.ts'
import { openSearch, type Search } from '../support/search.ts'

/** Monday, 06:00 in Bali. */
const at = new Date('2026-11-22T22:00:00Z')

let db: Pool
let drop: () => Promise<void>
let find: Search

beforeAll(async () => {
  const database = await createDatabase()
  db = openPool(database.url, 2, () => {})
  drop = database.drop
  find = await openSearch(db)
})
afterAll(async () => {
  await db.end()
  await drop()
})

/** Gives other rules to a venue's services. */
const restrict = (slug: string, change: object) =>
  db.query(
    `with changed as (
       insert into service_rules (service_id, version, rules, created_at)
       select r.service_id, r.version + 1, r.rules || $2::jsonb, now()
       from venue v join service o on o.venue_id = v.id
       join service_rules r on r.service_id = o.id and r.version = o.rule_version
       where v.slug = $1 returning service_id, version)
     update service o set rule_version = c.version from changed c where o.id = c.service_id`,
    [slug, JSON.stringify(change)],
  )

test('for a party too large, each venue says so and gives its largest party', async () => {
  const { venues, interpretation } = await find('restaurant Jimbaran 30 orang', { at })
  expect(venues.length).toBeGreaterThan(0)
  for (const { availability } of venues) {
    expect(availability.slots).toEqual([])
    expect(availability.note).toMatch(/^Takes parties of \d+ to \d+, not 30\.$/)
  }
  expect(interpretation.hint).toMatch(/none takes a party of 30: the largest takes \d+/)
})

test('half the party twice is advised only where and when a venue could take it', async () => {
  const rules = { windows: [{ day: 2, open: '17:00', close: '22:00' }], party_max: 8 }
  await restrict('satu-meja', { ...rules, durations: [{ party_max: 8, minutes: 90 }] })
  const { rows } = await db.query(`select id from venue where slug = 'satu-meja'`)
  const week = { from: at, until: new Date(at.getTime() + 7 * 86_400_000) }
  const services = (await readServices(db, [rows[0].id], week)).byVenue.get(rows[0].id)
  const own = { timezone: 'Asia/Makassar', services, slots: [] }
  const missedOn = (date: string) => {
    const wanted = { partySize: 12, date, time: '19:00' }
    const missed = missedVisit(own, wanted, at)
    return { missed, hint: (count: number) => partyHint(Array(count).fill(missed), wanted, true) }
  }
  const [tuesday, wednesday] = [missedOn('2026-11-24'), missedOn('2026-11-25')]
  expect(wednesday.missed?.limits?.split).toBeNull()
  expect(wednesday.hint(2)).toMatch(/the largest takes \d+\.$/)
  expect(tuesday.missed?.limits?.split).not.toBeNull()
  expect(tuesday.hint(2)).toContain('two bookings of half the size')
})

test('the same party as a field gives the same hint', async () => {
  const said = await find('restaurant Jimbaran 30 orang', { at })
  const { venues, interpretation } = await find('restaurant Jimbaran', { at, party_size: 30 })
  expect(venues).toEqual([])
  expect(interpretation.hint).toBe(said.interpretation.hint)
})

test('slots on another day than requested are explained', async () => {
  const { venues } = await find('gym Denpasar besok jam 6', { at })
  expect(venues.length).toBeGreaterThan(0)
  for (const { availability } of venues) {
    const isOnDay = availability.slots[0]?.slot_time.startsWith('2026-11-24T0') === true
    const isNear = isOnDay && (availability.slots[0]?.slot_time ?? '') <= '2026-11-24T07:30:00'
    expect(availability.note === null).toBe(isNear)
    if (!isOnDay) expect(availability.note).toContain('2026-11-24')
  }
})

test('closed days, hours and the horizon are named as reasons', async () => {
  const note = async (query: string) =>
    (await find(query, { at })).venues.find(({ slug }) => slug === 'satu-meja')?.availability.note
  const windows = [{ day: 3, open: '17:00', close: '22:00' }]
  await restrict('satu-meja', { horizon_days: 60, windows })
  expect(await note('Satu Meja tomorrow at 19:00')).toBe('Closed on Tuesday 2026-11-24.')
  expect(await note('Satu Meja on wednesday at 12:30')).toBe(
    'No times near 12:30 on 2026-11-25: the first time is 17:00.',
  )
  expect(await note('Satu Meja rabu sore')).toBeNull()
  expect(await note('Satu Meja rabu pagi')).toBe(
    'No times between 07:00 and 11:30 on 2026-11-25: the first time is 17:00.',
  )
  expect(await note('Satu Meja on 2027-02-10 at 19:00')).toBe(
    'Takes bookings 60 days ahead, not yet for 2027-02-10.',
  )
  expect(await note('Satu Meja on wednesday at 19:00')).toBeNull()
})

/** The times of a day at Jepun Grill, which has times from 11:30 to 21:00, and the note. */
async function atJepun(query: string, options: Parameters<Search>[1] = {}) {
  const { venues } = await find(query, { at, ...options })
  const { slots = [], note } =
    venues.find(({ slug }) => slug === 'jepun-grill-ubud')?.availability ?? {}
  return { note, times: slots.map(({ slot_time }) => slot_time.slice(5, 16)) }
}

test.each([
  ['friday 21:30', ['20:00', '20:30', '21:00'], 'No time at 21:30'],
  ['friday 22:00', ['20:30', '21:00'], 'No time at 22:00'],
  ['friday 23:30', ['20:00', '20:30', '21:00'], 'No times near 23:30'],
])('after the last time, %s: that day’s last times, and which it is', async (said, times, what) => {
  const shown = await atJepun(`jepun grill ${said}`)
  expect(shown.times).toEqual(expect.arrayContaining(times.map((one) => `11-27T${one}`)))
  expect(shown.note).toBe(`${what} on 2026-11-27: the last time is 21:00.`)
})

test.each(['not before 20:15', 'after 20:15', 'di atas jam 20.15'])(
  'a time that is said as the first hides earlier ones: %s',
  async (said) => {
    const { note, times } = await atJepun(`jepun grill friday ${said}`)
    expect(times.slice(0, 2)).toEqual(['11-27T20:30', '11-27T21:00'])
    expect(note).toBeNull()
  },
)

test('before the first time: that day’s first times, and which it is', async () => {
  const early = await atJepun('jepun grill friday 10:30')
  expect(early.times[0]).toBe('11-27T11:30')
  expect(early.note).toBe('No time at 10:30 on 2026-11-27: the first time is 11:30.')
  const night = await atJepun('jepun grill friday 7am')
  expect(night.note).toBe('No times near 07:00 on 2026-11-27: the first time is 11:30.')
})

test('fields say the same: the last time near, or which it is and nothing else', async () => {
  const friday = '2026-11-27'
  const near = await atJepun('jepun grill', { date: friday, time: '22:00' })
  expect(near).toEqual({
    note: 'No time at 22:00 on 2026-11-27: the last time is 21:00.',
    times: ['11-27T20:30', '11-27T21:00'],
  })
  const { venues, interpretation } = await find('jepun grill ubud', {
    at,
    date: friday,
    time: '23:00',
  })
  expect(venues.map(({ slug }) => slug)).not.toContain('jepun-grill-ubud')
  expect(interpretation.hint).toContain(
    'Jepun Grill: No times near 23:00 on 2026-11-27: the last time is 21:00.',
  )
})

test('the smallest and the largest party are those of all venues that match', async () => {
  const { interpretation } = await find('birthday party of 14 in Seminyak tomorrow 7pm', {
    at,
    limit: 5,
  })
  const fields = await find('birthday party in Seminyak', { at, party_size: 14 })
  expect(interpretation.hint).toContain('none takes a party of 14: the largest takes 12')
  expect(fields.interpretation.hint).toBe(interpretation.hint)
})

test('a venue that is full at the requested time says so', async () => {
  const yoga = (await find('yoga', { at })).venues[0]
  const query = `${yoga?.name} on 2026-11-27 at 08:00`
  const { rows } = await db.query(
    `insert into slot_counter (service_id, starts_at, cap, used)
     select o.id, day, 5, 5 from service o,
       generate_series('2026-11-26T16:00Z'::timestamptz, '2026-11-27T16:00Z', '1 minute') day
     where o.venue_id = $1 returning 1`,
    [yoga?.id],
  )
  expect(rows.length).toBeGreaterThan(0)
  const { availability } = (await find(query, { at })).venues[0] ?? {}
  expect(availability?.note).toMatch(/^Full (near 08:00 )?on 2026-11-27\.$/)
})
