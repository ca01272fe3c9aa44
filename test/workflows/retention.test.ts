import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertEndpointRow, settle, standing, writeEvents } from '../support/deliveries.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'

let network: Service

beforeAll(async () => {
  network = await openService({ WEBHOOK_RETENTION_DAYS: '2' })
})
afterAll(() => network?.close())

test('the schedule erases what was settled before the days that the operator keeps, and sees to accounts', async () => {
  const { db, agent, client } = network
  const endpointId = await insertEndpointRow(db, agent.accountId, { status: 'paused' })
  await writeEvents(db, agent.accountId, 3)
  await settle(db, endpointId, 'delivered', [1, 2])
  await db.query(
    `update delivery set updated_at = now() - interval '49 hours' where endpoint_id = $1 and event_number = 1`,
    [endpointId],
  )
  await db.query(
    `insert into request_log (account_id, at, request_id, door, operation, code, ms, calls)
     values ($1, now() - interval '8 days', gen_random_uuid(), 'rest', 'ping', 'ok', 1, 1)`,
    [agent.accountId],
  )
  const schedule = client.schedule.getHandle('retention')
  await schedule.trigger()
  const run = await eventually('a run of the retention', async () => {
    const { info } = await schedule.describe()
    return info.recentActions.at(-1)?.action.workflow
  })
  const handle = client.workflow.getHandle(run.workflowId, run.firstExecutionRunId)
  expect(await handle.result()).toMatchObject({
    deliveries: 1,
    endpoints: 0,
    accounts: { invoices: 1, calls: 1 },
  })
  expect(await standing(db, endpointId)).toEqual([
    [2, 'delivered'],
    [3, 'pending'],
  ])
})
