import { cpus } from 'node:os'
import { breakGuards } from './break-guards.ts'
import { startDatabases } from './databases.ts'
import { help, type Options, readOptions } from './options.ts'
import { proveAll } from './prove-all.ts'

const { DATABASE_URL, TEMPORAL_ADDRESS } = process.env
const options = readOptions(process.argv.slice(2))
if (options === 'help') {
  console.log(help)
} else if ('problem' in options) {
  console.error(`${options.problem}\n\n${help}`)
  process.exitCode = 2
} else if (DATABASE_URL || TEMPORAL_ADDRESS) {
  console.error(
    'DATABASE_URL or TEMPORAL_ADDRESS is set. The proof fills databases with rubbish and kills servers, so it runs on its own only: unset both and run it again.',
  )
  process.exitCode = 2
} else {
  process.exitCode = (await run(options)) ? 0 : 1
}

async function run(chosen: Options): Promise<boolean> {
  const started = performance.now()
  const deadline = started + chosen.seconds * 1000
  console.log(
    `seed ${chosen.seed} · ${cpus().length} cores (${cpus()[0]?.model}) · Node ${process.version}`,
  )
  // Ending this process ends every server that it started.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  const databases = await startDatabases()
  try {
    const prove = chosen.broken ? breakGuards : proveAll
    return await prove(databases, chosen, deadline)
  } finally {
    await databases.stop()
    console.log(`${((performance.now() - started) / 1000).toFixed(0)} s in all`)
  }
}
