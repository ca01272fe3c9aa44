import { runProcess } from './compose/run-process.ts'
import { startApi } from './compose/start-api.ts'
import { readApiConfig } from './config/config.ts'

await runProcess('the doors are open', startApi, readApiConfig)
