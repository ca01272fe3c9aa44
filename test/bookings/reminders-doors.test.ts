import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyDoor } from '../support/every-door.ts'
import { type Doors, type Holder, openDoors } from '../support/open-doors.ts'

let doors: Doors
let pro: Holder
let slot: { venue_id: string; slot_time: string; party_size: number }

beforeAll(async () => {
  doors = await openDoors()
  pro = await doors.openAccount('pro')
  const { rows } = await doors.db.query('select id from venue order by slug limit 1')
  slot = { venue_id: rows[0].id, slot_time: '2027-01-15T19:00:00', party_size: 2 }
})
afterAll(() => doors.close())

describe.each(everyDoor)('at %s', (_, confirm) => {
  const send = (reminders: unknown) =>
    confirm(doors, pro.key, { ...slot, reminders, wait: 0, idempotency_key: randomUUID() })

  test('an agent sets its reminders', async () => {
    const kept: unknown[] = []
    for (const reminders of [[60, 5], [], undefined]) {
      const { body } = await send(reminders)
      const { rows } = await doors.db.query('select reminders from request where booking_id = $1', [
        body.booking.id,
      ])
      kept.push(rows[0].reminders)
    }
    expect(kept).toEqual([[60, 5], [], null])
  })

  test.each([
    ['after four minutes', [4]],
    ['a minute more than 30 days before', [43_201]],
    ['half a minute', [90.5]],
    ['words', ['an hour']],
    ['six', [10, 20, 30, 40, 50, 60]],
    ['no list', 60],
  ])('reminders that are %s are refused', async (_what, reminders) => {
    expect((await send(reminders)).code).toBe('invalid_request')
  })
})
