import { afterAll, beforeAll, expect, test } from 'vitest'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { deleteLimits } from '../../src/bookings/store/limits.ts'
import { type Agent, openAgent } from '../support/agent.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { watchRoundTrips } from '../support/round-trips.ts'
import { stepDeps } from '../support/terms.ts'
import { addVenue } from '../support/test-venues.ts'

const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)

let doors: Doors
let agent: Agent

beforeAll(async () => {
  doors = await openDoors()
  agent = await openAgent(doors.db, doors.url)
  await deleteLimits(doors.db, agent.accountId)
  doors.engine.confirm = async (start) => {
    const { answer } = await decideBooking(doors.db, start, stepDeps, new Date())
    return answer ?? 'pending'
  }
})
afterAll(() => doors?.close())

test.each([
  ['a booking', '/api/bookings', 8],
  ['a hold', '/api/holds', 9],
])('%s at an auto venue takes at most 8 round trips to PostgreSQL', async (_, path, most) => {
  const { id } = await addVenue(doors.db, [{ resources: [{ party_max: 4 }] }])
  const { take, stop } = watchRoundTrips()
  const bookings: string[][][] = []
  for (const hour of [11, 13, 15, 17, 19]) {
    take()
    const slot = { venue_id: id, slot_time: `${day}T${hour}:00:00`, party_size: 2 }
    expect(await agent.post(path, slot)).toMatchObject({ status: 201 })
    bookings.push(take())
  }
  stop()
  // Of several, because the process has work that belongs to none.
  const [least = []] = bookings.toSorted((one, other) => one.length - other.length)
  expect(least.length, JSON.stringify(least, null, 1)).toBeLessThanOrEqual(most)
})
