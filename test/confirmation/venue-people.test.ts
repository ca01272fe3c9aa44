import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { findSlot, openAgent } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { traces } from '../support/traces.ts'
import {
  answer,
  formOf,
  linkTo,
  look,
  requestFromStaff,
  sendAndRefresh,
  staffAllDay,
  timesFor,
} from '../support/venue-people.ts'

let service: Service

beforeAll(async () => {
  service = await openService()
  await staffAllDay(service.db, 'restaurant')
})
afterAll(() => service?.close())

/** The status of the booking, once it is pending or later. */
const standing = (id: string, status: string) =>
  eventually(`the booking ${id} to be ${status}`, async () => {
    const { body } = await service.agent.get(`/api/bookings/${id}`)
    return body.booking.status === status && body.booking
  })

const asked = async (more?: Record<string, unknown>) => {
  const booking = await requestFromStaff(service, more)
  const pending = await standing(booking.id, 'pending')
  await eventually('the hold to be put to the venue', async () => {
    const { body } = await service.agent.get(`/api/bookings/${booking.id}`)
    return body.booking.answer_by !== null
  })
  return { ...booking, pending }
}

describe('staff at the venue', () => {
  test('decide about a hold once it is confirmed, which its answer says', async () => {
    const slot = await findSlot(service.agent, 'restaurant in Bali')
    const { body } = await service.agent.post('/api/holds', slot)
    expect(body.next).toMatch(/release`\. .*A person at the venue then accepts or declines\.$/)
    await service.agent.post(`/api/holds/${body.booking.id}/release`, {})
  })

  test('are not asked for a change of a booking that they have yet to accept', async () => {
    const { id } = await asked()
    const { body } = await service.agent.patch(`/api/bookings/${id}`, { party_size: 3 })
    expect(body).toMatchObject({ status: 409, code: 'not_decided_yet' })
  })

  test('see the guest, accept, and the booking is confirmed with one fee', async () => {
    const { id, list, page } = await asked({ notes: 'A window, please' })
    expect((await look(list)).html).toContain('Ayu &lt;Sari&gt;')
    const seen = await look(page)
    for (const text of [
      'Ayu &lt;Sari&gt;',
      '+62 812 3456',
      'A window, please',
      'Waiting for your',
    ]) {
      expect(seen.html).toContain(text)
    }
    expect(seen.headers.get('cache-control')).toBe('no-store')
    const accepted = await answer(page, 'confirmed')
    expect(accepted.html).toContain('Accepted. The booking is confirmed.')
    expect(await standing(id, 'confirmed')).toMatchObject({
      answer_by: null,
      confirm_mode: 'request',
    })
    expect(await traces(service.db, id)).toMatchObject({
      booking: [{ status: 'confirmed', fee_status: 'accrued', venue_sync: 'acknowledged' }],
      steps: ['hold', 'ask', 'venue'],
      events: ['booking.held', 'booking.pending', 'booking.confirmed', 'fee.accrued'],
      fees: [{ kind: 'accrual' }],
      allocations: [{ active: true }],
    })
  })

  test('leave no guest data in history, events and answers', async () => {
    const { id, page } = await asked({ notes: 'Surprise party' })
    await answer(page, 'confirmed')
    const handle = service.client.workflow.getHandle(bookingWorkflowId(id))
    const { rows } = await service.db.query(
      `select (select json_agg(e) from event e where booking_id = $1)::text as events,
         (select json_agg(t) from transition t where booking_id = $1)::text as steps,
         (select json_agg(s) from venue_response s where booking_id = $1)::text as statements`,
      [id],
    )
    const history = JSON.stringify(await handle.fetchHistory())
    const decoded = history.replaceAll(/"data":"([^"]+)"/g, (_, text) => atob(text))
    for (const text of [decoded, ...(Object.values(rows[0]) as string[])]) {
      expect(text).not.toMatch(/Ayu|812 3456|Surprise/)
    }
  })

  test('decline with a reason, and the waiting agent gets alternatives', async () => {
    const agent = await openAgent(service.db, service.url)
    const slot = await findSlot(agent, 'restaurant in Bali')
    const headers = { 'idempotency-key': randomUUID() }
    const waiting = agent.post('/api/bookings', { ...slot, wait: 60 }, headers)
    const page = await eventually('the request on the page', async () => {
      const { body } = await agent.get('/api/bookings?status=pending')
      const [request] = body.bookings
      if (!request?.answer_by) return undefined
      return `${await linkTo(service, slot.venue_id)}/bookings/${request.id}`
    })
    await answer(page, 'declined', { reason: 'full' })
    const { status, body } = await waiting
    expect({ status, code: body.code, reason: body.reason }).toEqual({
      ...{ status: 409, code: 'venue_declined', reason: 'full' },
    })
    expect(body.detail).toContain('it is full at that time')
    expect(body.alternatives.length).toBeGreaterThan(0)
    expect(await traces(service.db, body.booking_id)).toMatchObject({
      booking: [{ status: 'declined', reason_code: 'venue_declined', live: false }],
      fees: [],
      allocations: [{ active: false }],
    })
  })

  test('click twice, or one declines what another accepted: the first answer counts', async () => {
    const { id, page } = await asked()
    const { html } = await look(page)
    const yes = formOf(html, 'confirmed')
    const no = formOf((await look(`${page}/end`)).html, 'declined')
    await Promise.all([sendAndRefresh(page, yes), sendAndRefresh(page, yes)])
    const late = await sendAndRefresh(page, no, { reason: 'full' })
    expect(late.html).toContain('Already decided, nothing was changed. Confirmed.')
    const { events, fees } = await traces(service.db, id)
    expect(events).toEqual(['booking.held', 'booking.pending', 'booking.confirmed', 'fee.accrued'])
    expect(fees).toHaveLength(1)
  })

  test('can no longer honour a booking: they must say why, and the fee is reversed', async () => {
    const { id, page } = await asked()
    await answer(page, 'confirmed')
    const { html } = await answer(page, 'cancelled', { reason: 'full' })
    expect(html).toContain('Tell them yourself: +62')
    const { body } = await service.agent.get(`/api/bookings/${id}/timeline`)
    expect(JSON.stringify(body)).toContain('honour the booking: it is full at that time.')
    expect(await standing(id, 'cancelled')).toMatchObject({ fee: { status: 'reversed' } })
  })

  test('find a booking that the agent cancelled, and need not withdraw it', async () => {
    const { id, page } = await asked()
    const { html } = await look(page)
    await service.agent.post(`/api/bookings/${id}/cancel`, { by: 'guest' })
    expect((await look(page)).html).toMatch(/Cancelled by the guest/)
    const late = await sendAndRefresh(page, formOf(html, 'confirmed'))
    expect(late.html).toContain('nothing was changed. Cancelled by the guest')
    expect(await traces(service.db, id)).toMatchObject({
      booking: [{ status: 'cancelled', venue_sync: 'not_sent', live: false }],
    })
  })
})

describe('an offered time', () => {
  const offer = async () => {
    const booking = await asked()
    const [time = ''] = (await timesFor(booking.page)).slice(-1)
    const { html } = await answer(booking.page, 'offered', { slot_time: time })
    expect(html).toContain('Offered. The other time is held until the agent')
    const offered = await standing(booking.id, 'offered')
    return { ...booking, time, offered }
  }

  test('is held for the agent, who accepts it', async () => {
    const { id, slot, page, time, offered } = await offer()
    expect(offered).toMatchObject({ slot_time: slot.slot_time, fee: { status: 'expected' } })
    expect(offered.offer).toMatchObject({ slot_time: time, ask_user_first: true })
    const during = await service.db.query(
      `select lower(during) = (select starts_at from venue_offer
       where booking_id = $1) as is_offered
       from allocation where booking_id = $1 and active`,
      [id],
    )
    expect(during.rows).toEqual([{ is_offered: true }])
    const accepted = await service.agent.post(`/api/bookings/${id}/offer/accept`, {})
    expect(accepted).toMatchObject({
      status: 200,
      body: { status: 'confirmed', booking: { slot_time: time, offer: null } },
    })
    expect((await look(page)).html).toContain('Confirmed')
    expect(await traces(service.db, id)).toMatchObject({
      events: [
        'booking.held',
        'booking.pending',
        'booking.offered',
        'booking.confirmed',
        'fee.accrued',
      ],
      fees: [{ kind: 'accrual' }],
    })
    const { rows } = await service.db.query(
      `select extract(day from erase_after - starts_at)::int as days
       from booking_guest g join booking b on b.id = g.booking_id where b.id = $1`,
      [id],
    )
    expect(rows).toEqual([{ days: 90 }])
    const { body } = await service.agent.get(`/api/bookings/${id}/timeline`)
    const local = time.slice(0, 16).replace('T', ' at ')
    expect(body.entries.map(({ by, what }: any) => `${by}: ${what}`).slice(2)).toEqual([
      `venue: The venue offered another time: ${local}.`,
      'agent: The booking was confirmed. Its fee was recorded.',
    ])
    expect(body.signature).not.toBeNull()
    const again = await service.agent.post(`/api/bookings/${id}/offer/accept`, {})
    expect(again).toMatchObject({ status: 200, body: { booking: { status: 'confirmed' } } })
  })

  test('is refused by the agent: nothing is booked, and the slot is free', async () => {
    const { id, page } = await offer()
    const refused = await service.agent.post(`/api/bookings/${id}/offer/refuse`, {})
    expect(refused).toMatchObject({
      status: 200,
      body: { status: 'declined', booking: { reason_code: 'offer_refused' } },
    })
    expect((await look(page)).html).toContain('Your offer was refused')
    const { fees, allocations } = await traces(service.db, id)
    expect(fees).toEqual([])
    expect(allocations.every(({ active }) => !active)).toBe(true)
    const late = await service.agent.post(`/api/bookings/${id}/offer/accept`, {})
    expect(late).toMatchObject({ status: 409, body: { code: 'no_offer' } })
  })

  test('is withdrawn by the venue', async () => {
    const { id, page } = await offer()
    await answer(page, 'declined')
    expect(await standing(id, 'declined')).toMatchObject({ reason_code: 'venue_declined' })
  })

  test('that was just booked is reported as taken, and the request stays pending', async () => {
    const { id, page, slot } = await asked()
    const { html } = await look(`${page}/times`)
    const tried = await sendAndRefresh(page, formOf(html, 'offered'), { slot_time: slot.slot_time })
    expect(tried.html).toContain('That time is no longer free')
    expect((await standing(id, 'pending')).answer_by).not.toBeNull()
    expect(await traces(service.db, id)).toMatchObject({ allocations: [{ active: true }] })
  })

  test('cannot be accepted without an offer', async () => {
    const { id } = await asked()
    for (const path of ['accept', 'refuse']) {
      const answered = await service.agent.post(`/api/bookings/${id}/offer/${path}`, {})
      expect(answered).toMatchObject({ status: 409, body: { code: 'no_offer', booking_id: id } })
    }
  })
})

describe('a no-show', () => {
  const begun = async () => {
    const booking = await asked()
    await answer(booking.page, 'confirmed')
    await service.db.query(
      `update booking set starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour'
       where id = $1`,
      [booking.id],
    )
    return booking
  }

  test('is reported, and the fee stays; a correction completes the booking', async () => {
    const { id, page } = await begun()
    expect((await answer(page, 'no_show')).html).toContain('No-show recorded.')
    expect(await standing(id, 'no_show')).toMatchObject({ fee: { status: 'accrued' } })
    expect((await answer(page, 'attended')).html).toContain('Corrected: the guests came.')
    expect(await standing(id, 'completed')).toMatchObject({ fee: { status: 'accrued' } })
    const { events } = await traces(service.db, id)
    expect(events.slice(-2)).toEqual(['booking.no_show', 'booking.completed'])
  })

  test('cannot be corrected after 48 hours', async () => {
    const { id, page } = await begun()
    await answer(page, 'no_show')
    const form = formOf((await look(page)).html, 'attended')
    await service.db.query(
      `update booking set venue_answered_at = now() - interval '49 hours' where id = $1`,
      [id],
    )
    expect((await look(page)).html).not.toContain('<form')
    expect((await sendAndRefresh(page, form)).html).toContain('Too late')
    expect(await standing(id, 'no_show')).toBeDefined()
  })

  test('cannot be reported before the slot begins', async () => {
    const { id, page } = await asked()
    const form = formOf((await look(page)).html, 'confirmed')
    await sendAndRefresh(page, form)
    const early = await sendAndRefresh(page, { ...form, form: randomUUID(), said: 'no_show' })
    expect(early.html).toContain('has not started yet')
    expect(await standing(id, 'confirmed')).toBeDefined()
  })
})
