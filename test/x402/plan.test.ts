import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scopes } from '../../src/contract/rules/scopes.ts'
import { settlementWorkflowId } from '../../src/x402/rules/settlement-start.ts'
import { openAgent } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'
import { postEnvelope } from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'
import { decoded, openWallet, posting } from './pay.ts'

const PRICE = 49_000_000n

let service: Service
beforeAll(async () => {
  service = await openService({ X402_FACILITATOR: 'local', PAYMENTS: 'local' })
})
afterAll(() => service.close())

/** An account on the free tier with a key that may change its plan, and a wallet. */
async function openPayer(usdc = 100) {
  const agent = await openAgent(service.db, service.url, 'free')
  await service.db.query('update api_key set scopes = $2 where account_id = $1', [
    agent.accountId,
    scopes,
  ])
  const wallet = await openWallet(service.db, usdc, 50)
  const key = { authorization: `Bearer ${agent.key}` }
  return { agent, wallet, key, asksForPro: posting({ tier: 'pro' }, key) }
}

const planUrl = () => `${service.url}/api/plan`

const rowsOf = async (table: string, accountId: string) =>
  (await service.db.query(`select * from ${table} where account_id = $1`, [accountId])).rows

test('an account without a card is told what a month costs, by wallet and by card', async () => {
  const { asksForPro } = await openPayer()
  const response = await fetch(planUrl(), asksForPro)
  expect(response.status).toBe(402)
  expect(decoded(response.headers.get('payment-required'))).toMatchObject({
    x402Version: 2,
    resource: { url: planUrl() },
    accepts: [{ scheme: 'exact', amount: String(PRICE) }],
  })
  const body = (await response.json()) as any
  expect(body).toMatchObject({
    code: 'payment_required',
    x402Version: 1,
    accepts: [{ maxAmountRequired: String(PRICE) }],
    amount: { amount_minor: 4900, currency: 'USD' },
  })
  expect(body.detail).toContain('is USD 49, paid as 49.00 USDC')
  expect(body.detail).toContain(body.pay_url)
})

test('an unmodified client pays once, and its payment gives the receipt again', async () => {
  const { agent, wallet, asksForPro } = await openPayer()
  const asked = (await (await fetch(planUrl(), asksForPro)).json()) as any
  let sent: RequestInit = {}
  const recording: typeof fetch = (input, init) => {
    sent = input instanceof Request ? { headers: Object.fromEntries(input.headers) } : (init ?? {})
    return fetch(input, init)
  }
  const response = await wrapFetchWithPayment(recording, wallet.client)(planUrl(), asksForPro)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  const { plan, changed, payment } = JSON.parse(text)
  expect(changed).toBe(true)
  expect(plan).toMatchObject({ tier: 'pro', paid: { by: 'x402' } })
  expect(Date.parse(plan.paid.until)).toBeGreaterThan(Date.now())
  expect(decoded(response.headers.get('payment-response'))).toEqual(payment)
  expect(payment).toMatchObject({ success: true, payer: wallet.address, amount: String(PRICE) })
  expect(await wallet.balance()).toBe(100_000_000n - PRICE)

  const again = await fetch(planUrl(), { ...asksForPro, headers: sent.headers as never })
  expect(await again.json()).toEqual({ ...JSON.parse(text), changed: false })
  expect(await wallet.balance()).toBe(100_000_000n - PRICE)
  const unpaid = await wallet.fetch(planUrl(), asksForPro)
  expect(await unpaid.json()).toMatchObject({ changed: false, plan: { tier: 'pro' } })

  // The page for a card was closed, so nobody pays there as well.
  const page = new URL(asked.pay_url)
  expect(await (await fetch(service.url + page.pathname)).text()).toContain('no longer needed')
  const payments = (await agent.get('/api/payments')).body.payments
  expect(payments.map(({ provider, state }: any) => [provider, state])).toEqual([
    ['x402', 'succeeded'],
    ['local', 'failed'],
  ])
  const id = settlementWorkflowId(payments[0].id)
  await eventually('the end of its workflow', async () => {
    const { status } = await service.client.workflow.getHandle(id).describe()
    return status.name === 'COMPLETED'
  })
})

test('the card page that was used pays, and the wallet does not pay as well', async () => {
  const { agent, wallet, asksForPro } = await openPayer()
  const required = await fetch(planUrl(), asksForPro)
  const { pay_url } = (await required.json()) as any
  await fetch(service.url + new URL(pay_url).pathname, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: service.url },
    body: new URLSearchParams({ card: 'works' }),
  })
  const quote = decoded(required.headers.get('payment-required'))
  const payment = await wallet.client.createPaymentPayload(quote)
  const header = Buffer.from(JSON.stringify(payment)).toString('base64')
  const paid = await agent.post('/api/plan', { tier: 'pro' }, { 'payment-signature': header })
  expect(paid).toMatchObject({ status: 200, body: { plan: { tier: 'pro', paid: { by: 'card' } } } })
  expect(await wallet.balance()).toBe(100_000_000n)
  expect(await rowsOf('x402_payment', agent.accountId)).toEqual([])
})

test('an MCP client pays for pro in `_meta`', async () => {
  const { wallet, key } = await openPayer()
  const client = new Client({ name: 'payer', version: '1.0.0' })
  const requestInit = { headers: key }
  const url = new URL(`${service.url}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  const call = { name: 'change_plan', arguments: { tier: 'pro' } }
  const asked = (await client.callTool(call)) as any
  expect(asked).toMatchObject({
    isError: true,
    structuredContent: {
      resource: { url: 'mcp://tool/change_plan' },
      accepts: [{ amount: String(PRICE) }],
    },
  })
  const payment = await wallet.client.createPaymentPayload(asked.structuredContent)
  const paid = (await client.callTool({ ...call, _meta: { 'x402/payment': payment } })) as any
  expect(paid.isError, JSON.stringify(paid)).toBeFalsy()
  expect(JSON.parse(paid.content[0].text)).toMatchObject({ plan: { tier: 'pro' }, changed: true })
  expect(paid._meta['x402/payment-response']).toMatchObject({ payer: wallet.address })
  await client.close()
})

test('an A2A agent pays for pro in the metadata of its message', async () => {
  const { agent, wallet } = await openPayer()
  const message = { intent: 'plan.change', payload: { tier: 'pro' } }
  const asked = await postEnvelope(service.url, agent.key, message)
  expect(asked).toMatchObject({
    status: 402,
    body: { meta: { 'x402.payment.status': 'payment-required' } },
  })
  const required = asked.body.meta['x402.payment.required']
  const payload = await wallet.client.createPaymentPayload(required)
  const metadata = {
    'x402.payment.status': 'payment-submitted',
    'x402.payment.payload': payload,
  }
  const paid = await postEnvelope(service.url, agent.key, { ...message, metadata })
  expect(paid.body).toMatchObject({
    payload: { plan: { tier: 'pro' }, changed: true },
    meta: { 'x402.payment.receipts': [{ success: true, payer: wallet.address }] },
  })
})

test('a payment of another account, or for another price, pays nothing here', async () => {
  const first = await openPayer()
  const second = await openPayer()
  const required = await fetch(planUrl(), first.asksForPro)
  const quote = decoded(required.headers.get('payment-required'))
  const payment = await first.wallet.client.createPaymentPayload(quote)
  const header = Buffer.from(JSON.stringify(payment)).toString('base64')
  const send = (agent: typeof first.agent) =>
    agent.post('/api/plan', { tier: 'pro' }, { 'payment-signature': header })
  expect(await send(second.agent)).toMatchObject({
    status: 402,
    body: { code: 'payment_rejected', reason: 'quote_outdated' },
  })
  expect((await send(first.agent)).status).toBe(200)
  expect(await send(second.agent)).toMatchObject({ status: 409, body: { code: 'payment_reused' } })
})

test('a wallet without money leaves the account on free', async () => {
  const { agent, wallet, asksForPro } = await openPayer(1)
  const response = await wallet.fetch(planUrl(), asksForPro)
  expect(response.status).toBe(402)
  expect(await response.json()).toMatchObject({ code: 'payment_rejected' })
  expect(await rowsOf('x402_payment', agent.accountId)).toEqual([])
})

test('without a key there is no plan to pay for', async () => {
  const response = await fetch(planUrl(), posting({ tier: 'pro' }))
  expect(response.status).toBe(401)
})
