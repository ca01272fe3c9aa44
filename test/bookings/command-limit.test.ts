import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Agent, agentWith } from '../support/agent.ts'
import { everyDoorTo } from '../support/every-door.ts'
import { type Doors, type Holder, openDoors } from '../support/open-doors.ts'
import { writeRequest } from '../support/requests.ts'

const OPEN = 20
const A_DAY = 100

let doors: Doors
let holder: Holder
let agent: Agent
let booking: string

beforeAll(async () => {
  doors = await openDoors()
  holder = await doors.openAccount('pro')
  agent = agentWith(doors.url, holder.accountId, holder.key)
})
afterAll(() => doors?.close())

beforeEach(async () => {
  const { rows } = await doors.db.query('select id from venue order by slug limit 1')
  booking = randomUUID()
  const slot = { venueId: rows[0].id, slotTime: '2027-01-15T19:00:00', partySize: 2 }
  await writeRequest(doors.db, { bookingId: booking, ...holder, ...slot }, new Date())
})

const amend = (headers = {}) => agent.patch(`/api/bookings/${booking}`, { party_size: 3 }, headers)
const cancel = () => agent.post(`/api/bookings/${booking}/cancel`, {})
const stored = async () =>
  (await doors.db.query('select from command where booking_id = $1', [booking])).rowCount

/** Adds commands that were answered this many minutes ago. */
const addAnswered = (count: number, minutesAgo: number) =>
  doors.db.query(
    `insert into command (id, booking_id, kind, input, door, created_at, answer)
     select gen_random_uuid(), $1, 'amend', '{}', 'rest', now() - make_interval(mins => $3), '{}'
     from generate_series(1, $2)`,
    [booking, count, minutesAgo],
  )

test('of many concurrent commands twenty are accepted; a repeated one is answered', async () => {
  const keyed = { 'idempotency-key': randomUUID() }
  expect((await amend(keyed)).status).toBe(202)
  const answers = await Promise.all(Array.from({ length: 2 * OPEN }, () => amend()))
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(OPEN - 1)
  expect(await stored()).toBe(OPEN)
  const refused = answers.find(({ status }) => status !== 202)
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'command_limit', booking_id: booking, retryable: true, retry_after: 5 },
  })
  expect(refused?.headers.get('retry-after')).toBe('5')
  expect((await amend(keyed)).status).toBe(202)
})

test('a refused command leaves its idempotency key unused', async () => {
  for (let n = 0; n < OPEN; n += 1) await amend()
  const keyed = { 'idempotency-key': randomUUID() }
  expect((await amend(keyed)).body.code).toBe('command_limit')
  await doors.db.query(`update command set answer = '{}' where booking_id = $1`, [booking])
  expect((await amend(keyed)).status).toBe(202)
})

test('commands that end a booking are counted separately', async () => {
  for (let n = 0; n < OPEN; n += 1) await amend()
  expect((await cancel()).status).toBe(202)
  for (let n = 1; n < OPEN; n += 1) await cancel()
  expect((await cancel()).body.code).toBe('command_limit')
})

test('a booking accepts a hundred commands within 24 hours', async () => {
  await addAnswered(A_DAY, 25 * 60)
  await addAnswered(1, 23 * 60)
  await addAnswered(A_DAY - 2, 10)
  expect((await amend()).status).toBe(202)
  const { body } = await amend()
  expect(body.code).toBe('command_limit')
  expect(body.retry_after).toBeGreaterThan(58 * 60)
  expect(body.retry_after).toBeLessThanOrEqual(60 * 60)
})

test.each([
  ['an amendment', 'booking.amend', { party_size: 3 }],
  ['a cancellation', 'booking.cancel', {}],
])('%s over the limit is refused in the same way at every door', async (_, intent, input) => {
  await addAnswered(A_DAY, 10)
  await doors.db.query(
    `insert into command (id, booking_id, kind, input, door, created_at, answer)
     select gen_random_uuid(), $1, 'cancel', '{}', 'rest', now(), '{}' from generate_series(1, $2)`,
    [booking, A_DAY],
  )
  for (const [, send] of everyDoorTo(intent)) {
    const answer = await send(doors, holder.key, { id: booking, ...input })
    expect(answer).toMatchObject({ code: 'command_limit', body: { booking_id: booking } })
    expect(answer.message).toContain('Cancelling and releasing are counted separately.')
  }
})
