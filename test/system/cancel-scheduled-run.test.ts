import { expect } from 'vitest'
import { BOOKINGS_QUEUE } from '../../src/base/task-queues.ts'
import { detailsOf } from '../support/histories.ts'
import { eventually } from '../support/programs.ts'
import { test } from '../support/service.ts'

test('a scheduled run completes its rounds despite a request to cancel it', async ({ service }) => {
  const { client } = service
  const workflowId = 'sweep-cancelled'
  const handle = await client.workflow.start('sweep', {
    taskQueue: BOOKINGS_QUEUE,
    workflowId,
    args: [{ count: 3, seconds: 1 }],
  })
  await handle.cancel()
  await eventually('the details to say so', async () =>
    (await detailsOf(client, workflowId)).includes('Request Cancellation ended nothing'),
  )
  await handle.result()
  expect((await handle.describe()).status.name).toBe('COMPLETED')
})
