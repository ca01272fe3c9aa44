import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { applyVenueResponses } from '../../src/confirmation/steps/apply-venue-responses.ts'
import { answerNotice, type NoticeAnswer } from '../../src/notices/steps/answer-notice.ts'
import { removePerson } from '../../src/notices/store/people.ts'
import { notify } from '../support/notices.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'
import { appliesAtOnce, staffAllDay } from '../support/venue-people.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
  appliesAtOnce(doors)
  await staffAllDay(doors.db, 'restaurant')
})
afterAll(() => doors?.close())

/** A request of which two people were notified. */
async function request() {
  const start = await requestDaysAhead(doors.db)
  await decideBooking(doors.db, start, stepDeps, new Date())
  return { start, ketut: await told(start, 'Ketut'), made: await told(start, 'Made') }
}
const told = (start: BookingStart, name: string) =>
  notify(doors, { name, venueId: start.venueId, bookingId: start.bookingId })

const press = (attemptId: string, answer: NoticeAnswer, pressId: string = randomUUID()) =>
  answerNotice({ db: doors.db, engine: doors.engine }, { attemptId, pressId, answer }, new Date())
const accept = { act: 'accept' } as const
const decline = { act: 'decline', reason: 'full' } as const

const responses = async ({ bookingId }: BookingStart) =>
  (await doors.db.query('select person_id from venue_response where booking_id = $1', [bookingId]))
    .rows

test('a press decides once, and later presses hear who decided', async () => {
  const { start, ketut, made } = await request()
  const pressId = randomUUID()
  const accepted = { outcome: 'accepted', status: 'confirmed', decidedBy: 'Ketut' }
  expect(await press(ketut.attemptId, accept, pressId)).toEqual(accepted)
  expect(await press(ketut.attemptId, accept, pressId)).toEqual(accepted)
  const decided = { ...accepted, outcome: 'decided' }
  expect(await press(ketut.attemptId, accept)).toEqual(decided)
  expect(await press(made.attemptId, decline)).toEqual(decided)
  expect(await responses(start)).toEqual([{ person_id: ketut.personId }])
})

test('of two phones that press at once, one decides', async () => {
  const { ketut, made } = await request()
  const both = [press(ketut.attemptId, accept), press(made.attemptId, decline)]
  const results = await Promise.all(both)
  expect(new Set(results.map(({ status }) => status)).size).toBe(1)
  expect(results.map(({ outcome }) => outcome)).toContain('decided')
})

test('the first of two answers counts, however late they are applied', async () => {
  const { start, ketut, made } = await request()
  const { venueResponded } = doors.engine
  doors.engine.venueResponded = () => Promise.reject(new Error('Temporal is away'))
  try {
    expect(await press(ketut.attemptId, accept)).toMatchObject({ outcome: 'recorded' })
    expect(await press(made.attemptId, decline)).toMatchObject({ outcome: 'decided' })
  } finally {
    doors.engine.venueResponded = venueResponded
  }
  await applyVenueResponses(doors.db, start, stepDeps, new Date())
  const { rows } = await doors.db.query('select status from booking where id = $1', [
    start.bookingId,
  ])
  expect(rows).toEqual([{ status: 'confirmed' }])
})

test('however many offers have failed, an answer is stored', async () => {
  const { start, ketut } = await request()
  await doors.db.query(
    `insert into venue_response (booking_id, id, revision, status, answered_at, received_at,
       offered_slot_time, effect)
     select $1, 'notice_' || n, 0, 'offered', now() - n * interval '1 minute', now(),
       '2027-01-01 03:07', 'slot_unavailable' from generate_series(1, 200) n`,
    [start.bookingId],
  )
  const offer = { act: 'offer', slotTime: '2027-01-01T03:07:00' } as const
  expect(await press(ketut.attemptId, offer)).toMatchObject({ outcome: 'taken' })
  expect(await press(ketut.attemptId, accept)).toMatchObject({ outcome: 'accepted' })
})

test('a press changes nothing once its message is out of date', async () => {
  const { start, ketut, made } = await request()
  const set = (columns: string) =>
    doors.db.query(`update notice set ${columns} where id = $1`, [ketut.noticeId])
  await set('revision = revision + 1')
  expect(await press(ketut.attemptId, accept)).toMatchObject({ outcome: 'changed' })
  await set('revision = revision - 1, answer_by = now()')
  expect(await press(ketut.attemptId, accept)).toMatchObject({ outcome: 'late' })
  await set(`answer_by = null, created_at = now() - interval '8 days'`)
  expect(await press(ketut.attemptId, accept)).toMatchObject({ outcome: 'gone' })
  await removePerson(doors.db, made.personId, new Date())
  expect(await press(made.attemptId, accept)).toMatchObject({ outcome: 'gone', status: 'pending' })
  expect(await press(randomUUID(), accept)).toMatchObject({ outcome: 'gone', status: null })
  expect(await responses(start)).toEqual([])
})

test('an offer needs a time that is free', async () => {
  const { ketut } = await request()
  const at = (slotTime: string) => press(ketut.attemptId, { act: 'offer', slotTime })
  expect(await at('2027-99-99T03:07:00')).toMatchObject({ outcome: 'taken', status: 'pending' })
  expect(await at('2027-01-01T03:07:00')).toMatchObject({ outcome: 'taken', status: 'pending' })
})
