import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client, Connection } from '@temporalio/client'
import { bundleWorkflowCode, NativeConnection, Worker } from '@temporalio/worker'
import { readConfig } from '../../src/config/config.ts'
import { installQuietRuntime } from '../../src/platform/temporal/workers.ts'
import type { Service } from './service.ts'

/** The baseline of the engine: workflows that do nothing, one per `run`. */
export async function emptyWorkflows(
  { temporalAddress }: Pick<Service, 'temporalAddress'>,
  namespace = readConfig({}).TEMPORAL_NAMESPACE,
) {
  const taskQueue = 'bench'
  installQuietRuntime()
  const silent = { trace() {}, debug() {}, info() {}, log() {}, warn() {}, error: console.error }
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
    logger: silent,
  })
  const native = await NativeConnection.connect({ address: temporalAddress })
  const worker = await Worker.create({ connection: native, namespace, taskQueue, workflowBundle })
  const running = worker.run()
  const connection = await Connection.connect({ address: temporalAddress })
  const client = new Client({ connection, namespace })
  return {
    /** Resolves once every booking has been decided and its workflow has reported it. */
    async settled() {
      const undecided = "WorkflowType = 'booking' and BookingStatus is null"
      while ((await client.workflow.count(undecided)).count > 0) await setTimeout(20)
    },
    run: () => client.workflow.execute('empty', { taskQueue, workflowId: `empty/${randomUUID()}` }),
    async stop() {
      worker.shutdown()
      await running
      await native.close()
      await connection.close()
    },
  }
}
