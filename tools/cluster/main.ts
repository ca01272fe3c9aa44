import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopRequested } from '../../src/compose/run-process.ts'
import { readLocalConfig } from '../../src/config/config.ts'
import { holdDataFolder } from '../../src/local/data-folder.ts'
import { choosePort, requireFreePort } from '../../src/local/ports.ts'
import { defineTool, helpOption, runProgram } from '../../src/platform/command-line/run-program.ts'
import { rehearseContainers } from '../containers/rehearsal.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { runClusterTests } from './cluster-tests.ts'
import { clusterText } from './cluster-text.ts'
import { measureScale } from './scale.ts'
import { BEFORE, drillUpgrade } from './upgrade/drill.ts'

/** Longer than the drain times of doors, workers and servers together. */
const STOP_WITHIN_MS = 65_000

const parts = new AsyncDisposableStack()
const crashed = new Promise<never>((_, fail) => process.on('uncaughtException', fail))

const cluster = defineTool({
  words: '',
  summary: 'Run the production topology on this machine, as processes or in containers.',
  details:
    'PostgreSQL, the Temporal server with its store in PostgreSQL and its UI, one API and ' +
    'two workers, each in its own process. Ctrl-C stops everything. PORT, HOST and DATA_DIR ' +
    'work as in npm start; data and logs are in DATA_DIR/cluster. DATABASE_URL and ' +
    'TEMPORAL_ADDRESS are ignored, because it starts its own servers. The Temporal server ' +
    'and its UI are built once with Go 1.26 or newer (about five minutes) and kept in your ' +
    'cache folder.',
  args: { files: { about: 'Test files, with --test', many: true, optional: true } },
  options: {
    test: {
      kind: 'flag',
      about: 'Start a fresh cluster, run the tests of doors and engine or FILES, and stop',
    },
    upgrade: {
      kind: 'flag',
      about: 'Start a fresh cluster, deploy changed workflows under load, go back, and stop',
    },
    scale: {
      kind: 'flag',
      about: 'Start a fresh cluster, measure it with 1 to 4 workers and 1 and 2 APIs, and stop',
    },
    containers: {
      kind: 'flag',
      about:
        'Instead, build the image, run docker-compose.yml, kill each container and upgrade under ' +
        'bookings, and take it down',
    },
    'stand-ins': {
      kind: 'flag',
      about: 'With --containers: an engine and images of this machine, if no registry is reachable',
    },
  },
  examples: [
    '',
    '--upgrade',
    '--scale',
    '--containers',
    '--test',
    '--test test/bookings/booking.test.ts',
  ],
  async run({ args: { files }, options }) {
    const work = options.test
      ? onFreshCluster((cluster) => runClusterTests(cluster, files?.split(' ') ?? []))
      : options.upgrade
        ? onFreshCluster(upgrade, BEFORE)
        : options.scale
          ? measureScale(readLocalConfig(), openThrowawayFolder(), parts)
          : options.containers
            ? containers(options['stand-ins'] === true)
            : start()
    await Promise.race([stopRequested(), crashed, work])
    return undefined
  },
})

await runProgram(
  { name: 'npm run cluster --', about: cluster.summary, commands: [cluster], options: helpOption },
  {},
)
setTimeout(() => process.exit(), STOP_WITHIN_MS).unref()
await parts.disposeAsync()
process.exit()

async function start(): Promise<never> {
  const config = readLocalConfig()
  await requireFreePort(config.HOST, config.PORT)
  const folder = holdDataFolder(join(config.DATA_DIR, 'cluster'))
  parts.defer(folder.release)
  const cluster = await startCluster(config, folder, parts)
  console.log(clusterText(cluster, folder.path))
  parts.defer(() => console.log('\nStopping …'))
  return cluster.failed
}

async function upgrade(cluster: Cluster, path: string): Promise<number> {
  return (await drillUpgrade(cluster, path)) ? 0 : 1
}

async function containers(isStandIn: boolean): Promise<void> {
  const isGood = await rehearseContainers(openThrowawayFolder().path, parts, isStandIn)
  process.exitCode = isGood ? 0 : 1
}

/** A folder that is deleted afterwards. */
function openThrowawayFolder() {
  const path = mkdtempSync(join(tmpdir(), 'venue-network-cluster-'))
  parts.defer(() => rmSync(path, { recursive: true, force: true }))
  // PostgreSQL may run as another user, which needs access.
  chmodSync(path, 0o755)
  const folder = holdDataFolder(path)
  parts.defer(folder.release)
  return folder
}

/** Exits with the code of `work`; deletes everything afterwards. */
async function onFreshCluster(
  work: (cluster: Cluster, path: string) => Promise<number>,
  buildId?: string,
): Promise<void> {
  const folder = openThrowawayFolder()
  // In a test, a single account sends as much as many accounts would.
  const limits = {
    REQUESTS_PER_SECOND: 1_000_000,
    REQUESTS_IN_FLIGHT: 10_000,
    BOOKINGS_PER_SECOND: 1_000_000,
    BOOKINGS_IN_FLIGHT: 10_000,
  }
  const config = {
    ...readLocalConfig(),
    ...limits,
    TEMPORAL_WORKER_BUILD_ID: buildId,
    HOST: '127.0.0.1',
    PORT: await choosePort(),
  }
  const cluster = await startCluster(config, folder, parts)
  process.exitCode = await Promise.race([work(cluster, folder.path), cluster.failed])
}
