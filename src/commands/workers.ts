import { createEngine } from '../compose/engine.ts'
import { openWork } from '../compose/parts.ts'
import { engineOf, readConfig } from '../config/config.ts'
import { resumeAll } from '../contract/open-work.ts'
import type { NetworkEngine } from '../network.ts'
import { defineTool, helpOption, runProgram } from '../platform/command-line/run-program.ts'
import { UsageError } from '../platform/command-line/usage-error.ts'
import { openPool } from '../platform/database/sql.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { connectEngine } from '../platform/temporal/connect.ts'
import {
  countPinnedElsewhere,
  countRunningOn,
  type Deployment,
  readRouting,
  setCurrent,
  setRamping,
} from '../platform/temporal/deployments.ts'
import { rollBack, unpin } from '../platform/temporal/roll-back.ts'

/** What the command line calls workers without a build id. */
const UNVERSIONED = 'unversioned'
const buildId = { build: { about: `TEMPORAL_WORKER_BUILD_ID of a release, or ${UNVERSIONED}` } }

const show = defineTool({
  words: 'show',
  summary: 'Show which version of the workers gets workflows.',
  args: {},
  options: {},
  examples: ['show'],
  run: () => onDeployment(shown),
})

const current = defineTool({
  words: 'current',
  summary: 'Give new workflows, and the next tasks of long ones, to a version.',
  details: 'Waits up to a minute until the workers of the version serve every queue.',
  args: buildId,
  options: {},
  examples: ['current 1.4.0'],
  run: ({ args: { build } }) =>
    onDeployment(async (at) => {
      await setCurrent(at, versionIn(build))
      return shown(at)
    }),
})

const ramp = defineTool({
  words: 'ramp',
  summary: 'Give a share of the workflows to a version.',
  args: {
    build: { about: 'TEMPORAL_WORKER_BUILD_ID of a release' },
    percent: { about: '0 to 100' },
  },
  options: {},
  examples: ['ramp 1.4.0 5'],
  run: ({ args: { build, percent } }) =>
    onDeployment(async (at) => {
      if (!/^(100|\d{1,2})$/.test(percent)) throw new UsageError('PERCENT is a number, 0 to 100.')
      await setRamping(at, build, Number(percent))
      return shown(at)
    }),
})

const back = defineTool({
  words: 'back',
  summary: 'Go back to a version, away from another.',
  details:
    'Workflows that have had a task on the other version stay there, since older code may not ' +
    'know what newer code has written: leave its workers running. `release` lets them go on.',
  args: { ...buildId, from: { about: 'The version to leave' } },
  options: {},
  examples: ['back 1.3.0 1.4.0', `back ${UNVERSIONED} 1.4.0`],
  run: ({ args: { build, from } }) =>
    onDeployment(async (at) => {
      const stayed = await rollBack(at, from, versionIn(build))
      return `${await shown(at)}\n${stayed} workflows stay with ${from}.`
    }),
})

const release = defineTool({
  words: 'release',
  summary: 'Let workflows that `back` kept on a version move to the current one.',
  details: 'The current version must know what the other one has written: it descends from it.',
  args: { build: { about: 'The version that they are kept on' } },
  options: {},
  examples: ['release 1.4.0'],
  run: ({ args: { build } }) =>
    onDeployment(async (at) => {
      const released = await unpin(at, build)
      return `${released} workflows of ${build} move to the current version with their next task.`
    }),
})

const MAX_PER_SECOND = 1_000

const resume = defineTool({
  words: 'resume-all',
  summary: 'Start every workflow that is missing, as after a loss of Temporal’s data.',
  details:
    'Goes through all open bookings, groups, watches, endpoints and test clocks at a ' +
    'pace that leaves the server room for calls. Those that run are left alone, those that ' +
    'cannot go on are replaced. Repeating it is safe. Needs DATABASE_URL, too.',
  args: {},
  options: {
    'per-second': { kind: 'text', value: 'N', about: 'Rows a second (default 100)' },
  },
  examples: ['resume-all', 'resume-all --per-second 20'],
  run: ({ options }) => {
    const perSecond = Number(options['per-second'] ?? 100)
    if (!(perSecond > 0 && perSecond <= MAX_PER_SECOND)) {
      throw new UsageError(`--per-second takes a number above 0, at most ${MAX_PER_SECOND}.`)
    }
    return onDeployment(({ client }) => resumed(createEngine(client), perSecond))
  },
})

await runProgram(
  {
    name: 'npx node src/commands/workers.ts',
    about: 'Choose which version of the workers gets workflows, and start those that are missing.',
    commands: [show, current, ramp, back, release, resume],
    options: helpOption,
    notes: ['Works on TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and TEMPORAL_DEPLOYMENT_NAME.'],
  },
  {},
)

function versionIn(build: string): string | undefined {
  return build === UNVERSIONED ? undefined : build
}

async function onDeployment(work: (at: Deployment) => Promise<string>): Promise<string> {
  const config = readConfig()
  const { TEMPORAL_ADDRESS, TEMPORAL_DEPLOYMENT_NAME: name } = config
  if (!TEMPORAL_ADDRESS) throw new Error('TEMPORAL_ADDRESS must be set.')
  const client = await connectEngine(engineOf({ ...config, TEMPORAL_ADDRESS }))
  try {
    return await work({ client, name })
  } finally {
    await client.connection.close()
  }
}

/** What was missing, a line for each kind. */
async function resumed(engine: NetworkEngine, perSecond: number): Promise<string> {
  const config = readConfig()
  const { DATABASE_URL } = config
  if (!DATABASE_URL) throw new Error('DATABASE_URL must be set.')
  const log = createLog(config.LOG_LEVEL)
  const db = openPool(DATABASE_URL, 5, () => {}, undefined, { pooler: config.DATABASE_POOLER })
  const lines: string[] = []
  try {
    for (const work of openWork) {
      const { done, failed } = await resumeAll(work, { db, engine, log }, perSecond)
      lines.push(`${work.name.padEnd(12)} ${done} resumed, ${failed} failed`)
    }
  } finally {
    await db.end()
  }
  return lines.join('\n')
}

async function shown(at: Deployment): Promise<string> {
  const { current, ramping } = await readRouting(at)
  const running = async (build: string) => `${await countRunningOn(at, build)} workflows run on it`
  const lines = [`current  ${current ? `${current}; ${await running(current)}` : UNVERSIONED}`]
  const pinned = current ? await countPinnedElsewhere(at, current) : 0
  if (pinned > 0) lines.push(`others   ${pinned} workflows end on other versions`)
  if (ramping) {
    const { buildId, percent } = ramping
    lines.push(`ramping  ${buildId} with ${percent} %; ${await running(buildId)}`)
  }
  return lines.join('\n')
}
