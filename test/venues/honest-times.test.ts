import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createDatabase } from '../support/database.ts'
import { openSearch, type Search } from '../support/search.ts'

/** Monday, 11:00 in Bali. */
const at = new Date('2026-11-23T03:00:00Z')

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

test.each([
  ['steakhouse Seminyak Nov 30 19.00 4 pax', 4, '2026-11-30', '19:00', null],
  ['dinner in Ubud 30.11.2026 at 19.30', null, '2026-11-30', '19:30', null],
  [
    'dinner in Ubud on the 30th at 7pm',
    null,
    '2026-11-30',
    '19:00',
    'The 30th is read as 2026-11-30.',
  ],
  ['makan mlm di Ubud bsk utk 4 org', 4, '2026-11-24', '18:00', null],
  ['dinner in Ubud tonite', null, '2026-11-23', '18:00', null],
  ['makan malam di Ubud tanggal 5', null, '2026-12-05', '18:00', 'The 5th is read as 2026-12-05.'],
  [
    'gym in Singapore early morning',
    null,
    '2026-11-24',
    '06:00',
    'as that time is over on 2026-11-23. No time was said: early morning is read as from 06:00.',
  ],
  ['gym Denpasar tomorrow early morning', null, '2026-11-24', '06:00', null],
  [
    'drinks after work in Seminyak',
    null,
    '2026-11-23',
    '17:30',
    'after work is read as from 17:30',
  ],
  [
    'table Gili Trawangan at 18:30',
    null,
    '2026-11-23',
    '18:30',
    'No day was said: 2026-11-23 is assumed.',
  ],
  [
    'table Gili Trawangan at 10:30',
    null,
    '2026-11-24',
    '10:30',
    '2026-11-24 is assumed, as that time is over on 2026-11-23',
  ],
  ['dinner in Ubud 12/01 at 19:00', null, '2027-01-12', '19:00', '12/01 is read as 2027-01-12'],
  ['dinner in Ubud 24/12 at 19:00', null, '2026-12-24', '19:00', null],
  ['lunch in Ubud tomorrow at 12:30', null, '2026-11-24', '12:30', null],
  ['lunch in Ubud tomorrow at 12', null, '2026-11-24', '12:00', null],
  ['dinner in Ubud tomorrow at 7:30', null, '2026-11-24', '19:30', '7:30 is read as 19:30.'],
  [
    'dinner in Ubud this weekend',
    null,
    '2026-11-28',
    '18:00',
    'The weekend is read as from Saturday 2026-11-28 on.',
  ],
  ['anything open now in Canggu', null, '2026-11-23', '11:00', '“Now” is 11:00 on 2026-11-23'],
  ['gym Denpasar besok jam 6', null, '2026-11-24', '06:00', '6 o’clock is read as 06:00.'],
])(
  '%s: party %s on %s at %s, and assumptions are stated',
  async (query, party, date, time, said) => {
    const { interpretation } = await find(query, { at })
    expect(interpretation).toMatchObject({ party_size: party, date, time })
    if (said) expect(interpretation.assumed).toContain(said)
    else expect(interpretation.assumed ?? '').not.toMatch(/12:30|12:00|19:|No day/)
  },
)

test.each([
  ['gym in Singapore early morning', ['early', 'morning']],
  ['anything open now in Canggu', ['now', 'open']],
  ['drinks after work in Seminyak', ['after', 'work']],
])('%s: words that set the time are not reported as dropped', async (query, words) => {
  const { interpretation } = await find(query, { at })
  expect(interpretation.dropped.filter((word) => words.includes(word))).toEqual([])
})

test('this weekend is today on a Sunday', async () => {
  const sunday = new Date('2026-11-29T03:00:00Z')
  const { interpretation } = await find('dinner in Ubud this weekend', { at: sunday })
  expect(interpretation.date).toBe('2026-11-29')
})

test('a time that is over shows another day, said, or nothing', async () => {
  const evening = { at: new Date('2026-11-29T11:40:00Z') }
  const sunday = await find('90 minute massage for two in Ubud on Sunday after lunch', evening)
  expect(sunday.interpretation.assumed).toContain(
    'Sunday 2026-12-06 is assumed, as that time is over on 2026-11-29.',
  )
  expect(sunday.venues[0]?.availability.slots[0]?.slot_time).toMatch(/^2026-12-06T1[345]/)
  const lunch = await find('lunch in Sanur today', evening)
  expect(lunch.venues[0]?.availability.slots[0]?.slot_time).toMatch(/^2026-11-30T12/)
  const past = await find('dinner in Canggu yesterday', evening)
  expect(past.interpretation.assumed).toContain('2026-11-28 is over')
  expect(past.interpretation.dropped).toEqual([])
  expect(past.venues.length).toBeGreaterThan(0)
  expect(past.venues.flatMap(({ availability }) => availability.slots)).toEqual([])
  expect(past.venues[0]?.availability.note).toContain('Too late to book')
  const filtered = find('lunch in Sanur', { ...evening, date: 'today' })
  await expect(filtered).rejects.toThrow('is over')
  const week = await find('pijat untuk dua orang di Ubud minggu depan sore', evening)
  expect(week.interpretation).toMatchObject({ date: '2026-11-30', time: '14:00', dropped: [] })
})

test('a time that is partly over states from when slots are shown', async () => {
  const late = new Date('2026-11-23T12:10:00Z')
  const { interpretation } = await find('dinner in Seminyak tonight', { at: late })
  expect(interpretation).toMatchObject({ date: '2026-11-23', time: '20:10' })
  expect(interpretation.assumed).toContain('it is 20:10 there now')
})

test('a day that is not clear shows venues without times, and says what to send', async () => {
  const slotsIn = (venues: Awaited<ReturnType<Search>>['venues']) =>
    venues.flatMap(({ availability }) => availability.slots)
  const soon = await find('dinner in Ubud in a few weeks', { at })
  expect(soon.venues.length).toBeGreaterThan(0)
  expect(slotsIn(soon.venues)).toEqual([])
  expect(soon.venues[0]?.availability.note).toContain('`interpretation.hint`')
  expect(soon.interpretation.dropped).toEqual(['a', 'few', 'weeks'])
  expect(soon.interpretation.hint).toContain('send `date` as YYYY-MM-DD')
  const party = await find('dinner in Ubud in a few weeks', { at, party_size: 2 })
  expect(slotsIn(party.venues)).toEqual([])
  const dated = await find('dinner in Ubud in a few weeks', { at, date: '2026-12-10' })
  expect(slotsIn(dated.venues)[0]?.slot_time).toMatch(/^2026-12-10T18/)
  const day = await find('dinner in Ubud friday 5 december', { at })
  expect(day.interpretation.hint).toContain('2026-12-05 is a Saturday, not a Friday')
  expect(slotsIn(day.venues)).toEqual([])
})

test('times until a bound come first', async () => {
  const { venues, interpretation } = await find('dinner in Ubud before 7 tomorrow', { at })
  const times = venues.flatMap(({ availability: { slots, note } }) =>
    note === null ? slots.map(({ slot_time }) => slot_time) : [],
  )
  expect(times.length).toBeGreaterThan(3)
  for (const time of times) expect(time < '2026-11-24T19:00').toBe(true)
  expect(interpretation.assumed).toContain('before 19:00')
})

test('where nobody said where, the place is asked for or said', async () => {
  for (const query of ['dinner near me tonight', 'restoran terdekat', 'spa near my hotel']) {
    const { venues, interpretation } = await find(query, { at })
    expect([query, venues]).toEqual([query, []])
    expect(interpretation.hint).toContain('send `near`')
  }
  expect((await find('dinner near me', { at, near: 'Ubud' })).venues.length).toBeGreaterThan(0)
  const tonight = await find('dinner tonight', { at })
  expect(tonight.interpretation.assumed).toContain('No place was named')
})

test('a long message is read, and what is beyond 500 characters is cut', async () => {
  const long =
    'Hi! We are a family of five (two adults, three kids aged 4, 7 and 11) staying near the rice ' +
    'fields and would love an early dinner tomorrow around half past five, somewhere in Ubud ' +
    'with a garden, not too spicy and no shellfish please'
  const { interpretation } = await find(long, { at })
  expect(interpretation).toMatchObject({ area: 'Ubud', date: '2026-11-24', time: '17:30' })
  const cut = await find(`${long}. ${'Thank you so much. '.repeat(30)}`, { at })
  expect(cut.interpretation).toMatchObject({ area: 'Ubud', date: '2026-11-24' })
  expect(cut.interpretation.hint).toContain('Only the first 500 characters')
})
