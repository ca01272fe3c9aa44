import { runProcess } from './platform/process/run-process.ts'
import { startWorker } from './start-worker.ts'

await runProcess('the worker takes bookings', startWorker)
