import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

describe('booking.confirm', () => {
  test('is answered confirmed, signed, with the requested id and revision', async () => {
    const wish = confirmOf({ revision: 7 })
    const before = Date.now()
    const state = await ask(wish)
    expect(state).toEqual({
      type: 'booking.state',
      booking_id: wish.booking_id,
      revision: 7,
      status: 'confirmed',
      answered_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      reference: expect.stringMatching(/^T-\d+$/),
      reason: null,
    })
    expect(Date.parse(state.answered_at)).toBeGreaterThanOrEqual(before)
  })

  test('that is repeated gets the identical response and takes no more seats', async () => {
    const venue_id = randomUUID()
    const wish = confirmOf({ venue_id, party_size: 12 })
    const first = await ask(wish)
    const [second, third] = await Promise.all([ask(wish), ask(wish)])
    expect([second, third]).toEqual([first, first])
    const others = [1, 2, 3].map((party) => confirmOf({ venue_id, party_size: party * 4 }))
    for (const other of others) expect(await ask(other)).toMatchObject({ status: 'confirmed' })
    expect(await ask(confirmOf({ venue_id, party_size: 5 }))).toMatchObject({ status: 'declined' })
  })

  test('is declined with a reason when overlapping parties leave too few seats', async () => {
    const venue_id = randomUUID()
    await simulator.control('POST', '/seats', { venue_id, seats: 10 })
    const at = (time: string, party_size: number) =>
      ask(confirmOf({ venue_id, time, party_size, minutes: 60 }))
    expect(await at('18:00:00', 8)).toMatchObject({ status: 'confirmed' })
    expect(await at('18:45:00', 3)).toMatchObject({
      status: 'declined',
      reason: 'We are full at this time',
    })
    expect(await at('19:00:00', 8)).toMatchObject({ status: 'confirmed' })
    expect(await at('18:30:00', 2)).toMatchObject({ status: 'confirmed' })
  })

  test.each([
    ['a party of 13', { party_size: 13 }],
    ['a time off the quarter hours', { time: '19:10:00' }],
    ['a time before 06:00', { time: '05:45:00' }],
    ['a request whose answer_by has passed', { answer_by: '2020-01-01T00:00:00.000Z' }],
    ['a stay that ends before it begins', { minutes: -30 }],
  ])('is declined for %s', async (_, wish) => {
    const state = await ask(confirmOf(wish))
    expect(state).toMatchObject({ status: 'declined', reason: expect.any(String) })
  })

  test('with a higher revision is a new request, not blocked by the booking itself', async () => {
    const venue_id = randomUUID()
    await simulator.control('POST', '/seats', { venue_id, seats: 6 })
    const wish = confirmOf({ venue_id, party_size: 4 })
    const first = await ask(wish)
    const more = await ask({ ...wish, revision: 3, party_size: 6 })
    expect(more).toMatchObject({ status: 'confirmed', revision: 3, reference: first.reference })
    expect(more.answered_at > first.answered_at).toBe(true)
    expect(await ask(wish)).toEqual(more)
  })
})

describe('booking.status', () => {
  test('is answered from the books and changes nothing', async () => {
    const wish = confirmOf()
    const state = await ask(wish)
    expect(await ask(statusOf(wish.booking_id))).toEqual(state)
    expect(await ask(statusOf(wish.booking_id))).toEqual(state)
  })

  test('of an unheard-of booking is unknown with revision 0, and records nothing', async () => {
    const wish = confirmOf()
    const unknown = { status: 'unknown', revision: 0, booking_id: wish.booking_id }
    expect(await ask(statusOf(wish.booking_id))).toMatchObject(unknown)
    expect(await ask(statusOf(wish.booking_id))).toMatchObject(unknown)
    expect(await ask(wish)).toMatchObject({ status: 'confirmed' })
  })
})

describe('booking.cancel', () => {
  test('frees the seats and is answered cancelled, also when repeated', async () => {
    const venue_id = randomUUID()
    await simulator.control('POST', '/seats', { venue_id, seats: 4 })
    const wish = confirmOf({ venue_id })
    const yes = await ask(wish)
    expect(await ask(confirmOf({ venue_id }))).toMatchObject({ status: 'declined' })
    const over = await ask(cancelOf(wish.booking_id, 4, venue_id))
    expect(over).toMatchObject({ status: 'cancelled', revision: 4, reference: yes.reference })
    expect(over.answered_at > yes.answered_at).toBe(true)
    expect(await ask(cancelOf(wish.booking_id, 4, venue_id))).toEqual(over)
    expect(await ask(confirmOf({ venue_id }))).toMatchObject({ status: 'confirmed' })
  })

  test('of an unknown id is remembered: a later confirm is answered cancelled', async () => {
    const wish = confirmOf({ revision: 2 })
    const over = await ask(cancelOf(wish.booking_id, 4))
    expect(over).toMatchObject({ status: 'cancelled', revision: 4 })
    expect(await ask(wish)).toEqual(over)
    expect(await ask(statusOf(wish.booking_id))).toEqual(over)
  })

  test('is final: neither a repeated nor a newer confirm revives the booking', async () => {
    const wish = confirmOf()
    await ask(wish)
    await ask(cancelOf(wish.booking_id, 4))
    expect(await ask(wish)).toMatchObject({ status: 'cancelled', revision: 4 })
    expect(await ask({ ...wish, revision: 5 })).toMatchObject({ status: 'cancelled', revision: 5 })
  })
})

test('the book shows each request, response and time, without the guest', async () => {
  const wish = confirmOf()
  await ask(wish)
  await ask(statusOf(wish.booking_id))
  await ask(cancelOf(wish.booking_id))
  const { json } = await simulator.control('GET', `/book/${wish.booking_id}`)
  expect(json).toMatchObject({ status: 'cancelled', revision: 4, stay: { party_size: 4 } })
  const at = expect.stringMatching(/^\d{4}-.*Z$/)
  expect(json.history).toEqual([
    { at, type: 'booking.confirm', revision: 2, answered: 'confirmed' },
    { at, type: 'booking.status', revision: null, answered: 'confirmed' },
    { at, type: 'booking.cancel', revision: 4, answered: 'cancelled' },
  ])
  const { json: book } = await simulator.control('GET', '/book')
  expect(book.bookings).toContainEqual(json)
  for (const text of [JSON.stringify(book), simulator.log.join('\n')])
    for (const secret of ['Ayu', '+62', 'ayu@', 'window']) expect(text).not.toContain(secret)
})

test('the log has one line for each message', async () => {
  const wish = confirmOf({ venue_id: 'saffron' })
  const lines = simulator.log.length
  await ask(wish)
  expect(simulator.log.slice(lines)).toEqual([
    expect.stringMatching(
      `Z booking.confirm venue="saffron" booking="${wish.booking_id}" revision=2 → confirmed$`,
    ),
  ])
})

test('the book has 404 for an unnamed booking, and unknown for one only asked about', async () => {
  const id = randomUUID()
  expect(await simulator.control('GET', `/book/${id}`)).toMatchObject({ status: 404 })
  await ask(statusOf(id))
  expect((await simulator.control('GET', `/book/${id}`)).json).toMatchObject({
    status: 'unknown',
    history: [{ type: 'booking.status', answered: 'unknown' }],
  })
})
