import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cancelOf, confirmOf, readOf, statusOf } from './ask.ts'
import { isSigned } from './fake-network.ts'
import { type OpenSimulator, openSimulator } from './open-simulator.ts'

let simulator: OpenSimulator
beforeAll(async () => {
  simulator = await openSimulator()
})
afterAll(() => simulator?.close())

const plan = async (...rules: object[]) => {
  const answer = await simulator.control('POST', '/script', rules)
  expect(answer.status).toBe(200)
}
/** Makes the next message of this type about this booking misbehave. */
const next = (booking_id: string, on: string, behaviour: object) =>
  plan({ booking_id, on, do: behaviour })
const status = async (bookingId: string) =>
  (await simulator.ask(statusOf(bookingId))).message.status

describe('the plan', () => {
  test('is echoed, consumed in order, and empty once cleared', async () => {
    const venue_id = randomUUID()
    const rules = [
      { venue_id, on: 'booking.confirm', do: { answer: 'declined', reason: 'No' }, times: 2 },
      { venue_id, on: 'booking.confirm', do: { answer: 'pending' } },
    ]
    const { json } = await simulator.control('POST', '/script', rules)
    expect(json).toEqual({ planned: [rules[0], { ...rules[1], times: 1 }] })
    const answers: unknown[] = []
    for (let call = 0; call < 4; call += 1)
      answers.push((await simulator.ask(confirmOf({ venue_id }))).message.status)
    expect(answers).toEqual(['declined', 'declined', 'pending', 'confirmed'])

    await plan({ on: 'booking.confirm', do: { answer: 'declined' } })
    expect((await simulator.control('GET', '/script')).json.planned).toHaveLength(1)
    expect((await simulator.control('DELETE', '/script')).json).toEqual({ planned: [] })
    expect((await simulator.ask(confirmOf())).message.status).toBe('confirmed')
  })

  test('affects only the venue, the booking and the message type that it names', async () => {
    const wish = confirmOf()
    await next(wish.booking_id, 'booking.status', { answer: 'unknown' })
    await plan({ venue_id: 'elsewhere', on: 'booking.confirm', do: { answer: 'declined' } })
    expect((await simulator.ask(wish)).message.status).toBe('confirmed')
    expect((await simulator.ask(confirmOf())).message.status).toBe('confirmed')
    expect(await status(wish.booking_id)).toBe('unknown')
    expect(await status(wish.booking_id)).toBe('confirmed')
    await simulator.control('DELETE', '/script')
  })

  test.each([
    ['an unknown behaviour', { on: 'booking.confirm', do: { dance: true } }],
    ['an unknown message', { on: 'booking.dance', do: {} }],
    ['an exit without a crash', { on: 'booking.confirm', do: { exit: true } }],
    ['nothing', undefined],
  ])('is refused with 400 for %s', async (_, rule) => {
    expect(await simulator.control('POST', '/script', rule)).toMatchObject({ status: 400 })
    expect((await simulator.control('GET', '/script')).json.planned).toEqual([])
  })
})

test('accepts every documented command', async () => {
  const page = readFileSync(
    join(import.meta.dirname, '../../docs/protocols/venue-simulator.md'),
    'utf8',
  )
  const rules = [...page.matchAll(/(?:say |\/script .* -d )'([^']+)'/g)].map(([, json = '']) =>
    JSON.parse(json),
  )
  expect(rules).toHaveLength(19)
  for (const rule of rules)
    expect(await simulator.control('POST', '/script', rule)).toMatchObject({ status: 200 })
  await simulator.control('DELETE', '/script')
})

describe('a scripted answer', () => {
  test('declined gives its reason and takes no seat', async () => {
    const wish = confirmOf()
    await next(wish.booking_id, 'booking.confirm', { answer: 'declined', reason: 'A wedding' })
    const { message } = await simulator.ask(wish)
    expect(message).toMatchObject({ status: 'declined', reason: 'A wedding' })
    expect((await simulator.ask(wish)).message).toEqual(message)
  })

  test('pending stays pending, however often it is asked', async () => {
    const wish = confirmOf()
    await next(wish.booking_id, 'booking.confirm', { answer: 'pending' })
    expect((await simulator.ask(wish)).message.status).toBe('pending')
    expect((await simulator.ask(wish)).message.status).toBe('pending')
    expect(await status(wish.booking_id)).toBe('pending')
  })

  test('to a repeated request can decide a pending one', async () => {
    const wish = confirmOf()
    await next(wish.booking_id, 'booking.confirm', { answer: 'pending' })
    await simulator.ask(wish)
    await next(wish.booking_id, 'booking.confirm', { answer: 'confirmed' })
    expect((await simulator.ask(wish)).message.status).toBe('confirmed')
    expect(await status(wish.booking_id)).toBe('confirmed')
  })

  test('to a cancel only lies: the booking is cancelled anyway', async () => {
    const wish = confirmOf()
    await simulator.ask(wish)
    await next(wish.booking_id, 'booking.cancel', { answer: 'confirmed' })
    expect((await simulator.ask(cancelOf(wish.booking_id))).message.status).toBe('confirmed')
    expect(await status(wish.booking_id)).toBe('cancelled')
  })

  test('waits latency_ms, after it was recorded', async () => {
    const wish = confirmOf()
    await next(wish.booking_id, 'booking.confirm', { latency_ms: 400 })
    const begin = performance.now()
    const answer = simulator.ask(wish)
    await simulator.ask(statusOf(wish.booking_id))
    expect((await answer).message.status).toBe('confirmed')
    expect(performance.now() - begin).toBeGreaterThanOrEqual(399)
  })

  test('has a wrong revision or an older time if instructed; the books stay right', async () => {
    const wish = confirmOf()
    const fault = { revision_offset: -1, backdate_ms: 60_000 }
    await next(wish.booking_id, 'booking.confirm', fault)
    const { message: wrong } = await simulator.ask(wish)
    const { message: right } = await simulator.ask(statusOf(wish.booking_id))
    expect(wrong.revision).toBe(1)
    expect(right.revision).toBe(2)
    expect(Date.parse(right.answered_at) - Date.parse(wrong.answered_at)).toBe(60_000)
  })

  test('misbehaves for availability requests too', async () => {
    const venue_id = randomUUID()
    await plan({ venue_id, on: 'availability.read', do: { sign: 'wrong_secret' } })
    expect(await simulator.ask(readOf(venue_id))).toMatchObject({ status: 200, isSigned: false })
    expect(await simulator.ask(readOf(venue_id))).toMatchObject({ status: 200, isSigned: true })
  })
})

describe('a failed call', () => {
  test.each([
    ['crash_before', 'unknown'],
    ['crash_during', 'confirmed'],
    ['crash_after', 'confirmed'],
  ])('%s loses the connection, and the books say %s', async (fail, stands) => {
    const wish = confirmOf()
    await next(wish.booking_id, 'booking.confirm', { fail })
    await expect(simulator.ask(wish)).rejects.toThrow(/fetch failed|terminated/)
    expect(await status(wish.booking_id)).toBe(stands)
    expect((await simulator.ask(wish)).message.status).toBe('confirmed')
  })

  test('crash_during has sent the status and half of the body', async () => {
    const wish = confirmOf()
    await next(wish.booking_id, 'booking.confirm', { fail: 'crash_during' })
    await expect(simulator.ask(wish)).rejects.toThrow('terminated')
  })

  test('crash with exit ends the process with code 70', async () => {
    const wish = confirmOf()
    await next(wish.booking_id, 'booking.confirm', { fail: 'crash_after', exit: true })
    await expect(simulator.ask(wish)).rejects.toThrow()
    expect(simulator.log.at(-1)).toBe('exit 70')
  })

  test.each([
    ['hang', 'unknown'],
    ['hang_after', 'confirmed'],
  ])('%s never answers, and the books say %s', async (fail, stands) => {
    const wish = confirmOf()
    await next(wish.booking_id, 'booking.confirm', { fail })
    const answers: string[] = []
    simulator.ask(wish).then(
      () => answers.push('answered'),
      () => answers.push('closed'),
    )
    await expect
      .poll(() => simulator.log.filter((line) => line.includes(wish.booking_id)))
      .toHaveLength(1)
    expect(await status(wish.booking_id)).toBe(stands)
    expect(answers).toEqual([])
  })

  test.each([
    ['status_500', 500],
    ['status_503', 503],
    ['redirect', 307],
  ])('%s answers that status and records nothing', async (fail, code) => {
    const wish = confirmOf()
    await next(wish.booking_id, 'booking.confirm', { fail })
    const answer = await simulator.ask(wish)
    expect(answer).toMatchObject({ status: code, isSigned: false })
    if (fail === 'redirect') expect(answer.headers.get('location')).toBe('/venues/any')
    expect(await status(wish.booking_id)).toBe('unknown')
  })

  test('garbage is correctly signed but not JSON', async () => {
    const wish = confirmOf()
    await next(wish.booking_id, 'booking.confirm', { fail: 'garbage' })
    const answer = await simulator.ask(wish)
    expect(answer).toMatchObject({ status: 200, isSigned: true })
    expect(() => answer.message).toThrow()
  })

  test('huge is a correctly signed statement of 2 MB', async () => {
    const wish = confirmOf()
    await next(wish.booking_id, 'booking.confirm', { fail: 'huge' })
    const answer = await simulator.ask(wish)
    expect(answer).toMatchObject({ status: 200, isSigned: true })
    expect(answer.text.length).toBeGreaterThan(2_000_000)
  })
})

test.each(['wrong_signature', 'wrong_secret', 'old_timestamp', 'other_message', 'unsigned'])(
  'the library refuses a response with signature fault %s, though it was booked',
  async (fault) => {
    const wish = confirmOf()
    await next(wish.booking_id, 'booking.confirm', { sign: fault })
    const answer = await simulator.ask(wish)
    expect(answer).toMatchObject({ status: 200, isSigned: false })
    expect(answer.headers.has('webhook-id')).toBe(fault !== 'unsigned')
    expect(await status(wish.booking_id)).toBe('confirmed')
  },
)

test('a response with other_id is correctly signed, but for another message', async () => {
  const wish = confirmOf()
  await next(wish.booking_id, 'booking.confirm', { sign: 'other_id' })
  const answer = await simulator.ask(wish)
  expect(answer.isSigned).toBe(false)
  expect(isSigned(answer.text, Object.fromEntries(answer.headers))).toBe(true)
})
