import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { cachedProgram, runTool } from '../../src/local/programs.ts'
import { withProgress } from '../../src/local/progress.ts'
import { startServer } from '../../src/local/server-process.ts'
import { temporalRelease } from '../../src/local/temporal-release.ts'
import { findClusterPrograms } from '../cluster/cluster-programs.ts'

const root = resolve(import.meta.dirname, '../..')
const STOP_WITHIN_MS = 60_000
const howToHave = [
  'Install Docker Engine with Compose 2.24 or newer, start it, and run this again.',
  'As root on Debian, without a registry of images: run',
  '  apt-get install docker.io tini iptables debootstrap',
  'and add --stand-ins, which starts an engine of its own, with images made on this machine.',
].join('\n')

/** The versions of the engine and of Compose; throws an error with the remedy if one is missing. */
export async function requireEngine(): Promise<string> {
  try {
    const engine = await runTool('docker', ['version', '--format', '{{.Server.Version}}'])
    const compose = await runTool('docker', ['compose', 'version', '--short'])
    return `Docker Engine ${engine.trim()}, Compose ${compose.trim()}`
  } catch (error) {
    throw new Error(`No container engine answers: ${(error as Error).message}\n${howToHave}`)
  }
}

/**
 * Starts an engine of our own and makes images on it that stand in for those of a registry. Engine,
 * images and programs are kept in the cache folder. Needs root, `dockerd` (or the program that
 * DOCKERD names), debootstrap and Go.
 */
export async function startStandIns(parts: AsyncDisposableStack): Promise<void> {
  const cache = join(dirname(cachedProgram('')), 'containers')
  mkdirSync(cache, { recursive: true })
  const socket = `unix://${cache}/docker.sock`
  Object.assign(process.env, { DOCKER_HOST: socket, DOCKER_CONFIG: cache })
  const configFile = join(cache, 'daemon.json')
  writeFileSync(configFile, JSON.stringify(engineConfig(cache, socket)))
  const engine = await startServer({
    name: 'The container engine',
    command: process.env.DOCKERD ?? 'dockerd',
    args: ['--config-file', configFile],
    logFile: join(cache, 'engine.log'),
    stopWithinMs: STOP_WITHIN_MS,
    isReady: () =>
      runTool('docker', ['version']).then(
        () => true,
        () => false,
      ),
  }).catch((error: Error) => {
    throw new Error(`${error.message}\n${howToHave}`)
  })
  parts.defer(engine.stop)
  const { server, sqlTool, ui } = await findClusterPrograms()
  if ('missing' in ui) throw new Error(ui.missing)
  const script = join(root, 'tools/containers/stand-ins.sh')
  const env = {
    ...process.env,
    CACHE: cache,
    ...{ SERVER: server, SQL_TOOL: sqlTool, UI: ui.file },
    ...{ TEMPORAL: temporalRelease.server, UI_RELEASE: temporalRelease.ui },
  }
  await withProgress('Making images', runTool('bash', [script], { env }))
}

/** A sandbox may neither raise limits nor have the default bridge. */
function engineConfig(cache: string, socket: string) {
  const limit = (name: string) => [name, { Name: name, Hard: 4096, Soft: 4096 }]
  return {
    'data-root': join(cache, 'data'),
    'exec-root': join(cache, 'exec'),
    pidfile: join(cache, 'pid'),
    hosts: [socket],
    bridge: 'none',
    'default-ulimits': Object.fromEntries([limit('nofile'), limit('nproc')]),
  }
}
