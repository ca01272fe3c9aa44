import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ConfirmFields, cancelOf, confirmOf, dateIn, statusOf } from './ask.ts'
import { type OpenSimulator, openSimulator } from './open-simulator.ts'

let simulator: OpenSimulator
beforeEach(async () => {
  simulator = await openSimulator()
})
afterEach(() => simulator?.close())

const wishOf = (fields: ConfirmFields = {}) =>
  confirmOf({ answer_url: simulator.network.answerUrl('saffron'), ...fields })
/** Requests a confirmation with this behaviour; returns the request and the response. */
const ask = async (behaviour: object, wish = wishOf()) => {
  await simulator.control('POST', '/script', { on: 'booking.confirm', do: behaviour })
  const { message } = await simulator.ask(wish)
  return { wish, message }
}
const status = async (bookingId: string) =>
  (await simulator.ask(statusOf(bookingId))).message.status
const history = async (bookingId: string) =>
  (await simulator.control('GET', `/book/${bookingId}`)).json.history
const posts = async (bookingId: string) =>
  (await history(bookingId)).filter(({ type }: any) => type.startsWith('post'))

describe('a later statement', () => {
  test.each(['confirmed', 'declined'])('after pending is %s, signed, newer', async (later) => {
    const { wish, message } = await ask({
      answer: 'pending',
      later: [{ status: later, after_ms: 50, reason: 'The chef says so' }],
    })
    expect(message.status).toBe('pending')
    const [statement] = await simulator.network.arrivals(1)
    expect(statement).toMatchObject({
      isSigned: true,
      message: { booking_id: wish.booking_id, revision: 2, status: later },
    })
    expect(statement?.message.answered_at > message.answered_at).toBe(true)
    expect(await status(wish.booking_id)).toBe(later)
  })

  test('can contradict the response: yes then no, no then yes', async () => {
    const yes = await ask({ later: [{ status: 'declined' }] })
    expect(yes.message.status).toBe('confirmed')
    await simulator.network.arrivals(1)
    const no = await ask({ answer: 'declined', later: [{ status: 'confirmed' }] })
    expect(no.message.status).toBe('declined')
    const received = await simulator.network.arrivals(2)
    expect(received.map(({ message }) => message.status)).toEqual(['declined', 'confirmed'])
    expect(await status(yes.wish.booking_id)).toBe('declined')
    expect(await status(no.wish.booking_id)).toBe('confirmed')
  })

  test('can be a yes after answer_by, even after the cancel', async () => {
    const answer_by = new Date(Date.now() + 500).toISOString()
    const { wish } = await ask(
      { answer: 'pending', later: [{ status: 'confirmed', after_answer_by_ms: 5_000 }] },
      wishOf({ answer_by }),
    )
    await simulator.ask(cancelOf(wish.booking_id, 5))
    const [late] = await simulator.network.arrivals(1)
    expect(late?.message).toMatchObject({ status: 'confirmed', revision: 5 })
    expect(Date.parse(late?.message.answered_at)).toBeGreaterThanOrEqual(
      Date.parse(answer_by) + 5_000,
    )
    expect((await simulator.ask(cancelOf(wish.booking_id, 5))).message.status).toBe('cancelled')
  })

  test('can be an older one that arrives late, which the books ignore', async () => {
    const { wish, message } = await ask({
      later: [{ status: 'pending', backdate_ms: 5000 }],
    })
    const [older] = await simulator.network.arrivals(1)
    expect(older?.message.status).toBe('pending')
    expect(Date.parse(message.answered_at) - Date.parse(older?.message.answered_at)).toBe(5000)
    expect(await status(wish.booking_id)).toBe('confirmed')
  })

  test('can carry a wrong revision or a wrong signature', async () => {
    await ask({
      answer: 'pending',
      later: [{ status: 'confirmed', revision_offset: -1, sign: 'wrong_secret' }],
    })
    const [statement] = await simulator.network.arrivals(1)
    expect(statement).toMatchObject({ isSigned: false, message: { revision: 1 } })
  })
})

test('a repeated statement is posted that many times under one webhook-id', async () => {
  const { message } = await ask({ repeat: 2 })
  const received = await simulator.network.arrivals(2)
  expect(received.map((post) => post.message)).toEqual([message, message])
  expect(new Set(received.map((post) => post.id)).size).toBe(1)
  expect(received.every((post) => post.isSigned)).toBe(true)
})

describe('a post of the venue', () => {
  const later = { answer: 'pending', later: [{ status: 'confirmed' }] }

  test.each([429, 503, 500])('answered %i is repeated after Retry-After, same id', async (code) => {
    simulator.network.answerNext({ status: code, headers: { 'retry-after': '0' } })
    const { wish } = await ask(later)
    const [first, second] = await simulator.network.arrivals(2)
    expect(second).toMatchObject({ id: first?.id, isSigned: true, message: first?.message })
    await expect.poll(() => posts(wish.booking_id)).toHaveLength(2)
    expect(await posts(wish.booking_id)).toMatchObject([
      { type: 'post confirmed', answered: String(code) },
      { type: 'post confirmed', answered: '200' },
    ])
  })

  test('is not repeated before the seconds of Retry-After are over', async () => {
    simulator.network.answerNext({ status: 503, headers: { 'retry-after': '1' } })
    await ask(later)
    const [first, second] = await simulator.network.arrivals(2)
    expect(Number(second?.at) - Number(first?.at)).toBeGreaterThanOrEqual(990)
  })

  test.each([400, 401, 404, 413, 422, 302])('answered %i is not repeated', async (code) => {
    simulator.network.answerNext({ status: code })
    const { wish } = await ask(later)
    const { wish: other } = await ask({ later: [{ status: 'declined' }] })
    await expect.poll(() => posts(other.booking_id)).toHaveLength(1)
    await expect.poll(() => posts(wish.booking_id)).toMatchObject([{ answered: String(code) }])
  })

  test('is repeated when the connection is refused', async () => {
    const { wish } = await ask(later, wishOf({ answer_url: 'http://127.0.0.1:9/nobody' }))
    await expect
      .poll(() => posts(wish.booking_id), { timeout: 30_000 })
      .toMatchObject([{ answered: 'no answer (TypeError)' }, { answered: 'no answer (TypeError)' }])
  })
})

describe('a venue that changes its mind', () => {
  test('states it, frees the seats, and posts its availability', async () => {
    const wish = wishOf({ party_size: 10 })
    const { message: yes } = await simulator.ask(wish)
    const { json } = await simulator.control('POST', `/book/${wish.booking_id}/cancel`, {
      reason: 'A burst pipe',
    })
    expect(json).toMatchObject({ status: 'cancelled', reason: 'A burst pipe', revision: 2 })
    const received = await simulator.network.arrivals(2)
    const of = (type: string) => received.find(({ message }) => message.type === type)
    expect(of('booking.state')).toMatchObject({
      isSigned: true,
      message: { booking_id: wish.booking_id, status: 'cancelled', reason: 'A burst pipe' },
    })
    expect(of('booking.state')?.message.answered_at > yes.answered_at).toBe(true)
    const slot = of('availability.state')?.message.slots.find(
      ({ slot_time }: any) => slot_time === wish.slot_time,
    )
    expect(slot).toMatchObject({ places_left: 40 })
    expect(await status(wish.booking_id)).toBe('cancelled')
  })

  test.each(['cancel', 'confirm'])(
    'is answered 404 to %s when it never had the booking',
    async (what) => {
      const answer = await simulator.control('POST', `/book/${randomUUID()}/${what}`)
      expect(answer.status).toBe(404)
    },
  )

  test('can confirm even a booking that it was told is over', async () => {
    const { wish } = await ask({ answer: 'declined' })
    await simulator.ask(cancelOf(wish.booking_id, 5))
    const { json } = await simulator.control('POST', `/book/${wish.booking_id}/confirm`)
    expect(json).toMatchObject({ status: 'confirmed', revision: 5 })
    const received = await simulator.network.arrivals(2)
    const states = received.filter(({ message }) => message.type === 'booking.state')
    expect(states).toMatchObject([
      { isSigned: true, message: { status: 'confirmed', revision: 5 } },
    ])
  })
})

test('a change of seats or full slots is pushed once a confirm has named the URL', async () => {
  const venue_id = randomUUID()
  const change = (path: string, what: object) =>
    simulator.control('POST', path, { venue_id, ...what })
  expect((await change('/seats', { seats: 8 })).json.pushed).toBe(false)
  const wish = wishOf({ venue_id, answer_url: simulator.network.answerUrl(venue_id) })
  await simulator.ask(wish)
  expect((await change('/seats', { seats: 6 })).json.pushed).toBe(true)
  const [first] = await simulator.network.arrivals(1)
  expect(first).toMatchObject({
    isSigned: true,
    message: { type: 'availability.state', venue_id },
  })
  const slot = first?.message.slots.find(({ slot_time }: any) => slot_time === wish.slot_time)
  expect(slot).toMatchObject({ places_left: 2, party_max: 2 })

  const full = `${dateIn(4)}T12:00:00`
  await change('/full', { slot_times: [full] })
  const [, second] = await simulator.network.arrivals(2)
  expect(second?.message.as_of > first?.message.as_of).toBe(true)
  expect(second?.message.slots.map(({ slot_time }: any) => slot_time)).not.toContain(full)
})
