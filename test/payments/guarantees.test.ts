import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DepositRule } from '../../src/availability/rules/deposit.ts'
import { runCommands } from '../../src/bookings/steps/run-commands.ts'
import { selectBookingStart } from '../../src/bookings/store/booking-starts.ts'
import { DAY_MS } from '../../src/contract/rules/durations.ts'
import { scopes } from '../../src/contract/rules/scopes.ts'
import { closeMonths } from '../../src/ledger/steps/close-months.ts'
import { chargeHooks } from '../../src/payments/charge-hooks.ts'
import { type Agent, agentWith, makeKey } from '../support/agent.ts'
import { storeCommand } from '../support/commands.ts'
import { openMcpClient } from '../support/mcp-tool.ts'
import { openService, type Service } from '../support/network.ts'
import { slotWithDeposit } from '../support/slot-with-deposit.ts'
import { stepDeps } from '../support/terms.ts'
import { decoded, openWallet, posting } from '../x402/pay.ts'

const AMOUNT = 30_000_000
const rule: DepositRule = { kind: 'guarantee', amount_minor: AMOUNT, per: 'party', party_min: 2 }

let service: Service

beforeAll(async () => {
  service = await openService({ PAYMENTS: 'local', X402_FACILITATOR: 'local' })
})
afterAll(() => service.close())

async function openAgent(tier: 'free' | 'pro' = 'pro') {
  const { accountId, key } = await makeKey(service.db, tier, scopes)
  return agentWith(service.url, accountId, key)
}

/** The account leaves a card on the page of the provider. */
async function leaveCard(agent: Agent) {
  const { body } = await agent.post('/api/payments/card', {})
  const page = new URL(body.card_url)
  await fetch(`${service.url}${page.pathname}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: page.origin },
    body: new URLSearchParams({ card: 'works' }),
  })
  await agent.get('/api/payments')
}

const slotWithGuarantee = async () => (await slotWithDeposit(service.db, rule)).request

const depositEntries = async ({ accountId }: Agent) =>
  (
    await service.db.query(
      `select kind, debit, credit, amount_minor::int as minor from ledger_entry
       where account_id = $1 and source_kind = 'deposit' order by kind desc`,
      [accountId],
    )
  ).rows

async function cancelAt(bookingId: string, at: Date) {
  const start = await selectBookingStart(service.db, bookingId)
  const id = await storeCommand(service.db, start, 'cancel', at)
  await runCommands(service.db, start, stepDeps, { asked: [id], at })
}

test('is shown before booking, and refused with what to do without a card', async () => {
  const agent = await openAgent()
  const slot = await slotWithGuarantee()
  const date = slot.slot_time.slice(0, 10)
  const asked = `/api/venues/${slot.venue_id}/availability?date=${date}&party_size=2&detail=full`
  const { body } = await agent.get(asked)
  expect(JSON.stringify(body)).toContain(
    'Guarantee of IDR 300,000 per booking for 2 guests or more',
  )
  for (const path of ['/api/bookings', '/api/holds']) {
    const refused = await agent.post(path, slot)
    expect(refused).toMatchObject({ status: 403, body: { code: 'guarantee_not_covered' } })
    expect(refused.body.detail).toContain('no card on file')
    expect(refused.body.detail).toContain('POST /api/payments/card')
  }
  const smaller = await agent.post('/api/bookings', { ...slot, party_size: 1 })
  expect(smaller).toMatchObject({ status: 201, body: { booking: { deposit: null } } })
  const grown = await agent.patch(`/api/bookings/${smaller.body.booking.id}`, { party_size: 2 })
  expect(grown).toMatchObject({ status: 403, body: { code: 'guarantee_not_covered' } })
})

test('an MCP client reads the same refusal', async () => {
  const agent = await openAgent()
  const client = await openMcpClient(service.url, agent.key)
  const slot = await slotWithGuarantee()
  const refused = (await client.callTool({ name: 'confirm_booking', arguments: slot })) as any
  expect(refused.isError).toBe(true)
  expect(refused.content[0].text).toContain('guarantee_not_covered')
  await client.close()
})

test('takes nothing at booking; to the millisecond, a late cancellation charges it', async () => {
  const agent = await openAgent()
  await leaveCard(agent)
  const hold = await agent.post('/api/holds', await slotWithGuarantee())
  expect(hold.body.booking.deposit).toMatchObject({ kind: 'guarantee', status: 'due' })
  const inTime = await agent.post('/api/bookings', { hold_id: hold.body.booking.id })
  expect(inTime.body.booking.deposit).toMatchObject({
    ...{ kind: 'guarantee', status: 'taken', amount_minor: AMOUNT },
    returned_until: inTime.body.booking.cancel_until,
  })
  const { body } = await agent.post('/api/bookings', await slotWithGuarantee())
  expect(await depositEntries(agent)).toEqual([])
  await cancelAt(inTime.body.booking.id, new Date(inTime.body.booking.cancel_until))
  expect(await depositEntries(agent)).toEqual([])
  await cancelAt(body.booking.id, new Date(Date.parse(body.booking.cancel_until) + 1))
  expect(await depositEntries(agent)).toEqual([
    { kind: 'deposit_taken', debit: 'unbilled', credit: 'deposits', minor: AMOUNT },
    { kind: 'deposit_kept', debit: 'deposits', credit: 'venue_payable', minor: AMOUNT },
  ])
  const { body: timeline } = await agent.get(`/api/bookings/${body.booking.id}/timeline`)
  expect(JSON.stringify(timeline)).toContain('Its guarantee was charged for the venue.')
  const at = new Date(Date.now() + 40 * DAY_MS)
  for (let more = true; more; ) more = (await closeMonths(service.db, { at })).hasMore
  const { rows } = await service.db.query(
    `select l.description, l.amount_minor::int as minor from invoice_line l
     join monthly_invoice i on i.id = l.invoice_id
     where i.account_id = $1 and l.description like 'Guarantee%'`,
    [agent.accountId],
  )
  const description = expect.stringMatching(/^Guarantee of a booking, kept for the venue: Test /)
  expect(rows).toEqual([{ description, minor: AMOUNT }])
})

test('a hold is not confirmed once its card is gone', async () => {
  const agent = await openAgent()
  await leaveCard(agent)
  const { body } = await agent.post('/api/holds', await slotWithGuarantee())
  await service.db.query('update payment_customer set method_id = null where account_id = $1', [
    agent.accountId,
  ])
  const refused = await agent.post('/api/bookings', { hold_id: body.booking.id })
  expect(refused).toMatchObject({ status: 403, body: { code: 'guarantee_not_covered' } })
})

test('a wallet without an account is refused before it pays', async () => {
  const answer = await fetch(`${service.url}/api/bookings`, posting(await slotWithGuarantee()))
  expect(answer.status).toBe(403)
  expect(answer.headers.get('payment-required')).toBeNull()
  expect(await answer.json()).toMatchObject({ code: 'guarantee_not_covered' })
})

test('an account on the free tier pays the fee by x402 and guarantees with its card', async () => {
  const agent = await openAgent('free')
  const slot = await slotWithGuarantee()
  expect((await agent.post('/api/bookings', slot)).body.code).toBe('guarantee_not_covered')
  await leaveCard(agent)
  const asked = await fetch(`${service.url}/api/bookings`, {
    ...posting(slot, { authorization: `Bearer ${agent.key}` }),
  })
  const { resource } = decoded(asked.headers.get('payment-required'))
  expect(resource.description).toBe('The fee of this booking')
  const wallet = await openWallet(service.db)
  const paid = await wallet.fetch(
    `${service.url}/api/bookings`,
    posting(slot, { authorization: `Bearer ${agent.key}` }),
  )
  const { booking } = (await paid.json()) as any
  expect(booking.deposit).toMatchObject({ kind: 'guarantee', status: 'taken' })
})

test('where no payments are collected, the invoice of a pro account covers it', async () => {
  const { whyNotChargeable } = chargeHooks('none')
  const [pro, free] = [await openAgent('pro'), await openAgent('free')]
  expect(await whyNotChargeable(service.db, pro.accountId)).toBeUndefined()
  expect(await whyNotChargeable(service.db, free.accountId)).toMatchObject({
    code: 'guarantee_not_covered',
    message: expect.stringContaining('no invoice'),
  })
})
