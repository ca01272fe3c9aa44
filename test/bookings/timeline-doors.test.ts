import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { openBooking } from '../../src/bookings/steps/open-booking.ts'
import {
  addKey,
  bearer,
  type Doors,
  jsonOf,
  openDoors,
  postEnvelope,
} from '../support/open-doors.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'

const script = resolve(import.meta.dirname, '../../docs/protocols/verify-timeline.mjs')
const folder = mkdtempSync(join(tmpdir(), 'timeline-'))
let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await doors.close()
})

const read = async ({ accountId, bookingId }: BookingStart) => {
  const { key } = await addKey(doors.db, accountId)
  const path = `/api/bookings/${bookingId}/timeline`
  return jsonOf(await fetch(doors.url + path, { headers: bearer(key) }))
}

/** The output of the documented program for a timeline in a file. */
const verify = async (timeline: unknown): Promise<string[]> => {
  const file = join(folder, 'timeline.json')
  writeFileSync(file, JSON.stringify(timeline))
  const keys = `${doors.url}/.well-known/timeline-keys.json`
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    script,
    file,
    keys,
  ]).catch((failed) => failed)
  return `${stdout}${stderr}`.trim().split('\n')
}

const booked = async () => {
  const start = await requestDaysAhead(doors.db)
  await decideBooking(doors.db, start, stepDeps, new Date())
  return start
}

test('an uppercase id is the same booking, with a valid signature', async () => {
  const start = await booked()
  const capitals = await read({ ...start, bookingId: start.bookingId.toUpperCase() })
  expect(capitals).toMatchObject({ booking_id: start.bookingId, signature: { alg: 'Ed25519' } })
})

test('a booking has a timeline, and the documented program verifies the answer', async () => {
  const start = await booked()
  const answer = await read(start)
  expect(answer).toMatchObject({
    booking_id: start.bookingId,
    complete: true,
    entries: [
      { number: 1, by: 'agent', status: 'held', why: 'The agent asked to book it.' },
      { number: 2, by: 'network', status: 'confirmed' },
    ],
    signature: { alg: 'Ed25519', keys_url: 'http://127.0.0.1:3000/.well-known/timeline-keys.json' },
  })
  expect(await verify(answer)).toEqual([`verified: head ${answer.head}, number of entries 2`])
})

test('the documented program names what was changed after signing', async () => {
  const answer = await read(await booked())
  const [held, confirmed] = answer.entries
  expect(await verify({ ...answer, entries: [held, { ...confirmed, by: 'venue' }] })).toEqual([
    'entry 2 was changed, or belongs to another booking',
  ])
  expect(await verify({ ...answer, entries: [held] })).toEqual([
    'the last entry is not the head',
    'the signature does not hold',
  ])
})

test('both doors give the same timeline', async () => {
  const start = await booked()
  const { key } = await addKey(doors.db, start.accountId)
  const { body } = await postEnvelope(doors.url, key, {
    intent: 'booking.timeline',
    payload: { id: start.bookingId },
  })
  const { entries, head } = await read(start)
  expect(body.payload).toMatchObject({ booking_id: start.bookingId, entries, head })
})

test('a timeline changed in the database is shown unsigned', async () => {
  const start = await booked()
  const client = await doors.db.connect()
  await client.query('begin; set local session_replication_role = replica')
  await client.query(`update timeline_entry set why = 'x' where booking_id = $1 and number = 1`, [
    start.bookingId,
  ])
  await client.query('commit')
  client.release()
  const answer = await read(start)
  expect(answer).toMatchObject({ entries: [{ why: 'x' }, {}], signature: null })
  expect(await verify(answer)).toEqual([
    'entry 1 was changed, or belongs to another booking',
    'it is not signed',
  ])
})

test('a refused request has one entry with its reason, a pending one none', async () => {
  const start = await requestDaysAhead(doors.db)
  const running = await read(start)
  expect(running).toMatchObject({ entries: [], head: '0'.repeat(64), complete: true })
  expect(await verify(running)).toEqual([`verified: head ${running.head}, number of entries 0`])
  const { answer } = await openBooking(doors.db, { ...start, partySize: 500 }, new Date())
  const why = answer && 'refusal' in answer && answer.refusal.message
  const refused = await read(start)
  expect(refused).toMatchObject({
    entries: [{ by: 'network', status: 'failed', revision: 0, why }],
    complete: true,
  })
  expect(await verify(refused)).toEqual([`verified: head ${refused.head}, number of entries 1`])
})

test('the timeline of another account is not found', async () => {
  const { bookingId } = await booked()
  const { key } = await doors.openAccount('free')
  const path = `/api/bookings/${bookingId}/timeline`
  const response = await fetch(doors.url + path, { headers: bearer(key) })
  expect([response.status, (await jsonOf(response)).code]).toEqual([404, 'booking_not_found'])
})

test('the keys are public and cacheable', async () => {
  const response = await fetch(`${doors.url}/.well-known/timeline-keys.json`)
  expect(response.headers.get('cache-control')).toBe('public, max-age=300')
  const { keys } = await jsonOf(response)
  expect(keys).toMatchObject([{ kty: 'OKP', crv: 'Ed25519', alg: 'Ed25519', use: 'sig' }])
  expect(keys[0]).not.toHaveProperty('d')
})
