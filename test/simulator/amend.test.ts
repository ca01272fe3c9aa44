import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cancelOf, confirmOf, statusOf } from './ask.ts'
import { type OpenSimulator, openSimulator } from './open-simulator.ts'

let simulator: OpenSimulator
beforeAll(async () => {
  simulator = await openSimulator()
})
afterAll(() => simulator?.close())

const ask = async (message: object) => {
  const answer = await simulator.ask(message)
  expect(answer).toMatchObject({ status: 200, isSigned: true })
  return answer.message
}

const amendOf = (wish: Parameters<typeof confirmOf>[0]) => ({
  ...confirmOf({ revision: 4, ...wish }),
  type: 'booking.amend',
})

/** The amend message that restores the booking after an abandoned change. */
const backOf = (wish: Parameters<typeof confirmOf>[0]) => ({ ...amendOf(wish), answer_by: null })

/** A confirmed booking for four at 19:00, at a new venue with 10 seats. */
async function booked() {
  const venue_id = randomUUID()
  await simulator.control('POST', '/seats', { venue_id, seats: 10 })
  const wish = confirmOf({ venue_id })
  const yes = await ask(wish)
  const { booking_id } = wish
  return { venue_id, booking_id, yes }
}

const book = async (id: string) => (await simulator.control('GET', `/book/${id}`)).json

test('a yes to a change frees the old slot, and a repeat gets the same response', async () => {
  const { yes, ...ids } = await booked()
  const change = amendOf({ ...ids, time: '20:00:00', party_size: 9 })
  const agreed = await ask(change)
  expect(agreed).toMatchObject({ status: 'confirmed', revision: 4, reference: yes.reference })
  expect(agreed.answered_at > yes.answered_at).toBe(true)
  expect(await ask(change)).toEqual(agreed)
  expect(await book(ids.booking_id)).toMatchObject({ revision: 4, stay: { party_size: 9 } })
  const { venue_id } = ids
  expect(await ask(confirmOf({ venue_id, time: '18:30:00', party_size: 10 }))).toMatchObject({
    status: 'confirmed',
  })
})

test('a no to a change keeps the old slot, and a status request reports the change', async () => {
  const { venue_id, booking_id } = await booked()
  const other = confirmOf({ venue_id, time: '21:00:00', party_size: 8 })
  expect(await ask(other)).toMatchObject({ status: 'confirmed' })
  const no = await ask(amendOf({ venue_id, booking_id, time: '21:00:00' }))
  expect(no).toMatchObject({ status: 'declined', revision: 4, reason: expect.any(String) })
  expect(await ask(statusOf(booking_id))).toEqual(no)
  expect(await book(booking_id)).toMatchObject({
    status: 'confirmed',
    revision: 2,
    change: { revision: 4, status: 'declined' },
  })
  expect(await ask(confirmOf({ venue_id, party_size: 7 }))).toMatchObject({ status: 'declined' })
  const back = await ask(backOf({ venue_id, booking_id, revision: 5 }))
  expect(back).toMatchObject({ status: 'confirmed', revision: 5 })
})

test('a restored booking is confirmed even when full, unless its slot was given away', async () => {
  const { venue_id, booking_id } = await booked()
  const full = { venue_id, slot_times: [confirmOf().slot_time] }
  await simulator.control('POST', '/full', full)
  await simulator.control('POST', '/script', { on: 'booking.amend', do: { answer: 'pending' } })
  expect(await ask(amendOf({ venue_id, booking_id, time: '20:00:00' }))).toMatchObject({
    status: 'pending',
    revision: 4,
  })
  expect(await ask(backOf({ venue_id, booking_id, revision: 5 }))).toMatchObject({
    status: 'confirmed',
    revision: 5,
  })
  await ask(amendOf({ venue_id, booking_id, revision: 6, time: '20:00:00' }))
  expect(await ask(backOf({ venue_id, booking_id, revision: 7 }))).toMatchObject({
    status: 'declined',
    revision: 7,
  })
  expect(await ask(cancelOf(booking_id, 8, venue_id))).toMatchObject({
    status: 'cancelled',
    revision: 8,
  })
})

test('a late change is declined; one to a cancelled booking leaves it cancelled', async () => {
  const { venue_id, booking_id } = await booked()
  const late = amendOf({ venue_id, booking_id, answer_by: '2020-01-01T00:00:00.000Z' })
  expect(await ask(late)).toMatchObject({ status: 'declined', revision: 4 })
  await ask(cancelOf(booking_id, 5, venue_id))
  expect(await ask(amendOf({ venue_id, booking_id, revision: 6 }))).toMatchObject({
    status: 'cancelled',
    revision: 6,
  })
  expect(await ask(amendOf({ venue_id }))).toMatchObject({ status: 'confirmed', revision: 4 })
})
