import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, NativeConnection, Worker } from '@temporalio/worker'
import { installQuietRuntime } from '../../src/platform/temporal/workers.ts'

/** Runs empty workflows until the parent process disconnects. */
const [address = '', namespace = '', taskQueue = ''] = process.argv.slice(2)
installQuietRuntime()
const silent = { trace() {}, debug() {}, info() {}, log() {}, warn() {}, error: console.error }
const workflowBundle = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
  logger: silent,
})
const connection = await NativeConnection.connect({ address })
const worker = await Worker.create({ connection, namespace, taskQueue, workflowBundle })
process.once('disconnect', () => worker.shutdown())
await worker.run()
await connection.close()
