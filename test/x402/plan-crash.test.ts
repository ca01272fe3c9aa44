import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { scopes } from '../../src/contract/rules/scopes.ts'
import { openAgent } from '../support/agent.ts'
import { afterCommit, type CrashSite, openCrashSite } from '../support/crash-site.ts'
import { eventually } from '../support/programs.ts'
import type { Catch } from '../support/tcp-proxy.ts'
import { decoded, openWallet, posting } from './pay.ts'

// A worker is killed while it settles a payment for pro. The next one must end with one charge, one
// month and one change of plan.

let site: CrashSite
beforeAll(async () => {
  site = await openCrashSite({ X402_FACILITATOR: 'local' })
})
afterAll(() => site?.close())
afterEach(() => site.killWorkers())

const beforeStatement = (text: string): Catch => ({ direction: 'request', text, occurrence: 1 })

test.each([
  [
    'before it writes down that it settles',
    beforeStatement("update x402_payment set state = 'settling'"),
  ],
  ['after the money has moved', beforeStatement('update x402_payment set state = $1')],
  ['in the middle of the change of plan', beforeStatement('insert into plan_change')],
  ['after all of it has committed', afterCommit(1)],
])('a worker that is killed %s leaves a month to the next one', async (_when, at) => {
  const { db, config } = site.network
  const url = `http://127.0.0.1:${config.PORT}/api/plan`
  const agent = await openAgent(db, `http://127.0.0.1:${config.PORT}`, 'free')
  const { accountId } = agent
  await db.query('update api_key set scopes = $2 where account_id = $1', [accountId, scopes])
  const wallet = await openWallet(db, 100, 50)
  const asking = posting({ tier: 'pro' }, { authorization: `Bearer ${agent.key}` })
  const quote = decoded((await fetch(url, asking)).headers.get('payment-required'))
  const payment = await wallet.client.createPaymentPayload(quote)
  const header = Buffer.from(JSON.stringify(payment)).toString('base64')
  const send = () => agent.post('/api/plan', { tier: 'pro' }, { 'payment-signature': header })

  let lost: ReturnType<typeof send> | undefined
  await site.killWorkerAt(at, async () => {
    lost = send()
  })
  await site.startWorker()
  expect([200, 409]).toContain((await lost)?.status)
  const paid = await eventually('the month to be paid', async () => {
    const answer = await send()
    expect(answer.status, JSON.stringify(answer.body)).not.toBe(402)
    return answer.status === 200 && answer.body
  })
  expect(paid).toMatchObject({ plan: { tier: 'pro' }, payment: { success: true } })
  expect(await wallet.balance()).toBe(51_000_000n)
  const counted = await db.query(
    `select (select count(*)::int from payment where account_id = $1 and state = 'succeeded')
         as payments,
       (select count(*)::int from invoice where account_id = $1) as months,
       (select count(*)::int from plan_change where account_id = $1) as changes`,
    [accountId],
  )
  expect(counted.rows).toEqual([{ payments: 1, months: 1, changes: 1 }])
})
