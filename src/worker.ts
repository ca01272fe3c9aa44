import { runProcess } from './compose/run-process.ts'
import { startWorker } from './compose/start-worker.ts'

await runProcess('the worker takes bookings', startWorker)
