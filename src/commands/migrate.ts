import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { withDatabase } from '../local/with-database.ts'
import { migrate } from '../platform/database/migrate.ts'
import { runCommand } from './run-command.ts'

const usage = `Brings the database up to date, forward only. Running it again changes nothing.

  npm run migrate

It works on DATABASE_URL, or on the embedded database of DATA_DIR, running or not.`

await runCommand(usage, async (args) => {
  parseArgs({ args })
  const ran = await withDatabase(readConfig(), ({ url }) => migrate(url))
  return ran.length > 0 ? `Applied ${ran.join(', ')}.` : 'The database is up to date.'
})
