import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWish, type WishedWords } from '../../src/availability/operations/wanted-service.ts'
import { selectServicesOf } from '../../src/availability/store/venue-services.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { amed } from '../support/amed-records.ts'
import { createDatabase } from '../support/database.ts'
import { openSearch, type Search } from '../support/search.ts'
import { load } from './import-load.ts'

let db: Pool
let drop: () => Promise<void>
let find: Search

beforeAll(async () => {
  const database = await createDatabase()
  db = openPool(database.url, 2, () => {})
  drop = database.drop
  await db.query("update venue set area_slug = 'lovina' where area_slug = 'amed'")
  const loaded = await load(db, JSON.stringify(amed), 'json')
  expect(loaded, loaded.lines.join('\n')).toMatchObject({ new: amed.length, refused: 0 })
  find = await openSearch(db)
})
afterAll(async () => {
  await db.end()
  await drop()
})

const wishAt = async (venue: { id: string } | undefined, words: WishedWords) =>
  readWish(
    await selectServicesOf(db, venue?.id ?? '', { from: '2026-11-21', to: '2026-11-23' }),
    words,
  )

const bookWith = ({ venues }: Awaited<ReturnType<Search>>) =>
  venues.map(({ name, availability }) => [name, availability.book_with])

test('a sentence with length, day and meal finds treatments, the cheaper first', async () => {
  const found = await find(
    '90 minute massage for two in Amed on Sunday after lunch, the cheaper one',
  )
  expect(found.interpretation).toMatchObject({
    category: 'spa',
    area: 'Amed',
    party_size: 2,
    date: '2026-11-22',
    time: '13:30',
    dropped: [],
    price: 'The cheapest first, by price or else by average spend per guest.',
  })
  expect(bookWith(found)).toEqual([
    ['Sejuk', { service: 'Massage', minutes: 90 }],
    ['Teduh', { service: 'Hot stone massage', minutes: 90 }],
  ])
  const [, teduh] = found.venues
  expect(teduh?.availability.slots[0]).toMatchObject({
    slot_time: '2026-11-22T13:30:00',
    service: 'Hot stone massage',
    price: 'IDR 400,000 per guest, tax and service included',
  })
  expect(teduh?.services).toHaveLength(3)
})

test('words choose among the services of a venue, and a name the person', async () => {
  const stones = await find('hot stone massage in Amed')
  expect(bookWith(stones)[0]).toEqual(['Teduh', { service: 'Hot stone massage' }])
  const made = await find('balinese massage with Made in Amed for 90 minutes')
  expect(bookWith(made)).toEqual([
    ['Teduh', { service: 'Balinese massage', minutes: 90, with: 'Made' }],
  ])
  const pilates = await find('reformer pilates with Sri in Amed tomorrow')
  expect(pilates.interpretation.dropped).toEqual([])
  expect(bookWith(pilates)).toEqual([
    ['Kelas Amed', { service: 'Reformer pilates', with: 'Komang Sri' }],
  ])
})

test('words choose among the sessions of a class', async () => {
  const found = await find('kundalini class in Amed tomorrow morning')
  expect(found.interpretation.dropped).toEqual([])
  const [first] = found.venues
  expect(first).toMatchObject({
    name: 'Sanggar Pagi',
    availability: { book_with: { service: 'Yoga, Kundalini' } },
  })
  const clocks = first?.availability.slots.map(({ slot_time }) => slot_time.slice(11, 16))
  expect([...new Set(clocks)]).toEqual(['08:30'])
  const other = (await find('yoga in Amed tomorrow')).venues.find(
    ({ name }) => name === 'Sanggar Pagi',
  )
  expect(other?.availability.slots[0]).toMatchObject({ sessions: [{ name: 'Ashtanga' }] })
})

test('what nobody offers is said, and nothing is put in its place', async () => {
  for (const query of ['zumba', 'spin class', 'manicure']) {
    const found = await find(`${query} in Amed`)
    expect(found.interpretation.widened).toMatch(/No (gym|spa) in Amed matches .*: every/)
    expect(new Set(bookWith(found).map(([, asked]) => asked))).toEqual(new Set([undefined]))
  }
  for (const when of [{}, { date: '2026-11-22', time: '15:00' }]) {
    const found = await find('aromatherapy massage in Amed', when)
    expect(bookWith(found)).toEqual([
      ['Wangi', { service: 'Aromatherapy massage' }],
      ['Harum', undefined],
    ])
    expect(found.venues[1]?.availability.note).toContain('No service here is aromatherapy.')
  }
})

test('filters keep what the sentence asks for', async () => {
  const when = { date: '2026-11-22', time: '14:00', party_size: 2 }
  const found = await find('pijat 90 menit di Amed', when)
  expect(bookWith(found).toSorted()).toEqual([
    ['Sejuk', { service: 'Massage', minutes: 90 }],
    ['Teduh', { service: 'Balinese massage', minutes: 90 }],
  ])
  for (const { availability } of found.venues) {
    const { service } = availability.book_with ?? {}
    expect(availability.slots.every((slot) => slot.service === service)).toBe(true)
  }
})

test('a length that nobody offers is said, and venues are shown without it', async () => {
  const found = await find('75 minute massage in Amed')
  expect(found.interpretation.widened).toBe(
    'No spa in Amed offers that for 75 minutes: others are shown.',
  )
  expect(bookWith(found)).toContainEqual(['Teduh', { service: 'Balinese massage' }])
})

test('either of two lengths fits, and both are shown with their prices', async () => {
  const found = await find('balinese massage for 60-90 minutes for 2 in Amed')
  expect(found.interpretation).toMatchObject({ party_size: 2, text: 'massage' })
  const teduh = found.venues.find(({ name }) => name === 'Teduh')
  expect(teduh?.availability).toMatchObject({
    book_with: { service: 'Balinese massage', minutes: 60 },
    fits: [
      { name: 'Balinese massage', minutes: [60], price: expect.stringContaining('300,000') },
      { name: 'Balinese massage', minutes: [90], price: expect.stringContaining('450,000') },
    ],
  })
  const either = await find('60 or 90 minute massage in Amed')
  expect(either.interpretation).toMatchObject({ party_size: null, text: 'massage', widened: null })
  expect(bookWith(either).toSorted()).toMatchObject([
    ['Harum', { minutes: 60 }],
    ['Ombak', { minutes: 60 }],
    ['Sejuk', { minutes: 90 }],
    ['Teduh', { minutes: 60 }],
    ['Wangi', { minutes: 60 }],
  ])
  const long = await find('massage for 100 or 120 minutes in Amed')
  expect(long.interpretation.widened).toContain('offers that for 100 or 120 minutes')
})

test.each([
  'massage not facial in Amed',
  'massage in Amed without facial or body scrub',
  'massage, no facial, in Amed',
  'pijat bukan facial di Amed',
])('what is not wanted is not searched for: %s', async (query) => {
  const found = await find(query)
  expect(found.interpretation).toMatchObject({ text: expect.stringMatching(/^(massage|pijat)$/) })
  expect(found.interpretation).toMatchObject({ category: 'spa', area: 'Amed', widened: null })
  expect(found.interpretation.excluded).toContain('facial')
  expect(found.venues.map(({ name }) => name).toSorted()).toEqual([
    ...['Harum', 'Ombak', 'Sejuk', 'Teduh', 'Wangi'],
  ])
})

test('a venue that has only what is not wanted does not match', async () => {
  const found = await find('reiki or facial in Amed, not reiki')
  expect(bookWith(found)).toEqual([['Rimbun', { service: 'Facial' }]])
  const spas = await find('spa in Amed, not reiki')
  expect(spas.venues.map(({ name }) => name)).not.toContain('Batu')
  const later = await find('massage in Amed not before 14:00 reiki')
  expect(later.interpretation).toMatchObject({ text: expect.stringContaining('reiki') })
})

test('sessions can be excluded by their names', async () => {
  for (const [query, clocks, name] of [
    ['yoga not ashtanga in Amed tomorrow', ['08:30', '18:00'], 'Yoga, Kundalini'],
    ['yoga in Amed, but no kundalini', ['07:00'], 'Yoga, Ashtanga'],
  ] as const) {
    const sanggar = (await find(query)).venues.find((one) => one.name === 'Sanggar Pagi')
    const times = sanggar?.availability.slots.map(({ slot_time }) => slot_time.slice(11, 16))
    expect([...new Set(times)].toSorted()).toEqual(clocks)
    expect(sanggar?.availability.book_with).toEqual({ service: name })
  }
  const neither = await find('yoga in Amed, neither kundalini nor ashtanga')
  expect(neither.venues).toEqual([])
  expect(neither.interpretation.widened).toBe(
    'No gym in Amed offers that without kundalini or ashtanga.',
  )
  const negative = await find('massage for -3 people in Amed')
  expect(negative.interpretation).toMatchObject({
    party_size: null,
    hint: expect.stringContaining('How many people is not clear (“for minus 3 people”)'),
  })
  expect(negative.venues.every(({ availability }) => availability.slots.length === 0)).toBe(true)
})

test('of several services, a booking takes one, and this is said', async () => {
  const { venues } = await find('facial for her, body scrub for him in Amed')
  const [{ availability } = { availability: null }] = venues
  expect(availability?.fits?.map(({ name }) => name)).toEqual(['Facial', 'Body scrub'])
  expect(availability?.note).toContain(
    'Facial or Body scrub: a booking is for one of them: make one for each wish',
  )
})

test('what is not about a service chooses none', async () => {
  const [kelas] = bookWith(await find('Kelas Amed tomorrow'))
  expect(kelas).toEqual(['Kelas Amed', undefined])
  const [teduh] = bookWith(await find('made to measure massage in Amed'))
  expect(teduh?.[1]).not.toHaveProperty('with')
})

test('what the services cannot fulfil is said, and nothing is put in its place', async () => {
  const short = await find('45 minute hot stone massage at Teduh in Amed')
  expect(short.venues[0]?.availability).toMatchObject({
    book_with: { service: 'Hot stone massage' },
    note: 'Hot stone massage: not for 45 minutes.',
  })
  const [pilates] = (await find('reformer pilates with Dewi in Amed')).venues
  expect(pilates?.availability.book_with).toEqual({ service: 'Reformer pilates' })
  const without = await find('massage in Amed, not hot stone, 90 minutes, the cheapest')
  expect(bookWith(without)).toContainEqual(['Teduh', { service: 'Balinese massage', minutes: 90 }])
})

test('a service and a length can be fields', async () => {
  const found = await find('spa in Amed', { service: 'hot stone massage', minutes: 90 })
  expect(bookWith(found)[0]).toEqual(['Teduh', { service: 'Hot stone massage', minutes: 90 }])
})

test('what is not a service asks for none', async () => {
  const found = await find('spa in Amed for 2 tomorrow')
  expect(new Set(bookWith(found).map(([, asked]) => asked))).toEqual(new Set([undefined]))
})

test('what a venue has comes before what its description mentions, and this is said', async () => {
  for (const when of [{}, { date: '2026-11-22', time: '19:00', party_size: 2 }]) {
    const found = await find('dinner on the terrace in Amed for 2 tomorrow at 19:00', when)
    const names = found.venues.map(({ name, mentions }) => [name, mentions])
    expect(names.at(-1)).toEqual(['Sawah', ['terrace']])
    expect(names.slice(0, -1)).toContainEqual(['Pondok', undefined])
    expect(found.interpretation.hint).toContain(
      'terrace: for 1 of these, listed last, only the description says so: it cannot be ' +
        'chosen, so ask for it in `notes`.',
    )
  }
  const { venues } = await find('dinner on the terrace in Amed')
  expect(venues).toHaveLength(3)
  const beranda = venues.find(({ name }) => name === 'Beranda')
  expect(beranda?.availability).toMatchObject({ book_with: { service: 'Terrace' } })
})

test('services that fit equally are all shown, and a booking refuses to choose', async () => {
  const all = await find('facial or body scrub in Amed tomorrow morning')
  expect(all.interpretation).toMatchObject({ text: 'facial or body scrub', widened: null })
  const [rimbun] = all.venues
  expect(all.venues).toHaveLength(1)
  expect(rimbun?.availability).toMatchObject({
    book_with: { service: 'Body scrub' },
    fits: [
      { name: 'Facial', minutes: [60], price: expect.stringContaining('200,000') },
      { name: 'Body scrub', minutes: [45] },
    ],
  })
  expect(rimbun?.availability.slots.map(({ service }) => service)).toEqual([
    ...['Body scrub', 'Body scrub', 'Facial'],
  ])
  const massage = await find('massage in Amed')
  const teduh = massage.venues.find(({ name }) => name === 'Teduh')
  const names = teduh?.availability.fits?.map(({ name }) => name)
  expect(names).toEqual(['Balinese massage', 'Hot stone massage'])
  const refused = await wishAt(teduh, { service: 'massage' }).catch(
    ({ data }) => data.facts.services,
  )
  expect(refused).toMatchObject(teduh?.availability.fits ?? [])
})

test('whatever is shown to be booked with is a service of the venue', async () => {
  for (const query of ['massage', '90 minute massage', 'facial or reiki', 'massage with Ayu']) {
    for (const venue of (await find(`${query} in Amed for 2`)).venues) {
      const { book_with: input, slots } = venue.availability
      for (const { service } of slots) await wishAt(venue, { ...input, service })
      await wishAt(venue, input ?? {})
    }
  }
})
