import { startApi } from './compose/start-api.ts'
import { runProcess } from './platform/process/run-process.ts'

await runProcess('the doors are open', startApi)
