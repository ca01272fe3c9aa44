import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createDatabase } from '../support/database.ts'
import { openSearch, type Search } from '../support/search.ts'
import { load } from './import-load.ts'

let db: Pool
let drop: () => Promise<void>
let find: Search

const place = { category: 'restaurant', latitude: -8.2765, longitude: 115.594, area: 'amed' }
const hours = 'Mo-Su 10:00-22:00'
const venue = (id: string, facts: Record<string, string>) => ({
  id,
  name: `Amed ${id}`,
  ...place,
  hours,
  facts,
})

beforeAll(async () => {
  const database = await createDatabase()
  db = openPool(database.url, 2, () => {})
  drop = database.drop
})
afterAll(async () => {
  await db.end()
  await drop()
})
beforeEach(async () => {
  find = await openSearch(db)
})

/** Two are known to be accessible, two are known not to be, three are not known. */
const amed = [
  venue('Yes One', { wheelchair: 'yes', pets: 'yes', smoking: 'no' }),
  venue('Yes Two', { wheelchair: 'yes', pets: 'no', smoking: 'yes' }),
  venue('No One', { wheelchair: 'no', pets: 'yes', halal: 'yes' }),
  venue('No Two', { wheelchair: 'no' }),
  venue('Open One', { pets: 'yes', pool: 'yes' }),
  venue('Open Two', { smoking: 'no' }),
  venue('Open Three', {}),
]

describe('a search that needs a fact', () => {
  beforeAll(async () => {
    await db.query("update venue set area_slug = 'lovina' where area_slug = 'amed'")
    expect(await load(db, JSON.stringify(amed), 'json')).toMatchObject({ new: 7, refused: 0 })
  })
  const names = (found: Awaited<ReturnType<Search>>) =>
    found.venues.map(({ name }) => name.slice(5))

  test('shows who is known to have it, then who is not known, and says which', async () => {
    const found = await find('wheelchair accessible restaurants in Amed')
    expect(names(found).slice(0, 2).toSorted()).toEqual(['Yes One', 'Yes Two'])
    expect(names(found).slice(2).toSorted()).toEqual(['Open One', 'Open Three', 'Open Two'])
    expect(found.interpretation).toMatchObject({
      category: 'restaurant',
      area: 'Amed',
      facts: ['wheelchair'],
      text: '',
      dropped: [],
      widened: null,
      hint: 'Of these, 2 are known to be wheelchair accessible; for 3 it is not known: call them.',
    })
  })

  test.each([
    ['dog friendly restaurant in Amed', ['pets'], ['No One', 'Open One', 'Yes One']],
    ['restoran ramah kursi roda di Amed', ['wheelchair'], ['Yes One', 'Yes Two']],
    ['restaurant in Amed with a pool', ['pool'], ['Open One']],
    ['halal in Amed', ['halal'], ['No One']],
    ['non smoking restaurant Amed', ['no_smoking'], ['Open Two', 'Yes One']],
    ['smoking area, restaurant Amed', ['smoking'], ['Yes Two']],
    ['restaurant in Amed, no dogs', ['no_pets'], ['Yes Two']],
    ['wheelchair accessible dog friendly restaurant Amed', ['wheelchair', 'pets'], ['Yes One']],
  ])('"%s" is understood', async (query, facts, known) => {
    const found = await find(query)
    expect(found.interpretation.facts.toSorted()).toEqual(facts.toSorted())
    expect(names(found).slice(0, known.length).toSorted()).toEqual(known)
  })

  test('takes the facts as a field too, with the same answer page by page', async () => {
    const { venues } = await find('restaurant in Amed', { facts: ['wheelchair'] })
    expect(venues.map(({ slug }) => slug)).toEqual(
      (await find('wheelchair accessible restaurants in Amed')).venues.map(({ slug }) => slug),
    )
    const pages: string[] = []
    let cursor: string | undefined
    do {
      const page = await find('restaurant in Amed', {
        facts: ['wheelchair'],
        limit: 2,
        ...(cursor && { cursor }),
      })
      pages.push(...page.venues.map(({ slug }) => slug))
      cursor = page.next_cursor ?? undefined
    } while (cursor)
    expect(pages.toSorted()).toEqual(venues.map(({ slug }) => slug).toSorted())
  })

  test('applies at a time that is asked for', async () => {
    const found = await find('wheelchair accessible restaurant in Amed', {
      party_size: 2,
      date: 'tomorrow',
      time: '19:00',
    })
    expect(names(found)).not.toEqual(expect.arrayContaining(['No One']))
    expect(found.venues).toHaveLength(5)
    expect(found.interpretation.hint).toMatch(/^Of these, 2 are known .* for 3 it is not known/)
  })

  test('goes further only when everyone nearby is known to lack it', async () => {
    const none = amed.map((venue) => ({ ...venue, facts: { wheelchair: 'no' } }))
    expect(await load(db, JSON.stringify(none), 'json')).toMatchObject({ refused: 0 })
    const { venues, interpretation } = await find('wheelchair accessible restaurant in Amed')
    expect(venues[0]?.area).not.toBe('Amed')
    expect(interpretation.widened).toMatch(/^No restaurant in Amed that is known to be wheelchair/)
  })

  test('does not take a fact for the name of a venue, or a pool table for a pool', async () => {
    expect((await find('bar with a pool table in Seminyak')).interpretation.facts).toEqual([])
    expect((await find('sushi in Canggu')).interpretation.facts).toEqual([])
    expect((await find('hot dogs in Kuta')).interpretation.facts).toEqual([])
  })
})
