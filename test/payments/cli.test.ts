import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../../src/base/durations.ts'
import { closeMonthsOf } from '../../src/ledger/steps/close-months.ts'
import type { Agent } from '../support/agent.ts'
import { callCli } from '../support/cli.ts'
import { openPaymentDoors, type PaymentDoors } from '../support/payment-doors.ts'

let doors: PaymentDoors
let agent: Agent

beforeAll(async () => {
  doors = await openPaymentDoors('local')
  agent = await doors.openAgent('free')
})
afterAll(() => doors?.close())

const cli = (...args: string[]) =>
  callCli(args, { VENUE_NETWORK_URL: doors.url, VENUE_NETWORK_KEY: agent.key })

test('nothing is due before the first month is closed', async () => {
  expect((await cli('fees')).stdout).toBe('No fees match.\n')
  expect((await cli('balance')).stdout).toContain('Nothing has been charged yet.')
  expect((await cli('invoices', 'list')).stdout).toContain('No invoices match.')
  const { stdout } = await cli('payments', 'list')
  expect(stdout).toContain('No card is on file: venue-network payments card')
  expect(stdout).toContain('Nothing is due.')
})

test('an invoice is shown, and can be paid only with a card on file', async () => {
  const now = new Date()
  await doors.db.query(
    `insert into ledger_entry (id, account_id, currency, kind, debit, credit, amount_minor,
       source_kind, source_id, at, note)
     values (gen_random_uuid(), $1, 'USD', 'accrued', 'unbilled', 'revenue', 1234, 'correction',
       gen_random_uuid(), $2, 'A missed fee')`,
    [agent.accountId, now],
  )
  expect((await cli('balance')).stdout).toMatch(/USD +USD 12\.34 +USD 0 /)
  await closeMonthsOf(doors.db, agent.accountId, new Date(now.getTime() + 40 * DAY_MS))
  const [invoice] = (await cli('invoices', 'list', '--status', 'open', '--json')).json().invoices
  const shown = await cli('invoices', 'show', invoice.id)
  expect(shown.stdout).toMatch(/A missed fee +adjustment +USD 12\.34/)

  const refused = await cli('payments', 'pay', invoice.id)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/payment_required[\s\S]*Pay at http:\/\/127\.0\.0\.1:3000\/pay\//)
  await doors.use((await cli('payments', 'card')).stdout.trim(), 'works')
  expect((await cli('payments', 'list')).stdout).toContain('A card is on file.')
  const [, page = ''] = /Pay at (\S+)/.exec(refused.stderr) ?? []
  await doors.use(page, 'works')
  const paid = await cli('payments', 'list')
  expect(paid.stdout).toContain('Nothing is due.')
  expect(paid.stdout).toMatch(/succeeded +USD 12\.34/)
  const again = await cli('payments', 'pay', invoice.id)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('due_not_found')])
  expect((await cli('invoices', 'list')).stdout).toMatch(/USD 12\.34 +USD 0 +paid/)
})
