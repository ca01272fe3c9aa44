import { parseCommandLine } from '../platform/command-line/parse-command-line.ts'
import { defineTool, helpOption } from '../platform/command-line/run-program.ts'
import { UsageError } from '../platform/command-line/usage-error.ts'

const start = defineTool({
  words: '',
  summary:
    'Run the whole service on this machine: PostgreSQL, Temporal, the doors and a worker. Ctrl-C ' +
    'stops everything. PORT (3000), DATA_DIR (.data) and other settings are environment ' +
    'variables: see .env.example.',
  options: { watch: { kind: 'flag', about: 'Restart on every source change (npm run dev)' } },
  examples: [''],
  run: async () => undefined,
})

const program = {
  name: 'npm start --',
  about: start.summary,
  commands: [start],
  options: helpOption,
}

const COLUMNS = 100

/** The options of `npm start`. If help is requested, prints the usage and ends the process. */
export function readStartOptions(typed = process.argv.slice(2)): { watch: boolean } {
  try {
    const parsed = parseCommandLine(program, typed, COLUMNS)
    if (parsed.is !== 'help') return { watch: parsed.options.watch === true }
    console.log(parsed.text)
    process.exit(0)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(error.message)
    process.exit(2)
  }
}
