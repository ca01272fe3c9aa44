import { runProcess } from './compose/run-process.ts'
import { startService } from './compose/start-service.ts'
import { migrate } from './platform/database/migrate.ts'

const parent = process.ppid
// A supervisor that was killed must not leave this process behind, on its port.
setInterval(() => process.ppid !== parent && process.exit(1), 500).unref()

// The part of `npm run dev` that restarts with every change.
await runProcess('the service is ready', async (config, log, instruments) => {
  await migrate(config.DATABASE_URL)
  return startService(config, log, instruments)
})
