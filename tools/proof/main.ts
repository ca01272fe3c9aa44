import { cpus } from 'node:os'
import { defineTool, helpOption, runProgram } from '../../src/platform/command-line/run-program.ts'
import { UsageError } from '../../src/platform/command-line/usage-error.ts'
import { breakGuards } from './break-guards.ts'
import { startDatabases } from './databases.ts'
import { type Options, options, withDefaults } from './options.ts'
import { proveAll } from './prove-all.ts'

const proof = defineTool({
  words: '',
  summary: 'Make callers collide, kill processes, and check that no guarantee is violated.',
  details:
    'Callers compete for the same few tables, seats and bookings. Then queries look for double ' +
    'bookings, oversold slots, orphaned holds, missing or duplicate fees, gaps in events, ' +
    'slots that a waitlist entry lost, and partly booked itineraries. It starts and stops ' +
    'its own servers and does not run with DATABASE_URL or TEMPORAL_ADDRESS set. ' +
    'Exit code 0: no violation.',
  options,
  examples: ['', '--attempts 1000000 --seconds 3600', '--break all', '--break hold_counter_limit'],
  async run({ options: values }) {
    const { DATABASE_URL, TEMPORAL_ADDRESS } = process.env
    if (DATABASE_URL || TEMPORAL_ADDRESS) {
      throw new UsageError(
        'DATABASE_URL or TEMPORAL_ADDRESS is set. The proof fills databases with junk and kills ' +
          'servers, so it runs only on its own: unset both and run it again.',
      )
    }
    process.exitCode = (await run(withDefaults(values))) ? 0 : 1
    return undefined
  },
})

await runProgram(
  { name: 'npm run proof --', about: proof.summary, commands: [proof], options: helpOption },
  {},
)

async function run(options: Options): Promise<boolean> {
  const startedAt = performance.now()
  const deadline = startedAt + options.seconds * 1000
  console.log(
    `seed ${options.seed} · ${cpus().length} cores (${cpus()[0]?.model}) · Node ${process.version}`,
  )
  // Exit handlers stop every server that was started.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  const databases = await startDatabases()
  try {
    const prove = options.broken ? breakGuards : proveAll
    return await prove(databases, options, deadline)
  } finally {
    await databases.stop()
    console.log(`${((performance.now() - startedAt) / 1000).toFixed(0)} s in total`)
  }
}
