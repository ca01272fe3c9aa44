import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { type Agent, inThreeDays, openAgent } from '../support/agent.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'
import { stepDeps } from '../support/terms.ts'
import { addVenue, type ServiceOptions } from '../support/test-venues.ts'

const RIVALS = 64
/** However slow the others are, a caller waits at most this long for its turn. */
const MAX_TURN_MS = 2_000
const day = inThreeDays()

let doors: Doors
let agent: Agent

beforeAll(async () => {
  doors = await openDoors()
  agent = await openAgent(doors.db, doors.url)
})
afterAll(() => doors?.close())

/** Makes every workflow wait for `release` before it decides. */
function holdWorkflows() {
  const released = Promise.withResolvers<void>()
  const started: (BookingStart & { at: number })[] = []
  doors.engine.confirm = async (start) => {
    started.push({ ...start, at: performance.now() })
    await released.promise
    const { answer } = await decideBooking(doors.db, start, stepDeps, new Date())
    return answer ?? 'pending'
  }
  return { started, release: released.resolve }
}

async function rush(service: ServiceOptions) {
  const { id } = await addVenue(doors.db, [service])
  const slot = { venue_id: id, slot_time: `${day}T19:00:00`, party_size: 2, wait: 60 }
  const book = (key: string) => agent.post('/api/bookings', slot, { 'idempotency-key': key })
  const keys = Array.from({ length: RIVALS }, () => randomUUID())
  return { id, book, keys, answers: Promise.all(keys.map(book)) }
}

test('of 64 callers for one table, the losers are refused without a workflow', async () => {
  const workflows = holdWorkflows()
  const { book, keys, answers } = await rush({ resources: [{ party_max: 4 }] })
  await eventually('workflows', async () => workflows.started.length > 0)
  workflows.release()
  const told = await answers
  expect(told.filter(({ status }) => status === 201)).toHaveLength(1)
  const lost = told.filter(({ status }) => status === 409)
  expect(lost).toHaveLength(RIVALS - 1)
  for (const { body } of lost) {
    expect(body.code).toBe('slot_unavailable')
    expect(body.alternatives.length).toBeGreaterThan(0)
  }
  const [first] = workflows.started
  const atOnce = workflows.started.filter(({ at }) => at < (first?.at ?? 0) + MAX_TURN_MS)
  // Eight at a time, plus those that replace any that end in the meantime.
  expect(atOnce.length).toBeLessThanOrEqual(16)

  const ids = new Set(workflows.started.map(({ bookingId }) => bookingId))
  const index = told.findIndex(({ body }) => body.booking_id && !ids.has(body.booking_id))
  const { booking_id, alternatives } = told[index]?.body ?? {}
  const again = await book(keys[index] ?? '')
  expect(again.body).toMatchObject({ code: 'slot_unavailable', booking_id, replayed: true })
  expect(again.body.alternatives).toEqual(alternatives)
  const { body } = await agent.get(`/api/bookings/${booking_id}`)
  expect(body.booking).toMatchObject({ status: 'failed' })
})

test('in a rush for a class every place is sold', async () => {
  const workflows = holdWorkflows()
  workflows.release()
  const places = 20
  const { id, answers } = await rush({ strategy: 'pooled', rules: { places } })
  const told = await answers
  expect(told.filter(({ status }) => status === 201)).toHaveLength(places / 2)
  expect(told.filter(({ status }) => status === 409)).toHaveLength(RIVALS - places / 2)
  const { rows } = await doors.db.query(
    `select used from slot_counter c join service o on o.id = c.service_id
     where o.venue_id = $1`,
    [id],
  )
  expect(rows).toEqual([{ used: places }])
})
