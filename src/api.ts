import { runProcess } from './platform/process/run-process.ts'
import { startApi } from './start-api.ts'

await runProcess('the doors are open', startApi)
