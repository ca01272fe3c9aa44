import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkAvailability } from '../../src/availability/operations/check-availability.ts'
import type { Context } from '../../src/contract/operation.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createDatabase } from '../support/database.ts'
import { addVenue } from '../support/test-venues.ts'

let db: Pool
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createDatabase()
  db = openPool(database.url, 3, () => {})
  drop = database.drop
})
afterAll(async () => {
  await db.end()
  await drop()
})

test('each further day costs a call', async () => {
  const { id } = await addVenue(db)
  const charged: number[] = []
  const context = {
    db,
    at: new Date(),
    settings: { feePct: 2.5 },
    charge: (calls: number) => charged.push(calls),
  } as unknown as Context
  for (const days of [1, 14])
    await checkAvailability.run(context, { slug: id, days, detail: 'compact' })
  expect(charged).toEqual([0, 13])
})
