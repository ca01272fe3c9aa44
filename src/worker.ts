import { startWorker } from './compose/start-worker.ts'
import { runProcess } from './platform/process/run-process.ts'

await runProcess('the worker takes bookings', startWorker)
