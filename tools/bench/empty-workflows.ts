import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client, Connection } from '@temporalio/client'
import { readConfig } from '../../src/config/config.ts'
import type { Service } from './service.ts'

const taskQueue = 'bench'

/** The baseline of the engine: workflows that do nothing, one per `run`, in a worker process. */
export async function emptyWorkflows(
  { temporalAddress }: Pick<Service, 'temporalAddress'>,
  namespace = readConfig({}).TEMPORAL_NAMESPACE,
) {
  const program = fileURLToPath(new URL('./empty-worker.ts', import.meta.url))
  const worker = fork(program, [temporalAddress, namespace, taskQueue])
  const connection = await Connection.connect({ address: temporalAddress })
  const client = new Client({ connection, namespace })
  const run = () =>
    client.workflow.execute('empty', { taskQueue, workflowId: `empty/${randomUUID()}` })
  // Returns once the worker has built its bundle and taken a task.
  await run()
  return {
    /** Resolves once every booking has been decided and its workflow has reported it. */
    async settled() {
      const undecided = "WorkflowType = 'booking' and BookingStatus is null"
      while ((await client.workflow.count(undecided)).count > 0) await setTimeout(20)
    },
    run,
    async stop() {
      worker.disconnect()
      if (worker.exitCode === null) await once(worker, 'exit')
      await connection.close()
    },
  }
}
