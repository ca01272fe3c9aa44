import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { guestPageUrl } from '../../src/bookings/steps/guest-link.ts'
import { bookedFor, wanting } from '../support/guests.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { look } from '../support/venue-people.ts'

let doors: Doors

beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

const pageOf = (id: string) => guestPageUrl(doors.sealer, doors.url, id)
const post = (url: string, fields: Record<string, string>) =>
  look(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

describe('changing', () => {
  test('shows free times, and sends the same command as an agent, once', async () => {
    const { bookingId, partySize, slotTime } = await bookedFor(doors.db, wanting())
    const page = `${pageOf(bookingId)}/change`
    const { html } = await look(page)
    expect(html).toContain(`value="${slotTime}" required checked`)
    for (const date of ['9999-12-31', '1970-01-01']) {
      expect((await look(`${page}?date=${date}&guests=-1`)).html).toContain('No time is free')
    }
    const form = randomUUID()
    const [date = ''] = slotTime.split('T')
    const revision = /name="revision" value="(\d+)"/.exec(html)?.[1] ?? ''
    const wanted = { form, revision, guests: String(partySize), date, slot_time: slotTime }
    for (const slot_time of ['2026-99-99T20:00:00', '2026-12-05T25:00:00', '2026-02-30T19:00:00']) {
      expect((await post(page, { ...wanted, slot_time })).status).toBe(400)
    }
    for (let clicks = 0; clicks < 2; clicks += 1) {
      expect((await post(page, wanted)).headers.get('location')).toMatch(/done=recorded$/)
    }
    // A stale page must not take back what the agent has changed, nor the form what was entered.
    const stale = await post(page, { ...wanted, revision: '0', guests: '4' })
    expect(stale.html).toContain('have changed since')
    expect(stale.html).toMatch(/name="guests"[^>]* value="2"/)
    const otherDay = await post(page, { ...wanted, guests: '3', date: '2999-01-01' })
    expect(otherDay.html).toContain('Choose one.')
    expect(otherDay.html).toMatch(/name="guests"[^>]* value="3"/)
    const text = `select kind, door, input from command where booking_id = $1`
    const input = { slot_time: slotTime, party_size: partySize, by: 'guest', page: true }
    const { rows } = await doors.db.query(text, [bookingId])
    expect(rows).toEqual([{ kind: 'amend', door: 'guest', input }])
  })

  test('needs an account that could change it', async () => {
    const { bookingId, accountId } = await bookedFor(doors.db, wanting())
    const canChange = async () => (await look(pageOf(bookingId))).html.includes('/change?')
    expect(await canChange()).toBe(true)
    await doors.db.query(`update account set tier = 'free' where id = $1`, [accountId])
    expect(await canChange()).toBe(false)
    const [date, time] = ['2026-12-24', { slot_time: '2026-12-24T19:00:00' }]
    const wanted = { form: randomUUID(), revision: '1', guests: '2', date, ...time }
    const { headers } = await post(`${pageOf(bookingId)}/change`, wanted)
    expect(headers.get('location')).toMatch(/done=refused$/)
  })
})

test('a page is in a language that the browser accepts, unless the agent said one', async () => {
  const { bookingId } = await bookedFor(doors.db, wanting())
  const headers = { 'accept-language': 'fr, id-ID;q=0.8, en;q=0.5' }
  expect((await look(pageOf(bookingId), { headers })).html).toContain('<html lang="id">')
  const other = await bookedFor(doors.db, wanting({ language: 'en' }))
  expect((await look(pageOf(other.bookingId), { headers })).html).toContain('<html lang="en">')
})
