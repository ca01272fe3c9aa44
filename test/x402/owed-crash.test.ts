import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/contract/rules/durations.ts'
import type { Facilitator, PaymentPayload } from '../../src/x402/facilitator.ts'
import { checkFailed } from '../../src/x402/steps/send-refunds.ts'
import { insertTransfer } from '../../src/x402/store/local-ledger.ts'
import { die, openWalletDoors, PRICE, pro, type WalletDoors } from './wallet-doors.ts'

let doors: WalletDoors
beforeAll(async () => {
  doors = await openWalletDoors()
})
afterAll(() => doors?.close())

test('a month that was paid is not paid again after a downgrade', async () => {
  const payer = await doors.openPayer()
  await payer.buyPro()
  await payer.agent.post('/api/plan', { tier: 'free' })
  const back = await payer.agent.post('/api/plan', pro)
  expect(back).toMatchObject({ status: 200, body: { plan: pro, changed: true } })
  expect(await payer.spent()).toBe(PRICE)
})

const deaths: Readonly<Record<string, () => Partial<Facilitator>>> = {
  'before the money moves': () => ({ settle: die }),
  'after the money has moved': () => ({
    async settle(payment) {
      await doors.local.settle(payment)
      return die()
    },
  }),
  'before the outcome is stored': () => ({ lookUp: die }),
}

test.each(Object.keys(deaths))(
  'a process that dies %s charges once, and loses nothing',
  async (place) => {
    const payer = await doors.openPayer()
    const { agent } = payer
    const header = await payer.sign('/api/plan', pro)
    doors.settleWith({ ...doors.local, ...deaths[place]?.() })
    const lost = await agent.post('/api/plan', pro, header)
    // Nobody is asked to pay while it is undecided, with this payment, another one or none.
    expect(lost).toMatchObject({ status: 409, body: { code: 'payment_pending' } })
    expect(await agent.post('/api/plan', pro)).toMatchObject({ body: { code: 'payment_pending' } })
    expect(await doors.tierOf(agent)).toBe('free')
    doors.settleWith(doors.local)
    await doors.sweep()
    expect(await doors.tierOf(agent)).toBe('pro')
    const again = await agent.post('/api/plan', pro, header)
    expect(again).toMatchObject({ status: 200, body: { payment: { success: true } } })
    expect(await payer.spent()).toBe(PRICE)
    expect(await doors.statesOf(agent)).toEqual([{ payment: 'succeeded', x402: 'settled' }])
  },
)

test('an API that dies before it starts the settlement leaves it to the sweep', async () => {
  const payer = await doors.openPayer()
  const header = await payer.sign('/api/plan', pro)
  const { settlePayment } = doors.engine
  doors.engine.settlePayment = die
  const lost = await payer.agent.post('/api/plan', pro, header)
  doors.engine.settlePayment = settlePayment
  expect(lost.body.code).toBe('payment_pending')
  expect(await doors.statesOf(payer.agent)).toEqual([{ payment: 'processing', x402: 'verified' }])
  await doors.sweep()
  expect(await doors.tierOf(payer.agent)).toBe('pro')
  expect(await payer.spent()).toBe(PRICE)
})

test('a database that goes away between the outcome and the plan stores neither', async () => {
  const payer = await doors.openPayer()
  const header = await payer.sign('/api/plan', pro)
  const { accountId } = payer.agent
  await doors.db.query(
    `create function refuse_test_move() returns trigger language plpgsql as $$
     begin raise exception 'the server is away'; end $$;
     create trigger test_move before update of tier on account
     for each row when (new.id = '${accountId}') execute function refuse_test_move()`,
  )
  expect((await payer.agent.post('/api/plan', pro, header)).body.code).toBe('payment_pending')
  expect(await doors.statesOf(payer.agent)).toEqual([{ payment: 'processing', x402: 'settling' }])
  await doors.db.query('drop trigger test_move on account; drop function refuse_test_move()')
  expect((await payer.agent.post('/api/plan', pro, header)).status).toBe(200)
  expect(await doors.tierOf(payer.agent)).toBe('pro')
  expect(await payer.spent()).toBe(PRICE)
})

test('an outcome that nobody knows is asked about until somebody does', async () => {
  const payer = await doors.openPayer()
  const { agent } = payer
  const header = await payer.sign('/api/plan', pro)
  doors.settleWith({
    ...doors.local,
    settle: async (payment) => {
      await doors.local.settle(payment)
      return { result: 'none', reason: 'no answer' }
    },
    lookUp: async () => ({ used: false }),
  })
  for (let asks = 0; asks < 3; asks += 1) {
    const answer = await agent.post('/api/plan', pro, header)
    expect(answer).toMatchObject({ status: 409, body: { code: 'payment_pending' } })
  }
  const [{ id, state }] = (await agent.get('/api/payments')).body.payments
  expect(state).toBe('unknown')
  doors.settleWith(doors.local)
  await doors.sweep()
  expect((await agent.get(`/api/payments/${id}`)).body.payment.state).toBe('succeeded')
  expect(await payer.spent()).toBe(PRICE)
})

/** Has the payer use the nonce of a payment for a millionth, to another wallet of its own. */
async function usePayment({ accepted: { network }, payload }: PaymentPayload) {
  const { from: sender, nonce } = payload.authorization
  const move = { network, sender, recipient: `0x${'1'.repeat(40)}`, amount: 1n, nonce }
  await insertTransfer(doors.db, { ...move, hash: `by the payer ${nonce}`, at: new Date() })
}

test('a payer who uses a payment for itself first has bought nothing', async () => {
  const payer = await doors.openPayer()
  const { agent } = payer
  const header = await payer.sign('/api/plan', pro)
  doors.settleWith({
    ...doors.local,
    async settle(payment) {
      await usePayment(payment)
      return doors.local.settle(payment)
    },
  })
  const answer = await agent.post('/api/plan', pro, header)
  doors.settleWith(doors.local)
  expect(answer).toMatchObject({ status: 402, body: { code: 'payment_rejected' } })
  expect(await payer.spent()).toBe(1n)
  expect(await doors.tierOf(agent)).toBe('free')
  expect(await doors.statesOf(agent)).toEqual([{ payment: 'failed', x402: 'failed' }])
})

test('a payer who uses a failed payment for itself gets nothing back', async () => {
  const payer = await doors.openPayer()
  const { agent } = payer
  const header = await payer.sign('/api/plan', pro)
  doors.settleWith({
    ...doors.local,
    settle: async () => ({ result: 'refused', reason: 'insufficient_funds' }),
    async lookUp(payment) {
      const usage = await doors.local.lookUp(payment)
      await usePayment(payment)
      return usage
    },
  })
  expect((await agent.post('/api/plan', pro, header)).body.code).toBe('payment_rejected')
  doors.settleWith(doors.local)
  const { db, log, local: facilitator } = doors
  await checkFailed({ db, log, facilitator }, new Date(Date.now() + HOUR_MS))
  const { rows } = await db.query(
    `select state, checked_at is not null as is_checked from x402_payment where account_id = $1`,
    [agent.accountId],
  )
  expect(rows).toEqual([{ state: 'failed', is_checked: true }])
})

test('two payments at once: one is sent, the other never', async () => {
  const payer = await doors.openPayer()
  const headers = [await payer.sign('/api/plan', pro), await payer.sign('/api/plan', pro)] as const
  const answers = await Promise.all(
    headers.map((header) => payer.agent.post('/api/plan', pro, header)),
  )
  expect(answers.map(({ status }) => status)).toContain(200)
  for (const { status } of answers) expect([200, 409]).toContain(status)
  expect(await payer.spent()).toBe(PRICE)
  expect(await doors.statesOf(payer.agent)).toHaveLength(1)
})

test('the database lets neither row go its own way', async () => {
  const payer = await doors.openPayer()
  const header = await payer.sign('/api/plan', pro)
  doors.settleWith({ ...doors.local, settle: die })
  await payer.agent.post('/api/plan', pro, header)
  doors.settleWith(doors.local)
  const [{ id }] = (await payer.agent.get('/api/payments')).body.payments
  const alone = [
    `update x402_payment set state = 'settled', transaction = '0x1' where id = '${id}'`,
    `update x402_payment set state = 'failed', error = 'x' where id = '${id}'`,
    `update payment set state = 'succeeded', is_surplus = true, provider_id = '0x1'
     where id = '${id}'`,
  ]
  for (const statement of alone) {
    await expect(doors.db.query(statement)).rejects.toThrow('do not agree')
  }
  await doors.sweep()
  expect(await doors.tierOf(payer.agent)).toBe('pro')
})
