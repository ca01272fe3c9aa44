import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agent, type AskedSlot, findSlots } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'
import { nightly } from '../support/nightly.ts'
import { eventually } from '../support/programs.ts'
import { traces } from '../support/traces.ts'
import { answer, linkTo, look, staffAllDay, timesFor } from '../support/venue-people.ts'

// Groups that include a venue whose staff answer.

const SECONDS_TO_ANSWER = 30
let service: Service
let agent: Agent

beforeAll(async () => {
  service = await openService({ REQUEST_ANSWER_MINUTES: String(SECONDS_TO_ANSWER / 60) })
  agent = service.agent
  await staffAllDay(service.db, 'restaurant')
})
afterAll(() => service?.close())

const dinner = async () => (await findSlots(agent, 'restaurant in Bali', 1))[0] as AskedSlot
const place = async () => (await findSlots(agent, 'gym in Bali', 1))[0] as AskedSlot

const standing = (id: string, status: string) =>
  eventually(`the booking ${id} to be ${status}`, async () => {
    const { body } = await agent.get(`/api/bookings/${id}`)
    const isAsked = status !== 'pending' || body.booking.answer_by !== null
    return body.booking.status === status && isAsked && body.booking
  })

/** The staff page of this booking, once staff have been asked. */
async function pageOf(id: string, { venue_id }: AskedSlot): Promise<string> {
  await standing(id, 'pending')
  return `${await linkTo(service, venue_id)}/bookings/${id}`
}

async function offerOn(page: string): Promise<string> {
  const [time = ''] = (await timesFor(page)).slice(-1)
  await answer(page, 'offered', { slot_time: time })
  return time
}

describe('alternatives, the first of which staff answer', () => {
  const ask = async () => {
    const [first, second] = [await dinner(), await place()]
    const body = { ...first, alternatives: [second] }
    const key = { 'idempotency-key': randomUUID() }
    const { status, body: said } = await agent.post('/api/bookings', { ...body, wait: 1 }, key)
    expect(status).toBe(202)
    const { id } = said.booking
    const result = async () => (await agent.post('/api/bookings', { ...body, wait: 60 }, key)).body
    return { first, id, page: await pageOf(id, first), result }
  }

  test('book the first when it is accepted', async () => {
    const { id, page, result } = await ask()
    await answer(page, 'confirmed')
    expect(await result()).toMatchObject({
      status: 'confirmed',
      choice: 1,
      booking: { id, fee: { status: 'accrued' } },
      choices: [{ status: 'confirmed' }, { status: 'not_tried' }],
    })
    expect((await traces(service.db, id)).fees).toHaveLength(1)
  })

  test('book the next when it is declined', async () => {
    const { id, page, result } = await ask()
    await answer(page, 'declined', { reason: 'full' })
    expect(await result()).toMatchObject({
      status: 'confirmed',
      choice: 2,
      choices: [{ status: 'declined', code: 'venue_declined' }, { status: 'confirmed' }],
    })
    expect(await traces(service.db, id)).toMatchObject({ fees: [], booking: [{ live: false }] })
  })

  test('wait while another time is offered, and book it when the agent accepts', async () => {
    const { id, page, result } = await ask()
    const slot_time = await offerOn(page)
    await standing(id, 'offered')
    await agent.post(`/api/bookings/${id}/offer/accept`, {})
    expect(await result()).toMatchObject({ choice: 1, booking: { id, slot_time } })
  })

  test('book the next when the agent refuses the offer', async () => {
    const { id, page, result } = await ask()
    await offerOn(page)
    await standing(id, 'offered')
    await agent.post(`/api/bookings/${id}/offer/refuse`, {})
    expect(await result()).toMatchObject({
      choice: 2,
      choices: [{ status: 'declined' }, { status: 'confirmed' }],
    })
  })

  nightly('book the next when nobody responds in time', async () => {
    const { id, result } = await ask()
    expect(await result()).toMatchObject({
      choice: 2,
      choices: [{ status: 'expired', code: 'venue_no_answer' }, { status: 'confirmed' }],
    })
    expect((await traces(service.db, id)).fees).toEqual([])
  })
})

describe('an itinerary, one part of which staff answer', () => {
  const read = async (id: string) => (await agent.get(`/api/itineraries/${id}`)).body.itinerary

  const begin = async (more: Record<string, unknown> = {}) => {
    const [first, second] = [await place(), await dinner()]
    const parts = [first, second]
    const { status, body } = await agent.post(
      '/api/itineraries',
      { parts, wait: 0, ...more },
      { 'idempotency-key': randomUUID() },
    )
    expect(status).toBe(202)
    expect(body.next).not.toContain('repeat this request')
    const { id } = body.itinerary
    await eventually('the person to be asked', async () => (await read(id)).status === 'asking')
    const asked = (await read(id)).parts[1].booking_id as string
    return { id, asked, page: await pageOf(asked, second) }
  }
  const over = (id: string, status: string) =>
    eventually(`the itinerary to be ${status}`, async () => {
      const now = await read(id)
      return now.status === status && now
    })
  const feesOf = async (parts: Record<string, any>[]) =>
    (await Promise.all(parts.map(({ booking_id }) => traces(service.db, booking_id)))).map(
      ({ fees }) => fees.length,
    )

  test('is booked in full when staff accept', async () => {
    const { id, page } = await begin()
    expect((await read(id)).parts[0].status).toBe('held')
    await answer(page, 'confirmed')
    const { parts } = await over(id, 'confirmed')
    expect(parts).toMatchObject([{ status: 'confirmed' }, { status: 'confirmed' }])
    expect(await feesOf(parts)).toEqual([1, 1])
  })

  test('is booked in full when staff offer another time and the agent accepts it', async () => {
    const { id, asked, page } = await begin()
    const slot_time = await offerOn(page)
    await standing(asked, 'offered')
    const open = await agent.get(`/api/itineraries/${id}`)
    expect(open.body).toMatchObject({ itinerary: { status: 'asking' }, retry_after: 60 })
    expect(open.headers.get('retry-after')).toBe('60')
    expect(open.body.next).toContain('Part 2: The venue offers')
    await agent.post(`/api/bookings/${asked}/offer/accept`, {})
    const { parts } = await over(id, 'confirmed')
    expect(parts[1].booking).toMatchObject({ slot_time, fee: { status: 'accrued' } })
    expect(await feesOf(parts)).toEqual([1, 1])
  })

  test('fails when staff decline', async () => {
    const { id, page } = await begin()
    await answer(page, 'declined', { reason: 'closed' })
    const made = await over(id, 'failed')
    expect(made.code).toBe('itinerary_not_possible')
    expect(made.parts).toMatchObject([{ status: 'released' }, { status: 'declined' }])
    expect(await feesOf(made.parts)).toEqual([0, 0])
  })

  test('fails at its own deadline, before that of the staff, who are notified', async () => {
    const answer_by = new Date(Date.now() + 15_000).toISOString()
    const { id, asked, page } = await begin({ answer_by })
    expect((await standing(asked, 'pending')).answer_by).toBe(answer_by)
    const made = await over(id, 'failed')
    expect(made.parts).toMatchObject([
      { status: 'released' },
      { status: 'expired', code: 'venue_no_answer' },
    ])
    expect((await look(page)).html).toContain('Expired')
    expect(await feesOf(made.parts)).toEqual([0, 0])
  })

  test('can be cancelled while staff are being asked, and the staff page says so', async () => {
    const { id, page } = await begin()
    await agent.post(`/api/itineraries/${id}/cancel`, { wait: 30 })
    const made = await over(id, 'cancelled')
    expect(made.parts).toMatchObject([{ status: 'released' }, { status: 'cancelled' }])
    expect((await look(page)).html).toContain('Cancelled by')
  })
})
