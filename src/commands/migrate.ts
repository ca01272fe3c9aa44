import { defineTool, helpOption, runProgram } from '../../packages/command-line/run-program.ts'
import { readConfig } from '../config.ts'
import { withDatabase } from '../local/database.ts'
import { migrate } from '../platform/database/migrate.ts'

const command = defineTool({
  words: '',
  summary: 'Bring the database up to date, forward only. Running it again changes nothing.',
  args: {},
  options: {},
  examples: [''],
  async run() {
    const ran = await withDatabase(readConfig(), ({ url }) => migrate(url))
    return ran.length > 0 ? `Applied ${ran.join(', ')}.` : 'The database is up to date.'
  },
})

await runProgram(
  {
    name: 'npm run migrate',
    about: command.summary,
    commands: [command],
    options: helpOption,
    notes: ['Works on DATABASE_URL, or on the embedded database of DATA_DIR, running or not.'],
  },
  {},
)
