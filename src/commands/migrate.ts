import { setUpTemporal } from '../compose/set-up-temporal.ts'
import { type Config, engineOf, readConfig } from '../config/config.ts'
import { withDatabase } from '../local/database.ts'
import { defineTool, helpOption, runProgram } from '../platform/command-line/run-program.ts'
import { migrate } from '../platform/database/migrate.ts'
import { requireSessions } from '../platform/database/pooler.ts'

const command = defineTool({
  words: '',
  summary:
    'Bring the database and the Temporal namespace up to date, forward only. Running it again ' +
    'changes nothing.',
  details:
    'In the namespace it creates what is missing and changes schedules of an earlier release. ' +
    'API and workers then need no rights of an owner or operator.',
  examples: [''],
  async run() {
    const config = readConfig()
    requireSessions(config.DATABASE_POOLER)
    const ran = await withDatabase(config, ({ url }) => migrate(url))
    const database = ran.length > 0 ? `Applied ${ran.join(', ')}.` : 'The database is up to date.'
    return `${database}\n${await setUp(config)}`
  },
})

async function setUp(config: Config): Promise<string> {
  const { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE } = config
  if (!TEMPORAL_ADDRESS) return 'Without TEMPORAL_ADDRESS no namespace was set up.'
  await setUpTemporal(engineOf({ ...config, TEMPORAL_ADDRESS }))
  return `The namespace ${TEMPORAL_NAMESPACE} is up to date.`
}

await runProgram(
  {
    name: 'npm run migrate',
    about: command.summary,
    commands: [command],
    options: helpOption,
    notes: [
      'Works on DATABASE_URL, or on the embedded database of DATA_DIR, running or not, and on ' +
        'TEMPORAL_ADDRESS if it is set.',
    ],
  },
  {},
)
