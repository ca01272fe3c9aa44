import { createEngine } from '../compose/engine.ts'
import { openWork } from '../compose/parts.ts'
import { engineOf, readConfig } from '../config/config.ts'
import { resumeAll } from '../contract/open-work.ts'
import { defineTool, helpOption, runProgram } from '../platform/command-line/run-program.ts'
import { UsageError } from '../platform/command-line/usage-error.ts'
import { openPool } from '../platform/database/sql.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { connectEngine } from '../platform/temporal/connect.ts'

const MAX_PER_SECOND = 1_000

const command = defineTool({
  words: '',
  summary: 'Start every workflow that is missing, as after a loss of Temporal’s data.',
  details:
    'Checks all open bookings, groups, watches, endpoints and test clocks, at a pace that ' +
    'leaves the server room for calls. Leaves running workflows alone, and replaces those ' +
    'that cannot continue. Safe to repeat.',
  options: {
    'per-second': { kind: 'text', value: 'N', about: 'Rows a second (default 100)' },
  },
  examples: ['', '--per-second 20'],
  run({ options }) {
    const perSecond = Number(options['per-second'] ?? 100)
    if (!(perSecond > 0 && perSecond <= MAX_PER_SECOND)) {
      throw new UsageError(`--per-second takes a number above 0, at most ${MAX_PER_SECOND}.`)
    }
    return resume(perSecond)
  },
})

await runProgram(
  {
    name: 'npx node src/commands/resume-all.ts',
    about: command.summary,
    commands: [command],
    options: helpOption,
    notes: ['Works on DATABASE_URL, TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE.'],
  },
  {},
)

/** Starts missing workflows, and reports one line for each kind. */
async function resume(perSecond: number): Promise<string> {
  const config = readConfig()
  const { DATABASE_URL, TEMPORAL_ADDRESS, DATABASE_POOLER: pooler } = config
  if (!TEMPORAL_ADDRESS) throw new Error('TEMPORAL_ADDRESS must be set.')
  if (!DATABASE_URL) throw new Error('DATABASE_URL must be set.')
  const log = createLog(config.LOG_LEVEL)
  const client = await connectEngine(engineOf({ ...config, TEMPORAL_ADDRESS }))
  const db = openPool(DATABASE_URL, 5, () => {}, undefined, { pooler })
  const engine = createEngine(client)
  const lines: string[] = []
  try {
    for (const work of openWork) {
      const { done, failed } = await resumeAll(work, { db, engine, log }, perSecond)
      lines.push(`${work.name.padEnd(12)} ${done} resumed, ${failed} failed`)
    }
  } finally {
    await db.end()
    await client.connection.close()
  }
  return lines.join('\n')
}
