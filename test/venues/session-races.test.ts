import { randomUUIDv7 } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMinutes } from '../../src/base/local-time.ts'
import { type Pool, transaction } from '../../src/platform/database/sql.ts'
import { createDatabase, openTestPool, type TestDatabase } from '../support/database.ts'
import { untilWaiting } from '../support/lock-waits.ts'
import {
  day,
  importStudios,
  isHeld,
  openStudio,
  slotAt,
  studioRecord,
  usualYoga,
  weekly,
} from '../support/studio.ts'

let db: Pool
let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
  db = openTestPool(database.url, 20)
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})

test('whoever leads a session that nobody has booked gives no private lesson then', async () => {
  const studio = await openStudio(db, 'busy')
  const before = await studio.hold('Private lesson', '06:00', 'Putri')
  expect(isHeld(before)).toBe(true)
  for (const clock of ['07:00', '08:00']) {
    expect(await studio.hold('Private lesson', clock, 'Putri')).toMatchObject({
      refusal: { code: 'slot_unavailable', facts: { free_with: ['Made'] } },
    })
  }
  expect(isHeld(await studio.hold('Private lesson', '09:00', 'Putri'))).toBe(true)
  expect(isHeld(await studio.hold('Private lesson', '09:00'))).toBe(false)
})

test('a session takes its leader from a booking that read the rules before', async () => {
  const studio = await openStudio(db, 'race')
  const stale = await studio.prepare('Private lesson', '12:00', 'Putri')
  await studio.session('add', '12:30', '--with', 'Putri', '--name', 'Full moon')
  expect(await stale()).toEqual({ undone: 'no_room' })
  expect(await studio.shown('Private lesson', 'Putri')).not.toContainEqual(
    expect.objectContaining({ slot_time: slotAt('12:00') }),
  )
  expect(isHeld(await studio.hold('Yoga', '12:30'))).toBe(true)
})

test('a session waits for a booking of its leader in progress, and is then refused', async () => {
  const studio = await openStudio(db, 'wait')
  const take = await studio.prepare('Private lesson', '12:00', 'Putri')
  let added: Promise<unknown> = Promise.resolve()
  await take(async () => {
    added = studio.session('add', '12:30', '--with', 'Putri').catch((error: Error) => error)
    await untilWaiting(db, 1)
  })
  expect(await added).toMatchObject({
    message: expect.stringMatching(/Putri is booked then.*held/s),
  })
  expect(await studio.shown('Yoga')).toHaveLength(2)
})

test('a booking waits for an import in progress, and does not take who leads by it', async () => {
  const studio = await openStudio(db, 'late')
  const take = await studio.prepare('Private lesson', '12:00', 'Putri')
  let taken: Promise<unknown> = Promise.resolve()
  await transaction(db, async (tx) => {
    await tx.query(
      `update resource set leads = leads || $1 where venue_id = $2 and name = 'Putri'`,
      [JSON.stringify([{ date: day, start: '12:30', minutes: 60 }]), studio.venue.id],
    )
    taken = take()
    await untilWaiting(db, 1)
  })
  expect(await taken).toEqual({ undone: 'no_room' })
})

test('a session that a file schedules over a booking of its leader takes no guests', async () => {
  const studio = await openStudio(db, 'over')
  expect(isHeld(await studio.hold('Private lesson', '12:00', 'Putri'))).toBe(true)
  const noon = weekly('12:30', { with: 'Putri' })
  expect(await importStudios(db, studioRecord('over', [...usualYoga, noon]))).toMatchObject({
    updated: 1,
  })
  expect(await studio.shown('Yoga')).toHaveLength(2)
  expect(await studio.hold('Yoga', '12:30')).toMatchObject({
    refusal: { code: 'slot_unavailable' },
  })
  expect(await (await studio.prepare('Yoga', '12:30'))()).toEqual({ undone: 'no_room' })
})

test('property: nobody leads a session and gives a lesson, however they are mixed', async () => {
  const clocks = ['12:00', '12:30', '13:00', '13:30']
  const acts = fc.array(
    fc.record({
      what: fc.constantFrom('schedule', 'lesson', 'class'),
      clock: fc.constantFrom(...clocks),
      who: fc.constantFrom('Putri', 'Made'),
    }),
    { minLength: 4, maxLength: 10 },
  )
  await fc.assert(
    fc.asyncProperty(acts, async (all) => {
      const studio = await openStudio(db, randomUUIDv7())
      await Promise.allSettled(
        all.map(({ what, clock, who }) => {
          if (what === 'schedule') return studio.session('add', clock, '--with', who)
          return what === 'lesson'
            ? studio.hold('Private lesson', clock, who)
            : studio.hold('Yoga', clock)
        }),
      )
      const services = await studio.services()
      const { sessions = [] } = services.find(({ name }) => name === 'Yoga')?.rules ?? {}
      const { rows } = await db.query(
        `select t.name, to_char(lower(during) at time zone 'Asia/Makassar', 'HH24:MI') as start
         from allocation a join resource t on t.id = a.resource_id
         where a.venue_id = $1 and a.active`,
        [studio.venue.id],
      )
      const spans = [
        ...rows.map(({ name, start }) => ({ name, from: slotAt(start), minutes: 60 })),
        ...sessions.map((one) => ({
          name: one.with,
          from: slotAt(one.start),
          minutes: one.minutes,
        })),
      ].sort((a, b) => (a.from < b.from ? -1 : 1))
      for (const name of ['Putri', 'Made']) {
        const own = spans.filter((one) => one.name === name)
        for (const [index, { from }] of own.entries()) {
          const before = own[index - 1]
          if (before) expect(addMinutes(before.from, before.minutes) <= from).toBe(true)
        }
      }
    }),
    { numRuns: 12, interruptAfterTimeLimit: 20_000 },
  )
}, 60_000)
