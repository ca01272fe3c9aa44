import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stepOnce } from '../../src/bookings/store/transitions.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { createDatabase, openTestPool } from '../support/database.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Pool
const accountId = randomUUIDv7()
const at = new Date('2026-11-21T04:00:00Z')

beforeAll(async () => {
  database = await createDatabase()
  db = openTestPool(database.url, 20)
  await db.query(
    `insert into account (id, name, tier, created_at) values ($1, 'test', 'pro', now())`,
    [accountId],
  )
})

afterAll(async () => {
  await db.end()
  await database.drop()
})

async function newRequest(): Promise<string> {
  const id = randomUUIDv7()
  await db.query(
    `insert into request (booking_id, account_id, operation, body_hash, door, venue_id, slot_time,
       party_size, created_at)
     select $1, $2, 'confirm', '', 'rest', id, '2031-01-10T19:00', 2, now() from venue limit 1`,
    [id, accountId],
  )
  return id
}

test('a step run by concurrent workers happens once, and all get its result', async () => {
  const step = { accountId, bookingId: await newRequest(), transitionId: 'hold', at }
  const results = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      stepOnce(db, step, async (tx) => {
        await tx.query('update request set guest_ref = $2 where booking_id = $1', [
          step.bookingId,
          `${n}`,
        ])
        return { result: { winner: `${n}` }, events: [] }
      }),
    ),
  )
  const { rows } = await db.query('select guest_ref from request where booking_id = $1', [
    step.bookingId,
  ])
  for (const { winner } of results) expect(winner).toBe(rows[0].guest_ref)
})

test('a step that fails leaves no trace and can be run again', async () => {
  const step = { accountId, bookingId: await newRequest(), transitionId: 'hold', at }
  const failing = stepOnce(db, step, async () => {
    throw new Error('the power went out')
  })
  await expect(failing).rejects.toThrow('the power went out')
  expect(await stepOnce(db, step, async () => ({ result: 'second try', events: [] }))).toBe(
    'second try',
  )
})
