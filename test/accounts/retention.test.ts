import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount } from '../../src/accounts/store/accounts.ts'
import { selectInvoices } from '../../src/accounts/store/plans.ts'
import { insertEndpointRow, settle, standing, writeEvents } from '../support/deliveries.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'

let network: Service

beforeAll(async () => {
  network = await openService({ WEBHOOK_RETENTION_DAYS: '2' }, { isScheduled: true })
  // The schedule runs on the hour, which might be now; even a paused one can be triggered.
  await network.client.schedule.getHandle('retention').pause()
})
afterAll(() => network?.close())

/** The result of a run of the schedule, started now. */
async function runNow(): Promise<unknown> {
  const { client } = network
  const schedule = client.schedule.getHandle('retention')
  const runs = async () => (await schedule.describe()).info.recentActions
  const earlier = (await runs()).length
  await schedule.trigger()
  const run = await eventually('a run of the retention', async () => {
    const actions = await runs()
    return actions.length > earlier && actions.at(-1)?.action.workflow
  })
  return client.workflow.getHandle(run.workflowId, run.firstExecutionRunId).result()
}

const logOldCall = (accountId: string) =>
  network.db.query(
    `insert into request_log (account_id, at, request_id, door, operation, code, ms, calls)
     values ($1, now() - interval '8 days', gen_random_uuid(), 'rest', 'ping', 'ok', 1, 1)`,
    [accountId],
  )

test('the schedule erases data older than the operator keeps, and maintains accounts', async () => {
  const { db, agent } = network
  const endpointId = await insertEndpointRow(db, agent.accountId, { status: 'paused' })
  await writeEvents(db, agent.accountId, 3)
  await settle(db, endpointId, 'delivered', [1, 2])
  await db.query(
    `update delivery set updated_at = now() - interval '49 hours'
     where endpoint_id = $1 and event_number = 1`,
    [endpointId],
  )
  await logOldCall(agent.accountId)
  expect(await runNow()).toMatchObject({
    deliveries: 1,
    endpoints: 0,
    accounts: { invoices: 1, calls: 1 },
    history: { done: 0, failed: 0 },
  })
  expect(await standing(db, endpointId)).toEqual([
    [2, 'delivered'],
    [3, 'pending'],
  ])
})

/** Blocks deletions from the table until the returned function is called. */
async function keepRows(table: string): Promise<() => Promise<unknown>> {
  await network.db.query(
    `create or replace function keep() returns trigger language plpgsql
       as $$ begin raise exception 'kept'; end $$;
     create trigger kept before delete on ${table} execute function keep()`,
  )
  return () => network.db.query(`drop trigger kept on ${table}`)
}

test('a failing erasure does not stop invoicing or other erasures', async () => {
  const { db } = network
  const accountId = randomUUIDv7()
  await insertAccount(db, { id: accountId, name: 'test', tier: 'pro', at: new Date() })
  const endpointId = await insertEndpointRow(db, accountId, { status: 'paused' })
  await writeEvents(db, accountId, 1)
  await settle(db, endpointId, 'delivered', [1])
  await db.query(`update delivery set updated_at = now() - interval '49 hours'`)

  const eraseAgain = await keepRows('delivery')
  await expect(runNow()).rejects.toThrow()
  const invoices = await selectInvoices(db, accountId, 10)
  expect(invoices).toMatchObject([{ month: new Date().toISOString().slice(0, 7) }])
  await eraseAgain()

  await logOldCall(accountId)
  const forgetAgain = await keepRows('request_log')
  await expect(runNow()).rejects.toThrow()
  expect(await standing(db, endpointId)).toEqual([])
  await forgetAgain()
})
