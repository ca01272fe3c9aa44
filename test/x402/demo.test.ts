import { afterAll, beforeAll, expect, test } from 'vitest'
import { findSlot, openAgent, timesAhead } from '../support/agent.ts'
import { everyDoorTo } from '../support/every-door.ts'
import { openService, type Service } from '../support/network.ts'
import { decoded, openWallet, posting } from './pay.ts'

let service: Service

beforeAll(async () => {
  service = await openService({ X402_FACILITATOR: 'local' }, { isDemo: true })
})
afterAll(() => service?.close())

const NOTE = 'Demo venue: no one expects your user, and nothing is charged.'
const slotAt = (query: string) => findSlot(service.agent, query)

test('a demo venue says so in search, hold, confirmation and reading: it is free', async () => {
  const { agent } = service
  const { body: found } = await agent.get('/api/venues/search?q=Jepun+Grill+Ubud&party_size=2')
  expect(found.demo).toMatch(/no one expects the guest there, and nothing is charged\.$/)
  const { is_demo, takes_test_money, availability } = found.venues[0]
  expect({ is_demo, takes_test_money }).toEqual({ is_demo: true })
  expect(availability).toMatchObject({
    cancelling: 'always free: demo venue',
    typical_spend: expect.stringMatching(/^about IDR [\d,]+ per guest$/),
    fee: { charged_to: 'nobody: demo venue' },
  })
  const hold = await agent.post('/api/holds', await slotAt('Jepun Grill Ubud'))
  const { id, fee } = hold.body.booking
  expect(hold.body.next).toContain(NOTE)
  expect(hold.body.next).not.toMatch(/costs/)
  expect(fee).toMatchObject({ status: 'not_charged', charged_to: 'nobody: demo venue' })
  expect(fee.amount_minor).toBeGreaterThan(0)
  const { body } = await agent.post('/api/bookings', { hold_id: id })
  expect(body).toMatchObject({ status: 'confirmed', booking: { is_demo: true, fee } })
  expect(body.next).toContain(NOTE)
  const dry = await agent.patch(`/api/bookings/${id}`, { party_size: 3, dry_run: true })
  expect(dry.body.next).toMatch(/^This was a dry run: nothing was changed\. .*Demo venue/)
  // Even after the last free minute.
  await service.db.query(`update booking set cancel_until = now() where id = $1`, [id])
  const read = await agent.get(`/api/bookings/${id}`)
  const cost = { fee: 'none', amount_minor: 0, charged_to: 'nobody: demo venue' }
  expect(read.body).toMatchObject({ next: NOTE, booking: { fee }, cancellation: cost })
  expect((await agent.post(`/api/bookings/${id}/cancel`, {})).body.cancellation).toMatchObject({
    ...cost,
    policy: 'Cancelling costs nothing: this is a demo venue.',
  })
  expect(JSON.stringify([hold.body, body, read.body])).not.toMatch(/accrued|your account/)
})

test('the deposit of a demo venue is named, and not taken', async () => {
  const venue_id = 'tirta-sari-warung-ubud'
  const [slot_time] = await timesAhead(service.agent, venue_id, 10)
  const { body } = await service.agent.post('/api/holds', { venue_id, slot_time, party_size: 10 })
  expect(body.booking.deposit.text).toBe('IDR 6,400,000')
  expect(body.next).toContain('nothing is charged, nor is the deposit of IDR 6,400,000 taken.')
})

test('other demo venues send a free key to pro or to the sandbox, at every door', async () => {
  const free = await openAgent(service.db, service.url, 'free')
  const slot = await slotAt('Jepun Grill Ubud')
  for (const [door, send] of everyDoorTo('booking.confirm')) {
    const { code, message, body } = await send(service, free.key, slot)
    expect([door, code]).toEqual([door, 'plan_required'])
    expect(message).toContain(
      'This demo venue takes no x402 payments. This account is on the free tier',
    )
    expect(body.sandbox).toMatch(/\/docs\/sandbox$/)
    expect(message).toContain(body.sandbox)
    expect(message.includes('POST /api/plan'), door).toBe(door === 'REST')
  }
  const keyless = await fetch(`${service.url}/api/bookings`, posting(slot))
  expect([keyless.status, ((await keyless.json()) as any).code]).toEqual([401, 'unauthenticated'])
})

test('two demo venues take test money, and each door says where the terms are', async () => {
  const { rows } = await service.db.query('select slug from venue where takes_test_money')
  expect(rows.map(({ slug }) => slug).sort()).toEqual([
    'angin-laut-sushi-canggu',
    'padi-bathhouse-canggu',
  ])
  const { body: found } = await service.agent.get('/api/venues/search?q=Angin+Laut+Sushi+Canggu')
  expect(found.venues[0]).toMatchObject({
    ...{ is_demo: true, takes_test_money: true },
    availability: {
      cancelling: expect.stringMatching(
        /^always free on pro; in test money free until 24 h before/,
      ),
      fee: { charged_to: 'nobody with pro or a saved card, otherwise your wallet, in test money' },
    },
  })
  expect(found.demo).toContain('take test money (x402)')
  const slot = await slotAt('Angin Laut Sushi Canggu')
  const free = await openAgent(service.db, service.url, 'free')
  for (const [door, send] of everyDoorTo('booking.confirm')) {
    const { code, message } = await send(service, free.key, slot)
    expect([door, code]).toEqual([door, 'payment_required'])
    expect(message).toContain(door === 'A2A' ? '`meta["x402.payment.required"]`' : '`accepts`')
    expect(message).not.toMatch(/\bif\b/i)
    expect(message).toContain('it takes test money')
  }
  const wallet = await openWallet(service.db)
  const paid = await wallet.fetch(`${service.url}/api/bookings`, posting(slot))
  const body = (await paid.json()) as any
  expect([paid.status, body.status]).toEqual([201, 'confirmed'])
  expect(decoded(paid.headers.get('payment-response'))).toMatchObject({ success: true })
  expect(body.next).toContain('Demo venue: no one expects your user, and the fee is paid in test')
  expect(body.next).toContain(`and costs ${body.booking.fee.text} in test money after that.`)
  expect(body.booking.fee.charged_to).toBe('your wallet, in test money')
  const events = await service.db.query(
    "select data->>'charged_to' as payer from event where type = 'fee.accrued' and booking_id = $1",
    [body.booking.id],
  )
  expect(events.rows).toEqual([{ payer: 'your wallet, in test money' }])
})

test('a pro key pays nothing where test money is taken, and its fees say so', async () => {
  const { agent } = service
  const { body } = await agent.post('/api/bookings', await slotAt('Padi Bathhouse Canggu'))
  const nobody = { charged_to: 'nobody: demo venue' }
  expect(body.booking.fee).toMatchObject({ status: 'not_charged', ...nobody })
  const { entries } = (await agent.get('/api/fees?limit=1')).body
  expect(entries).toMatchObject([{ is_demo: true, booking_id: body.booking.id, ...nobody }])
})
