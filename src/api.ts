import { runProcess } from './compose/run-process.ts'
import { startApi } from './compose/start-api.ts'

await runProcess('the doors are open', startApi)
