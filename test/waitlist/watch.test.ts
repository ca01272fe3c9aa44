import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId, waitlistWorkflowId } from '../../src/base/ids.ts'
import { type Agent, openAgent } from '../support/agent.ts'
import { type FullSlot, fillRest, fillSlot, releaseBooking } from '../support/full-slot.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'

let service: Service
let full: FullSlot
let asked: { venue_id: string; slot_time: string; party_size: number }

/** Long enough to confirm a hold, short enough to wait for its end. */
const HOLD_SECONDS = 20

beforeAll(async () => {
  service = await openService({ WATCH_HOLD_SECONDS: String(HOLD_SECONDS) })
  full = await fillSlot(service.db, { category: 'restaurant', partySize: 2, atLeast: 4 })
  const { venueId: venue_id, slotTime: slot_time } = full.slot
  asked = { venue_id, slot_time, party_size: 2 }
})
afterAll(() => service?.close())

/** A booking for a table in this slot, which makes it full again. */
async function book() {
  const holder = full.holders.pop()
  if (!holder) throw new Error('nobody holds a table any more')
  await releaseBooking(service.db, holder)
  const { body } = await service.agent.post('/api/bookings', asked, {
    'idempotency-key': holder.bookingId,
  })
  expect(body.status).toBe('confirmed')
  return body.booking.id as string
}

type Watching = { agent: Agent; id: string }

async function watch(until?: string): Promise<Watching> {
  const agent = await openAgent(service.db, service.url)
  const { status, body } = await agent.post('/api/watches', { ...asked, ...(until && { until }) })
  expect(status).toBe(201)
  return { agent, id: body.watch.id }
}

const read = async ({ agent, id }: Watching) => (await agent.get(`/api/watches/${id}`)).body.watch
const cancel = (id: string) => service.agent.post(`/api/bookings/${id}/cancel`, {})
const workflowOf = ({ id }: Watching) => service.client.workflow.getHandle(waitlistWorkflowId(id))
const becomes = (watching: Watching, status: string) =>
  eventually(`the watch to be ${status}`, async () => {
    const now = await read(watching)
    return now.status === status && now
  })

test('a cancelled booking’s table is held for the first watch; confirming fulfils it', async () => {
  const booked = await book()
  const [first, second] = [await watch(), await watch()]
  await cancel(booked)
  const offered = await read(first)
  expect(offered).toMatchObject({ status: 'offered', hold_slot_time: asked.slot_time })
  expect((await read(second)).position).toBe(1)
  const confirmed = await first.agent.post('/api/bookings', { hold_id: offered.hold_id })
  expect(confirmed.body).toMatchObject({ status: 'confirmed', booking: { id: offered.hold_id } })
  expect(await read(first)).toMatchObject({ status: 'fulfilled', hold_id: offered.hold_id })
  expect(await workflowOf(first).result()).toBe('fulfilled')
  await second.agent.post(`/api/watches/${second.id}/cancel`, {})
  expect(await workflowOf(second).result()).toBe('cancelled')
})

test('a watch keeps the guest for its hold, and says what to call and until when', async () => {
  const booked = await book()
  const agent = await openAgent(service.db, service.url)
  const guest = { name: 'Ayu', phone: '+62 812' }
  const request = { ...asked, guest, guest_ref: 'ayu', notes: 'A window' }
  const { body: created } = await agent.post('/api/watches', request)
  const { id } = created.watch
  expect(created).toMatchObject({ joined: false, watch: { guest_ref: 'ayu' }, retry_after: 60 })
  expect(created.next).toContain(`\`GET /api/watches/${id}\``)
  expect((await agent.post('/api/watches', asked)).body).toMatchObject({
    joined: true,
    watch: { id, guest_ref: 'ayu' },
  })
  await cancel(booked)
  const { body: offered } = await agent.get(`/api/watches/${id}`)
  const { hold_id, hold_until_local } = offered.watch
  expect(offered.next).toContain(`\`POST /api/bookings\` with \`hold_id\` ${hold_id}`)
  expect(offered.next).toContain(hold_until_local)
  const other = await agent.post('/api/bookings', { hold_id, guest_ref: 'budi' })
  expect(other.body).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/guest_ref' }] })
  const confirmed = await agent.post('/api/bookings', { hold_id, guest_ref: 'ayu' })
  expect(confirmed.body).toMatchObject({
    status: 'confirmed',
    booking: { id: hold_id, guest_ref: 'ayu' },
  })
  const { rows } = await service.db.query(
    'select name, phone, notes from booking_guest where booking_id = $1',
    [hold_id],
  )
  expect(rows).toEqual([{ ...guest, notes: 'A window' }])
  await agent.post(`/api/bookings/${hold_id}/cancel`, {})
  full.holders.push(...(await fillRest(service.db, full.slot, new Date())))
})

test('an unconfirmed hold ends by its workflow and passes on; its watch waits again', async () => {
  const booked = await book()
  const [first, second] = [await watch(), await watch()]
  await cancel(booked)
  const { hold_id } = await read(first)
  const next = await becomes(second, 'offered')
  expect(await read(first)).toMatchObject({ status: 'watching', turns_missed: 1, hold_id: null })
  const ended = await first.agent.get(`/api/bookings/${hold_id}`)
  expect(ended.body.booking).toMatchObject({ status: 'expired', reason_code: 'hold_expired' })
  expect(await service.client.workflow.getHandle(bookingWorkflowId(hold_id)).result()).toBe(
    'expired',
  )
  const confirmed = await second.agent.post('/api/bookings', { hold_id: next.hold_id })
  expect(confirmed.body.status).toBe('confirmed')
  await first.agent.post(`/api/watches/${first.id}/cancel`, {})
})

test('cancelling a watch with a hold releases it to the next in the queue', async () => {
  const booked = await book()
  const [first, second] = [await watch(), await watch()]
  await cancel(booked)
  const { hold_id } = await read(first)
  await first.agent.post(`/api/watches/${first.id}/cancel`, {})
  const next = await becomes(second, 'offered')
  expect((await first.agent.get(`/api/bookings/${hold_id}`)).body.booking.status).toBe('released')
  expect(await workflowOf(first).result()).toBe('cancelled')
  const confirmed = await second.agent.post('/api/bookings', { hold_id: next.hold_id })
  expect(confirmed.body.status).toBe('confirmed')
})

test('cancelling the hold of a watch ends the watch; releasing it keeps the watch', async () => {
  const booked = await book()
  const [first, second] = [await watch(), await watch()]
  await cancel(booked)
  const { hold_id } = await read(first)
  const ended = await first.agent.post(`/api/bookings/${hold_id}/cancel`, {})
  expect(ended.body.booking).toMatchObject({ status: 'released' })
  expect(await read(first)).toMatchObject({ status: 'cancelled', turns_missed: 0, hold_id })
  expect(await workflowOf(first).result()).toBe('cancelled')
  const next = await becomes(second, 'offered')
  await second.agent.post(`/api/holds/${next.hold_id}/release`, {})
  expect(await read(second)).toMatchObject({ status: 'watching', turns_missed: 1, hold_id: null })
  await second.agent.post(`/api/watches/${second.id}/cancel`, {})
  full.holders.push(...(await fillRest(service.db, full.slot, new Date())))
})

test('cancelling the hold of a watch while its venue is being asked ends the watch', async () => {
  const booked = await book()
  const watching = await watch()
  await cancel(booked)
  const { hold_id } = await read(watching)
  await service.db.query(`update booking set confirm_mode = 'request' where id = $1`, [hold_id])
  const pending = await watching.agent.post('/api/bookings', { hold_id, wait: 0 })
  expect(pending.status).toBe(202)
  await eventually('its venue to be asked', async () => {
    const { body } = await watching.agent.get(`/api/bookings/${hold_id}`)
    return body.booking.status === 'pending'
  })
  const ended = await watching.agent.post(`/api/bookings/${hold_id}/cancel`, {})
  expect(ended.body.booking).toMatchObject({ status: 'cancelled', cancelled_by: 'agent' })
  expect(await read(watching)).toMatchObject({ status: 'cancelled' })
  full.holders.push(...(await fillRest(service.db, full.slot, new Date())))
})

test('a rescheduled booking frees its table for the waitlist; a dry run does not', async () => {
  const booked = await book()
  const watching = await watch()
  const { body } = await service.agent.get(`/api/bookings/${booked}`)
  // The venue has the same hours a week later, and may be closed on the next day.
  const week = new Date(Date.parse(`${body.booking.slot_time}Z`) + 7 * 86_400_000)
  const move = { slot_time: week.toISOString().slice(0, 19) }
  const dry = await service.agent.patch(`/api/bookings/${booked}`, { ...move, dry_run: true })
  expect(dry.status).toBe(200)
  expect((await read(watching)).status).toBe('watching')
  const moved = await service.agent.patch(`/api/bookings/${booked}`, move)
  expect(moved.body.booking).toMatchObject(move)
  const { hold_id } = await read(watching)
  const confirmed = await watching.agent.post('/api/bookings', { hold_id })
  expect(confirmed.body.booking).toMatchObject({ status: 'confirmed', slot_time: asked.slot_time })
})

test('a watch ends by the timer of its workflow', async () => {
  const watching = await watch(new Date(Date.now() + 10_000).toISOString())
  expect(await workflowOf(watching).result()).toBe('expired')
  expect(await read(watching)).toMatchObject({ status: 'expired', reason_code: 'time_over' })
})
