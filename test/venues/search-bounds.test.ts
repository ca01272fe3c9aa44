import type { QueryConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { bearer, type Doors, openDoors } from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'
import { openSearch } from '../support/search.ts'

/** Words that occur in venues but have no meaning to search. */
async function knownWords(db: Pool, count: number): Promise<string[]> {
  const { rows } = await db.query(
    `select word from venue_word where word ~ '^[a-z]{4,6}$' order by md5(word) limit $1`,
    [count],
  )
  return rows.map(({ word }) => word)
}

describe('one search', () => {
  let database: TestDatabase
  let db: Pool
  beforeAll(async () => {
    database = await createDatabase()
    db = openPool(database.url, 1, () => {})
  })
  afterAll(async () => {
    await db.end()
    await database.drop()
  })

  /** A pool that records its statements. */
  function watched() {
    const statements: { text: string; values: unknown[] }[] = []
    const query = (...statement: [string | QueryConfig, unknown[]?]) => {
      const [first, values = []] = statement
      statements.push(typeof first === 'string' ? { text: first, values } : { values, ...first })
      return db.query(...(statement as [string]))
    }
    return { statements, pool: Object.assign(Object.create(db), { query }) as Pool }
  }

  test('of many words costs few statements, and says which words it dropped', async () => {
    const words = await knownWords(db, 33)
    const { statements, pool } = watched()
    const find = await openSearch(pool)
    statements.length = 0
    const { interpretation } = await find(words.join(' ').slice(0, 200))
    expect(statements.length).toBeLessThan(20)
    expect(interpretation.dropped.length).toBeGreaterThan(10)
  })

  test('of many misspelt words compares few of them with the names of venues', async () => {
    const words = (await knownWords(db, 60)).filter((word) => word.length > 5)
    const wrong = words.map((word) => `${word.slice(0, 3)}q${word.slice(4)}`)
    const { statements, pool } = watched()
    const find = await openSearch(pool)
    statements.length = 0
    await find(`sushi ${wrong.join(' ')}`.slice(0, 200))
    const similar = statements.find(({ text }) => text.includes('k.word <-> asked.word'))
    expect(similar?.values[0]).toHaveLength(5)
  })

  test('costs a call more for each word, and none where a cache answers', async () => {
    const find = await openSearch(db)
    const [one, ...others] = await knownWords(db, 12)
    const charged: number[] = []
    const charge = (calls: number) => charged.push(calls)
    const long = [one, ...others].join(' ')
    for (const query of [`${one}`, long, long]) await find(query, { charge })
    expect(charged).toEqual([8, 19])
  })

  test('leaves no prepared statement of its own shape behind', async () => {
    const find = await openSearch(db)
    const [one, two, three] = await knownWords(db, 3)
    const queries = ['sushi', 'sushi in Canggu', `${one} ${two}`, `${one} ${two} ${three} in Bali`]
    for (const query of queries) await find(query)
    const { rows } = await db.query(
      `select statement from pg_prepared_statements where statement ~ '(walked|gathered) as'`,
    )
    expect(rows).toEqual([])
  })
})

describe('many searches', () => {
  let doors: Doors
  beforeAll(async () => {
    doors = await openDoors()
  })
  afterAll(() => doors.close())

  test('leave most connections of the pool to everybody else', async () => {
    const { key } = await doors.openAccount('pro')
    const other = await doors.openAccount('pro')
    const get = (path: string, who: string) => fetch(doors.url + path, { headers: bearer(who) })
    const search = (query: string) => get(`/api/venues/search?q=${query}`, key)
    await search('sushi')
    const { connectionString } = doors.db.options as { connectionString: string }
    const aside = openPool(connectionString, 2, () => {})
    const lock = await aside.connect()
    try {
      await lock.query('begin; lock table venue in access exclusive mode')
      const searches = Array.from({ length: 30 }, (_, n) => search(`ramen+${n}`))
      await eventually('searches to wait for the table', async () => {
        const { rows } = await aside.query(
          `select count(*)::int as waiting from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rows[0].waiting >= 1
      })
      const signal = AbortSignal.timeout(30_000)
      const headers = bearer(other.key)
      expect((await fetch(`${doors.url}/api/ping`, { headers, signal })).status).toBe(200)
      await lock.query('rollback')
      for (const { status } of await Promise.all(searches)) expect(status).toBe(200)
    } finally {
      lock.release(true)
      await aside.end()
    }
  })
})
