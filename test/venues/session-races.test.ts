import { randomUUIDv7 } from 'node:crypto'
import fc from 'fast-check'
import { expect } from 'vitest'
import { releaseInventory } from '../../src/availability/store/inventory.ts'
import { addMinutes } from '../../src/base/local-time.ts'
import { cancelBookings } from '../../src/commands/cancel-bookings.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import { untilWaiting } from '../support/lock-waits.ts'
import {
  at,
  day,
  isHeld,
  slotAt,
  studioRecord,
  test,
  usualYoga,
  weekly,
} from '../support/studio.ts'

test('whoever leads a session that nobody has booked gives no private lesson then', async ({
  studios,
}) => {
  const studio = await studios.open('busy')
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

test('a session takes its leader from a booking that read the rules before', async ({
  studios,
}) => {
  const studio = await studios.open('race')
  const stale = await studio.prepare('Private lesson', '12:00', 'Putri')
  await studio.session('add', '12:30', '--with', 'Putri', '--name', 'Full moon')
  expect(await stale()).toEqual({ undone: 'no_room' })
  expect(await studio.shown('Private lesson', 'Putri')).not.toContainEqual(
    expect.objectContaining({ slot_time: slotAt('12:00') }),
  )
  expect(isHeld(await studio.hold('Yoga', '12:30'))).toBe(true)
})

test('a session waits for a booking of its leader in progress, and is then refused', async ({
  studios,
}) => {
  const studio = await studios.open('wait')
  const take = await studio.prepare('Private lesson', '12:00', 'Putri')
  const { db } = studios
  const [taken, added] = await transaction(db, async (tx) => {
    // A booking locks its account's event counter last.
    await tx.query('insert into event_counter (account_id, last) values ($1, 0)', [take.accountId])
    const taking = take()
    await untilWaiting(db, 1)
    const adding = studio.session('add', '12:30', '--with', 'Putri').catch((error: Error) => error)
    await untilWaiting(db, 2)
    return [taking, adding] as const
  }).then((both) => Promise.all(both))
  expect(taken).toMatchObject({ state: { status: 'held' } })
  expect(added).toMatchObject({
    message: expect.stringMatching(/Putri is booked then.*held/s),
  })
  expect(await studio.shown('Yoga')).toHaveLength(2)
})

test('a session may take a leader whose booking is being cancelled', async ({ studios }) => {
  const { db, open } = studios
  const studio = await open('freed')
  expect(isHeld(await studio.hold('Private lesson', '12:00', 'Putri'))).toBe(true)
  const add = () => studio.session('add', '12:30', '--with', 'Putri')
  await expect(add()).rejects.toThrow('Putri is booked then')
  const { rows } = await db.query('select id, account_id from booking where venue_id = $1', [
    studio.venue.id,
  ])
  await transaction(db, (tx) => cancelBookings(tx, rows, { id: 'flu', reason: 'Flu' }, at))
  expect(await add()).toContain(
    `with Putri.\nIt takes guests once this is cancelled:\n${rows[0].id}`,
  )
  expect(isHeld(await studio.hold('Yoga', '12:30'))).toBe(false)
  await releaseInventory(db, rows[0].id)
  expect(isHeld(await studio.hold('Yoga', '12:30'))).toBe(true)
  expect(isHeld(await studio.hold('Private lesson', '12:00', 'Putri'))).toBe(false)
})

test('a booking waits for an import in progress, and does not take who leads by it', async ({
  studios,
}) => {
  const studio = await studios.open('late')
  const take = await studio.prepare('Private lesson', '12:00', 'Putri')
  let taken: Promise<unknown> = Promise.resolve()
  await transaction(studios.db, async (tx) => {
    await tx.query(
      `update resource set leads = leads || $1 where venue_id = $2 and name = 'Putri'`,
      [JSON.stringify([{ date: day, start: '12:30', minutes: 60 }]), studio.venue.id],
    )
    taken = take()
    await untilWaiting(studios.db, 1)
  })
  expect(await taken).toEqual({ undone: 'no_room' })
})

test('a session that a file schedules over a booking of its leader takes no guests', async ({
  studios,
}) => {
  const studio = await studios.open('over')
  expect(isHeld(await studio.hold('Private lesson', '12:00', 'Putri'))).toBe(true)
  const noon = weekly('12:30', { with: 'Putri' })
  expect(await studios.load(studioRecord('over', [...usualYoga, noon]))).toMatchObject({
    updated: 1,
  })
  expect(await studio.shown('Yoga')).toHaveLength(2)
  expect(await studio.hold('Yoga', '12:30')).toMatchObject({
    refusal: { code: 'slot_unavailable' },
  })
  expect(await (await studio.prepare('Yoga', '12:30'))()).toEqual({ undone: 'no_room' })
})

test('property: nobody leads a session and gives a lesson, however they are mixed', async ({
  studios,
}) => {
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
      const studio = await studios.open(randomUUIDv7())
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
      const { rows } = await studios.db.query(
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
