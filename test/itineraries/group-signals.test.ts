import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommands } from '../../src/bookings/steps/run-commands.ts'
import { selectBookingStart } from '../../src/bookings/store/booking-starts.ts'
import { insertCommand } from '../../src/bookings/store/commands.ts'
import { actionsOf } from '../support/actions.ts'
import { type AskedSlot, findSlots } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { recordHistory } from '../support/record-histories.ts'
import { runOnce } from '../support/scheduled-runs.ts'
import { stepDeps } from '../support/terms.ts'
import { answer, linkTo, staffAllDay } from '../support/venue-people.ts'

let service: Service

beforeAll(async () => {
  service = await openService()
  await staffAllDay(service.db, 'restaurant')
})
afterAll(() => service?.close())

const itinerary = async (id: string) =>
  (await service.agent.get(`/api/itineraries/${id}`)).body.itinerary

const becomes = (id: string, status: string) =>
  eventually(`the itinerary to be ${status}`, async () => {
    const now = await itinerary(id)
    return now.status === status && now
  })

const partsOf = async (): Promise<AskedSlot[]> => [
  ...(await findSlots(service.agent, 'gym in Bali', 1)),
  ...(await findSlots(service.agent, 'restaurant in Bali', 1)),
]

/** An itinerary whose second part waits for the venue's staff. */
async function askedItinerary() {
  const parts = await partsOf()
  const key = { 'idempotency-key': randomUUID() }
  const { body } = await service.agent.post('/api/itineraries', { parts, wait: 0 }, key)
  const { id } = body.itinerary
  const { parts: made } = await becomes(id, 'asking')
  const bookingId: string = made[1].booking_id
  await eventually('the people to be asked', async () => {
    const { booking } = (await service.agent.get(`/api/bookings/${bookingId}`)).body
    return booking.status === 'pending' && booking.answer_by !== null
  })
  const page = `${await linkTo(service, parts[1]?.venue_id ?? '')}/bookings/${bookingId}`
  return { id, bookingId, page }
}

/** As if the group had last checked its bookings this many minutes ago. */
const age = (id: string, minutes: number) =>
  service.db.query(
    `update booking_group set next_action_at = next_action_at - make_interval(mins => $2)
     where id = $1`,
    [id, minutes],
  )

test('a group waits for the signals of its bookings, and polls nothing', async () => {
  const { id, page } = await askedItinerary()
  await answer(page, 'confirmed')
  await becomes(id, 'confirmed')
  const run = service.client.workflow.getHandle(`itinerary/${id}`)
  expect(await run.result()).toBe('confirmed')
  const { activity = 0, timer, signal } = await actionsOf(service.client, run.workflowId)
  // Both parts are held; then one venue is asked and confirms.
  expect({ activity, timer }).toEqual({ activity: 0, timer: expect.any(Number) })
  expect(timer).toBeLessThanOrEqual(4)
  expect(signal).toBeGreaterThanOrEqual(3)
  await recordHistory(run, 'itinerary.confirmed.by-signals')
})

test('the sweep makes up for a lost signal', async () => {
  const { db, client } = service
  const { id, bookingId } = await askedItinerary()
  // The worker that cancels the booking dies before the workflow learns of it.
  const start = await selectBookingStart(db, bookingId)
  const command = { id: randomUUIDv7(), bookingId, accountId: start.accountId, at: new Date() }
  await insertCommand(db, {
    ...command,
    kind: 'cancel',
    input: {},
    idempotencyKey: null,
    bodyHash: Buffer.from(''),
    guest: null,
    door: 'rest',
    fromAgent: null,
  })
  await runCommands(db, start, stepDeps, { commandIds: [], at: new Date() })
  expect((await itinerary(id)).status).toBe('asking')
  await age(id, 1)
  await runOnce(client, 'sweep')
  await becomes(id, 'failed')
})
