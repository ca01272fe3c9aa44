import { expect } from 'vitest'
import { zonedMinute, zonedTime } from '../../src/base/local-time.ts'
import { money } from '../../src/base/money.ts'
import { type Agent, findSlot } from '../support/agent.ts'
import type { Service } from '../support/network.ts'
import { test } from '../support/service.ts'

let network: Service
let agent: Agent

test.beforeAll(async ({ service }) => {
  network = service
  agent = network.agent
})

const payer = 'your account, not the guest'

test('a slot says what its amounts, places and deadlines are', async () => {
  const { venue_id } = await findSlot(agent, 'massage in Ubud', 1)
  const { body } = await agent.get(
    `/api/venues/${venue_id}/availability?party_size=1&days=3&detail=full`,
  )
  const slots = body.days.flatMap((day: { slots: unknown[] }) => day.slots)
  expect(slots.length).toBeGreaterThan(0)
  for (const { fee, timezone, cancel_until, ...slot } of slots) {
    expect(slot.price).toContain(money(fee.base_per_guest_minor, fee.currency))
    expect(fee.charged_to).toBe(payer)
    expect(slot.cancel_until_local).toBe(zonedTime(timezone, new Date(cancel_until)))
    expect(slot.places_left_unit).toBe('therapist or room')
  }
})

test('a booking and its cancellation cannot be misread', async () => {
  const slot = await findSlot(agent, 'restaurant in Ubud')
  const { body } = await agent.post('/api/bookings', slot)
  const { timezone, cancel_until, fee } = body.booking
  expect(fee).toMatchObject({ text: money(fee.amount_minor, fee.currency), charged_to: payer })
  expect(fee.note).toBeUndefined()
  expect(body.booking.cancel_until_local).toBe(zonedTime(timezone, new Date(cancel_until)))
  const { body: read } = await agent.get(`/api/bookings/${body.booking.id}`)
  expect(read.booking).toEqual(body.booking)
  const limit = zonedMinute(timezone, new Date(cancel_until))
  expect(read.cancellation).toMatchObject({
    fee: 'reversed',
    text: money(0, fee.currency),
    charged_to: payer,
    free_until_local: body.booking.cancel_until_local,
    policy:
      `Cancelling costs nothing until ${limit}: the fee of ${fee.text} is taken back. ` +
      `Cancelling after that costs ${fee.text}, charged to ${payer}.`,
  })
  const cancelled = await agent.post(`/api/bookings/${body.booking.id}/cancel`, {})
  expect(cancelled.body.cancellation).toMatchObject({
    fee: 'reversed',
    policy: 'The fee was taken back: nothing is charged.',
  })
})

test('the deadlines of a hold, of a watch and of events are local too', async () => {
  const slot = await findSlot(agent, 'bar in Canggu')
  const { body } = await agent.post('/api/holds', slot)
  const { id, timezone, hold_until, hold_until_local, fee } = body.booking
  const { amount_minor: spend, text } = body.booking.typical_spend
  expect(text).toBe(`about ${money(spend, fee.currency)} for 2`)
  expect(fee).toMatchObject({
    status: 'expected',
    amount_minor: Math.round(spend * 0.025),
    text: money(fee.amount_minor, fee.currency),
  })
  expect(hold_until_local).toBe(zonedTime(timezone, new Date(hold_until)))
  expect(body.next).toBe(
    `Confirm it before ${zonedMinute(timezone, new Date(hold_until))}: ` +
      `\`POST /api/bookings\` with \`hold_id\` ${id}; or release it: ` +
      `\`POST /api/holds/${id}/release\`. Expected spend at the venue: ${text}. ` +
      `Confirming costs ${fee.text}, charged to ${payer}.`,
  )
  expect(body.cancellation.policy).toContain(`Cancelling after that costs ${fee.text}`)
  const { rows } = await network.db.query(
    `select data #>> '{booking,hold_until_local}' as until from event
      where type = 'booking.held' and booking_id = $1`,
    [id],
  )
  expect(rows).toEqual([{ until: hold_until_local }])
})

test('the fees of an account have texts', async () => {
  const { body } = await agent.get('/api/fees')
  for (const entry of body.entries) {
    expect(entry).toMatchObject({
      text: money(entry.amount_minor, entry.currency),
      base_text: money(entry.base_minor, entry.currency),
      charged_to: payer,
    })
  }
  for (const total of body.totals) {
    expect(total.total_text).toBe(money(total.total_minor, total.currency))
  }
  expect(body.totals.length).toBeGreaterThan(0)
})
