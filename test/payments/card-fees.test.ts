import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openPayments } from '../../src/compose/open-payments.ts'
import { authorizeFee, finishFees } from '../../src/payments/steps/authorize-fee.ts'
import { collectPayments } from '../../src/payments/steps/collect.ts'
import type { PaymentDeps } from '../../src/payments/steps/deps.ts'
import { receiveEvent } from '../../src/payments/steps/receive-event.ts'
import { type AskedSlot, findSlots } from '../support/agent.ts'
import { readableLog } from '../support/lines.ts'
import { untilWaiting } from '../support/lock-waits.ts'
import { openService, type Service } from '../support/network.ts'
import { createPayers } from '../support/payers.ts'
import { eventually } from '../support/programs.ts'
import { openStripeSimulation, WEBHOOK_SECRET } from '../support/stripe.ts'

let stripe: Awaited<ReturnType<typeof openStripeSimulation>>
let service: Service
let deps: PaymentDeps
let payers: ReturnType<typeof createPayers>
let slots: AskedSlot[]
const next = () => slots.shift() as AskedSlot

beforeAll(async () => {
  stripe = await openStripeSimulation()
  service = await openService({
    PAYMENTS: 'stripe',
    STRIPE_SECRET_KEY: 'sk_test_simulation',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_URL: stripe.url,
  })
  payers = createPayers(service, stripe)
  const { config, db, url: publicUrl } = service
  deps = (await openPayments(config, { db, publicUrl, log: readableLog().log })) as PaymentDeps
  slots = await findSlots(service.agent, 'dinner for 2', 28)
})
afterEach(() => stripe.refuse())
afterAll(async () => {
  await service?.close()
  await stripe?.close()
})

const finish = () => finishFees(deps, new Date())
const collect = () =>
  collectPayments({ ...deps, proMonthlyMinor: 4900 }, new Date(Date.now() + 3_600_000))

test('a saved card pays a booking’s fee once, and a free cancellation refunds it', async () => {
  const agent = await payers.openPayer()
  const request = { ...next(), idempotency_key: randomUUID() }
  const refused = await agent.post('/api/bookings', request)
  expect([refused.status, refused.body.code]).toEqual([403, 'plan_required'])
  expect(refused.body).toMatchObject({ plan_url: `${service.url}/dashboard/plan` })
  expect(refused.body.detail).toContain('card')
  await payers.saveCard(agent, 'works')

  const { status, body } = await agent.post('/api/bookings', request)
  expect(status, JSON.stringify(body)).toBe(201)
  const { id, fee } = body.booking
  expect(fee.charged_to).toBe('your card, not the guest')
  expect(body.next).toContain(`${fee.text} is charged to Visa 4242.`)
  expect(await payers.payments(agent)).toMatchObject([
    { state: 'authorized', booking_id: id, amount_minor: fee.amount_minor },
  ])
  const { next: _, ...first } = body
  expect((await agent.post('/api/bookings', request)).body).toMatchObject(first)
  await finish()
  await finish()
  expect(await payers.states(agent)).toEqual(['succeeded'])
  const { amount_minor } = fee
  expect(await payers.balances(agent)).toEqual({
    ...{ cash: amount_minor, credit: -amount_minor },
    ...{ unbilled: amount_minor, revenue: -amount_minor },
  })
  const [{ provider_id }] = await payers.payments(agent)
  expect(stripe.charges().filter((one) => one.id === provider_id)).toHaveLength(1)

  await agent.post(`/api/bookings/${id}/cancel`, {})
  await collect()
  await collect()
  expect(stripe.refunds().filter((one) => one.payment_intent === provider_id)).toHaveLength(1)
  expect(await payers.balances(agent)).toEqual({})
  const { body: listed } = await agent.get('/api/payments')
  expect(listed.payments).toMatchObject([
    { purpose: 'booking', due_id: id, refunded_minor: amount_minor },
  ])
})

test('a hold says what its confirmation charges; a declined card leaves it held', async () => {
  const agent = await payers.openPayer('declined')
  const { body } = await agent.post('/api/holds', next())
  expect(body.next).toContain(`Confirming charges ${body.booking.fee.text} to Visa 4242.`)
  expect(await payers.payments(agent)).toEqual([])
  const hold_id = body.booking.id
  const declined = await agent.post('/api/bookings', { hold_id })
  expect(declined).toMatchObject({
    status: 402,
    body: { code: 'card_declined', plan_url: `${service.url}/dashboard/plan` },
  })
  await payers.saveCard(agent, 'works')
  const dry = await agent.patch(`/api/bookings/${hold_id}`, { party_size: 3, dry_run: true })
  expect(dry.body.next).toContain(`Confirming charges ${dry.body.booking.fee.text} to Visa 4242.`)
  // Killed after the card had authorised; then the hold grows, which needs a new authorisation.
  await authorizeFee(deps, hold_id, service.config.FEE_PCT, new Date())
  await agent.patch(`/api/bookings/${hold_id}`, { party_size: 3 })
  const { status, body: confirmed } = await agent.post('/api/bookings', { hold_id })
  expect([status, confirmed.booking?.party_size], JSON.stringify(confirmed)).toEqual([201, 3])
  expect(await payers.states(agent)).toEqual(['failed', 'failed', 'authorized'])
  const [, , last] = await payers.payments(agent)
  expect(Number(last.amount_minor)).toBe(confirmed.booking.fee.amount_minor)
})

test('PostgreSQL confirms no hold without an authorisation; one is released with it', async () => {
  const agent = await payers.openPayer('works')
  const hold_id = (await agent.post('/api/holds', next())).body.booking.id
  const confirm = `update booking set status = 'confirmed' where id = '${hold_id}'`
  await expect(service.db.query(confirm)).rejects.toThrow('is not settled')
  await authorizeFee(deps, hold_id, service.config.FEE_PCT, new Date())
  await finish()
  expect(await payers.states(agent)).toEqual(['authorized'])
  await agent.post(`/api/holds/${hold_id}/release`, {})
  await finish()
  const [{ state, reason, provider_id }] = await payers.payments(agent)
  expect([state, reason]).toEqual(['failed', 'canceled'])
  expect(stripe.authorized().map((one) => one.id)).not.toContain(provider_id)
})

test.each([
  ['action', undefined, 'card_needs_confirmation'],
  ['declined', undefined, 'card_declined'],
  ['works', { code: 'amount_too_small' }, 'fee_too_small'],
  ['works', { param: 'currency' }, 'fee_currency_unsupported'],
] as const)('a card that %s, %o: nothing is booked, as %s says', async (card, how, code) => {
  const agent = await payers.openPayer(card)
  stripe.refuse(how)
  const slot = next()
  const { status, body } = await agent.post('/api/bookings', slot)
  expect([status, body.code], JSON.stringify(body)).toEqual([402, code])
  expect(body.plan_url).toBe(`${service.url}/dashboard/plan`)
  expect(await payers.states(agent)).toEqual(['failed'])
  const { rows } = await service.db.query('select status, fee_status from booking where id = $1', [
    body.booking_id,
  ])
  expect(rows).toEqual([{ status: 'failed', fee_status: 'none' }])
  expect(await payers.balances(agent)).toEqual({})
  slots.push(slot)
})

test('a charge whose answer is lost is looked up, and events about it may repeat', async () => {
  const agent = await payers.openPayer('silent')
  const { status, body } = await agent.post('/api/bookings', next())
  expect(status, JSON.stringify(body)).toBe(201)
  const [payment] = await payers.payments(agent)
  expect(payment.state).toBe('authorized')
  await finish()
  const intent = stripe.charges().find((one) => one.id === payment.provider_id) ?? { id: '' }
  const event = stripe.event('payment_intent.amount_capturable_updated', intent)
  for (let n = 0; n < 2; n += 1) {
    const signature = event.headers['stripe-signature']
    await receiveEvent(deps, Buffer.from(event.body), signature, new Date())
  }
  expect(await payers.states(agent)).toEqual(['succeeded'])
})

test('a capture that is refused leaves the fee on the month’s invoice', async () => {
  const agent = await payers.openPayer('works')
  const { body } = await agent.post('/api/bookings', next())
  const [{ provider_id }] = await payers.payments(agent)
  const intent = stripe.authorized().find((one) => one.id === provider_id)
  Object.assign(intent ?? {}, { status: 'canceled' })
  await finish()
  expect(await payers.states(agent)).toEqual(['failed'])
  const { amount_minor } = body.booking.fee
  expect(await payers.balances(agent)).toEqual({ unbilled: amount_minor, revenue: -amount_minor })
})

test('a fee is reserved while a person decides, for one choice at a time', async () => {
  const agent = await payers.openPayer('works')
  const [slot, other] = [next(), next()]
  const byPerson = `update venue set confirm_mode = 'request' where id = $1`
  await service.db.query(byPerson, [slot.venue_id])
  const { status, body } = await agent.post('/api/bookings', {
    ...slot,
    alternatives: [other],
  })
  expect([status, body.status], JSON.stringify(body)).toEqual([202, 'pending'])
  expect(body.next).toContain(`${body.booking.fee.text} is reserved on Visa 4242 first`)
  await finish()
  expect(await payers.states(agent)).toEqual(['authorized'])
  await service.db.query(`update venue set confirm_mode = 'auto' where id = $1`, [slot.venue_id])
  await agent.post(`/api/bookings/${body.booking.id}/cancel`, {})
  await finish()
  expect(await payers.states(agent)).toEqual(['failed'])
})

test('a capture leaves a newer card on file, and counts as it was taken', async () => {
  const agent = await payers.openPayer('works')
  const { id, fee } = (await agent.post('/api/bookings', next())).body.booking
  await payers.saveCard(agent, 'declined')
  const [{ provider_id }] = await payers.payments(agent)
  // Killed after the capture; then a change lowers the fee.
  const intent = stripe.authorized().find((one) => one.id === provider_id) ?? {}
  const { amount_minor } = fee
  Object.assign(intent, { status: 'succeeded', amount_received: amount_minor })
  expect((await agent.patch(`/api/bookings/${id}`, { party_size: 1 })).status).toBe(200)
  await finish()
  expect(await payers.payments(agent)).toMatchObject([{ state: 'succeeded', amount_minor }])
  expect(await payers.balances(agent)).toMatchObject({ cash: amount_minor, credit: -amount_minor })
  expect(await payers.methodOf(agent)).toBe('pm_declined')
})

test('a capture waits for a cancellation, and what was not refunded yet is sent back', async () => {
  const agent = await payers.openPayer('works')
  const { id, fee } = (await agent.post('/api/bookings', next())).body.booking
  const other = (await agent.post('/api/bookings', next())).body.booking
  const free = await service.db.connect()
  await free.query('begin')
  await free.query(
    `update booking set status = 'cancelled', fee_status = 'reversed', cancelled_by = 'agent',
       reason_code = 'plans_changed', next_action_at = null where id = $1`,
    [id],
  )
  const capturing = finish()
  await untilWaiting(service.db, 1)
  await free.query('commit')
  free.release()
  await capturing
  expect(await payers.payments(agent)).toMatchObject([
    { state: 'succeeded', is_surplus: true, refunded_minor: fee.amount_minor },
    { state: 'succeeded', is_surplus: false },
  ])
  await service.db.query('update payment set refunded_minor = 100 where booking_id = $1', [
    other.id,
  ])
  await agent.post(`/api/bookings/${other.id}/cancel`, {})
  const { rows } = await service.db.query(
    'select r.amount_minor from refund r join payment p on p.id = r.payment_id where due_id = $1',
    [other.id],
  )
  expect(rows).toEqual([{ amount_minor: other.fee.amount_minor - 100 }])
})

test('a fee of 0 needs no card', async () => {
  const agent = await payers.openPayer('declined')
  const [slot, other] = [next(), next()]
  await payers.dropSpend([slot.venue_id, other.venue_id])
  const hold = await agent.post('/api/holds', slot)
  expect(hold.body.next).not.toContain('Confirming charges')
  const confirmed = await agent.post('/api/bookings', { hold_id: hold.body.booking.id })
  expect(confirmed.status, JSON.stringify(confirmed.body)).toBe(201)
  expect((await agent.post('/api/bookings', other)).status).toBe(201)
  expect(await payers.states(agent)).toEqual([])
})

test('a change is captured at its fee, and raises it only with pro', async () => {
  const agent = await payers.openPayer('works')
  const { id, fee } = (await agent.post('/api/bookings', next())).body.booking
  const lower = await agent.patch(`/api/bookings/${id}`, { party_size: 1 })
  expect(lower.status, JSON.stringify(lower.body)).toBe(200)
  await finish()
  const amount_minor = fee.amount_minor / 2
  expect(await payers.payments(agent)).toMatchObject([{ state: 'succeeded', amount_minor }])
  const [{ provider_id }] = await payers.payments(agent)
  expect(stripe.charges().find(({ id }) => id === provider_id)?.amount_received).toBe(amount_minor)
  const raise = () => agent.patch(`/api/bookings/${id}`, { party_size: 2 })
  expect(await raise()).toMatchObject({
    status: 402,
    body: { code: 'fee_above_authorized', plan_url: `${service.url}/dashboard/plan` },
  })
  const hold_id = (await agent.post('/api/holds', next())).body.booking.id
  await service.db.query(`update account set tier = 'pro' where id = $1`, [agent.accountId])
  expect((await raise()).status).toBe(200)
  const confirmed = await agent.post('/api/bookings', { hold_id })
  expect(confirmed.status, JSON.stringify(confirmed.body)).toBe(201)
})

test('an itinerary authorises every part before it asks a venue, or books nothing', async () => {
  const agent = await payers.openPayer('works')
  const parts = [next(), next()]
  const { status, body } = await agent.post('/api/itineraries', { parts, wait: 30 })
  expect([status, body.status], JSON.stringify(body)).toEqual([201, 'confirmed'])
  expect(await payers.states(agent)).toEqual(['authorized', 'authorized'])
  await finish()
  expect(await payers.states(agent)).toEqual(['succeeded', 'succeeded'])

  await payers.saveCard(agent, 'declined')
  const refused = await agent.post('/api/itineraries', { parts: [next(), next()], wait: 30 })
  const declined = { code: 'card_declined', plan_url: `${service.url}/dashboard/plan` }
  expect(refused).toMatchObject({ status: 402, body: { ...declined, part: 1 } })
  const count = (await payers.states(agent)).length
  const anyOf = { ...next(), alternatives: [next(), next()], wait: 30 }
  const none = await agent.post('/api/bookings', anyOf)
  expect(none, JSON.stringify(none.body)).toMatchObject({ status: 402, body: declined })
  expect(await payers.states(agent)).toHaveLength(count + 1)
  await eventually('the end of its parts', async () => {
    const { rows } = await service.db.query(
      `select from booking where account_id = $1 and status in ('held', 'pending')`,
      [agent.accountId],
    )
    return rows.length === 0
  })
})
