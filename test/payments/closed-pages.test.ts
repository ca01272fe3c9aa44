import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endCardPage } from '../../src/accounts/store/members.ts'
import { DAY_MS } from '../../src/base/durations.ts'
import { byCommand } from '../../src/contract/audit.ts'
import { suspendAccount } from '../../src/operators/steps/suspend-account.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import { locationOf, payPathIn } from '../support/buy-pro.ts'
import { type Browser, openBrowser, openMember } from '../support/developers.ts'
import { openPaymentDoors, type PaymentDoors, paymentProviders } from '../support/payment-doors.ts'

let doors: PaymentDoors
beforeAll(async () => {
  doors = await openPaymentDoors('local')
})
afterAll(() => doors?.close())

const close = {
  deleted: `update account set deleted_at = now() where id = $1`,
  suspended: `update account set suspended_at = now(), suspended_reason = 'fraud' where id = $1`,
}
const origin = () => ({ origin: doors.deps.publicUrl })
const cardPage = async (browser: Browser) =>
  payPathIn((await browser.post('/dashboard/payments/card')).html)
const methodOf = async (accountId: string) =>
  (
    await doors.db.query('select method_id from payment_customer where account_id = $1', [
      accountId,
    ])
  ).rows[0].method_id

describe.each(['deleted', 'suspended'] as const)('once its account is %s', (state) => {
  test('a card page takes no card', async () => {
    const owner = await openBrowser(doors)
    const path = await cardPage(owner)
    await doors.db.query(close[state], [owner.accountId])
    expect((await owner.get(path)).html).not.toContain('<form')
    const late = await owner.post(path, { card: 'works' }, origin())
    expect([late.status, await methodOf(owner.accountId)]).toEqual([409, null])
  })

  test('a payment page takes no payment and is closed', async () => {
    const owner = await openBrowser(doors)
    const payment = locationOf(await owner.post('/dashboard/plan', { tier: 'pro' }))
    const path = payPathIn((await owner.get(payment)).html)
    await doors.db.query(close[state], [owner.accountId])
    expect((await owner.get(path)).html).not.toContain('<form')
    expect((await owner.post(path, { card: 'works' }, origin())).status).toBe(409)
    await doors.collect(new Date(Date.now() + DAY_MS))
    const { rows } = await doors.db.query(
      `select p.state, c.state as page from payment p join local_charge c on c.id = p.id
       where p.account_id = $1`,
      [owner.accountId],
    )
    expect(rows).toEqual([{ state: 'failed', page: 'closed' }])
  })
})

describe.each(paymentProviders)('at %s', (provider) => {
  let own: PaymentDoors
  beforeAll(async () => {
    own = await openPaymentDoors(provider)
  })
  afterAll(() => own?.close())

  test('a card saved on a page that has ended is not recorded', async () => {
    const agent = await own.openAgent()
    const { body } = await agent.post('/api/payments/card', {})
    await endCardPage(own.db, agent.accountId)
    await own.use(body.card_page_url, 'works').catch(() => {})
    expect((await agent.get('/api/payments')).body.has_card).toBe(false)
  })

  test('a payment made for an account that was deleted meanwhile is returned', async () => {
    const agent = await own.openAgent()
    const { body } = await agent.post('/api/plan', { tier: 'pro' })
    const isPaid = provider === 'stripe'
    if (isPaid) await own.use(body.pay_url, 'works')
    await own.db.query(close.deleted, [agent.accountId])
    await own.collect(new Date(Date.now() + DAY_MS))
    expect(await own.tierOf(agent.accountId)).toBe('free')
    const { rows } = await own.db.query(
      'select state, is_surplus from payment where account_id = $1',
      [agent.accountId],
    )
    expect(rows).toEqual([{ state: isPaid ? 'succeeded' : 'failed', is_surplus: isPaid }])
  })
})

test('removing or demoting the owner who opened a card page ends it', async () => {
  const owner = await openBrowser(doors)
  for (const act of ['remove', 'role']) {
    const other = await openMember(doors, owner.accountId, 'owner')
    const path = await cardPage(other)
    const fields = act === 'role' ? { role: 'read-only' } : { sure: 'yes' }
    const done = await owner.post(`/dashboard/members/${other.developerId}/${act}`, fields)
    expect(done.status).toBe(303)
    const late = await other.post(path, { card: 'works' }, origin())
    expect([act, late.status, await methodOf(owner.accountId)]).toEqual([act, 409, null])
  }
})

test('suspending and deleting an account ends its card page at once', async () => {
  const owner = await openBrowser(doors)
  await cardPage(owner)
  const pages = async () =>
    (
      await doors.db.query('select setup_page_id from payment_customer where account_id = $1', [
        owner.accountId,
      ])
    ).rows[0].setup_page_id
  expect(await pages()).not.toBeNull()
  const by = byCommand(owner.accountId, new Date())
  await transaction(doors.db, (tx) => suspendAccount(tx, { by, reason: 'fraud' }))
  expect(await pages()).toBeNull()
})
