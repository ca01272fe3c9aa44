import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cancelOf, confirmOf, dateIn, readOf } from './ask.ts'
import { type OpenSimulator, openSimulator } from './open-simulator.ts'

let simulator: OpenSimulator
beforeAll(async () => {
  simulator = await openSimulator()
})
afterAll(() => simulator?.close())

const read = async (venueId: string, from?: string, to?: string) => {
  const answer = await simulator.ask(readOf(venueId, from, to))
  expect(answer).toMatchObject({ status: 200, isSigned: true })
  return answer.message
}
const placesAt = (state: any, slotTime: string) =>
  state.slots.find((slot: any) => slot.slot_time === slotTime)?.places_left

test('an unconfigured venue has 40 seats every 15 minutes from 06:00 to 23:45', async () => {
  const venue_id = randomUUID()
  const [from, to] = [dateIn(1), dateIn(14)]
  const state = await read(venue_id, from, to)
  expect(state).toMatchObject({ type: 'availability.state', venue_id, from, to })
  expect(state.slots).toHaveLength(14 * 72)
  expect(new Set(state.slots.map((slot: any) => slot.slot_time)).size).toBe(14 * 72)
  expect(state.slots[0]).toEqual({
    slot_time: `${from}T06:00:00`,
    party_min: 1,
    party_max: 12,
    places_left: 40,
  })
  expect(state.slots.at(-1).slot_time).toBe(`${to}T23:45:00`)
})

test('a booking occupies every time that overlaps its stay until it is cancelled', async () => {
  const venue_id = randomUUID()
  const wish = confirmOf({ venue_id, party_size: 10, time: '19:00:00', minutes: 60 })
  await simulator.ask(wish)
  const day = dateIn(3)
  const places = async () => {
    const state = await read(venue_id, day, day)
    return ['17:30', '17:45', '19:45', '20:00'].map((at) => placesAt(state, `${day}T${at}:00`))
  }
  expect(await places()).toEqual([40, 30, 30, 40])
  await simulator.ask(cancelOf(wish.booking_id, 4, venue_id))
  expect(await places()).toEqual([40, 40, 40, 40])
})

test('max_party is what still fits, and a full time is not listed', async () => {
  const venue_id = randomUUID()
  await simulator.control('POST', '/seats', { venue_id, seats: 12 })
  const day = dateIn(3)
  await simulator.ask(confirmOf({ venue_id, party_size: 9, time: '12:00:00' }))
  await simulator.ask(confirmOf({ venue_id, party_size: 12, time: '19:00:00' }))
  const { slots } = await read(venue_id, day, day)
  expect(slots.find((slot: any) => slot.slot_time === `${day}T12:00:00`)).toMatchObject({
    party_max: 3,
    places_left: 3,
  })
  expect(slots.map((slot: any) => slot.slot_time)).not.toContain(`${day}T19:00:00`)
})

test('a stay past midnight occupies the next day too', async () => {
  const venue_id = randomUUID()
  const late = confirmOf({ venue_id, party_size: 5, time: '23:45:00', minutes: 500 })
  await simulator.ask(late)
  const state = await read(venue_id, dateIn(4), dateIn(4))
  expect(placesAt(state, `${dateIn(4)}T06:00:00`)).toBe(35)
  expect(placesAt(state, `${dateIn(4)}T08:15:00`)).toBe(40)
})

test('times that have begun by the venue’s clock are omitted', async () => {
  const venue_id = randomUUID()
  const [from, to] = [dateIn(-3), dateIn(-2)]
  expect((await read(venue_id, from, to)).slots).toHaveLength(0)
})

test('slots set to full are neither listed nor confirmed until they are opened', async () => {
  const venue_id = randomUUID()
  const slotTime = `${dateIn(3)}T19:00:00`
  const full = await simulator.control('POST', '/full', { venue_id, slot_times: [slotTime] })
  expect(full.json).toEqual({ venue_id, seats: 40, full: [slotTime], pushed: false })
  expect(placesAt(await read(venue_id), slotTime)).toBeUndefined()
  expect((await simulator.ask(confirmOf({ venue_id }))).message.status).toBe('declined')
  await simulator.control('POST', '/full', { venue_id, slot_times: [slotTime], full: false })
  expect(placesAt(await read(venue_id), slotTime)).toBe(40)
})

test('each reading has a later as_of than the last', async () => {
  const states = await Promise.all(Array.from({ length: 5 }, () => read('saffron')))
  expect(new Set(states.map((state) => state.as_of)).size).toBe(5)
})

test.each([
  ['15 days', dateIn(1), dateIn(15)],
  ['dates in reverse order', dateIn(2), dateIn(1)],
  ['no dates', 'soon', 'later'],
])('a request for %s is answered 400', async (_, from, to) => {
  expect(await simulator.ask(readOf('saffron', from, to))).toMatchObject({ status: 400 })
})
