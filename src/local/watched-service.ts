import { globSync, watch } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { publicUrlOf, type RunConfig } from '../config.ts'
import type { Running } from '../platform/process/run-process.ts'
import type { DataFolder } from './data-folder.ts'
import { type ServerProcess, startServer } from './server-process.ts'

const root = resolve(import.meta.dirname, '../..')
const program = join(root, 'src/dev.ts')
const watched = '{activities,docs,src,workflows}/**/'
/** What editors and git write beside a file that they save is no change. */
const isSource = /\.(?:css|js|json|md|mjs|sql|svg|ts)$/
/** Long enough for a formatter or `git checkout` to write all of its files. */
const SETTLE_MS = 100
/** A call in progress may end; a stream that stays open must not hold up the restart. */
const STOP_WITHIN_MS = 2_000

/**
 * The doors and the worker as a process that starts again whenever a source file changes. Resolves
 * once it is ready for the first time; a version that does not start waits for the next change.
 */
export async function startWatchedService(
  config: RunConfig,
  folder: DataFolder,
  logFile: string,
): Promise<Running & { url: string }> {
  const url = `http://${config.HOST}:${config.PORT}`
  const { DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_UI_URL } = config
  const servers = { DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_UI_URL, DATA_DIR: folder.path }
  const start = () =>
    startServer({
      name: 'The service',
      command: process.execPath,
      args: [program],
      env: { ...process.env, ...servers },
      logFile,
      stderr: 'inherit',
      stopSignal: 'SIGTERM',
      killSignal: 'SIGKILL',
      stopWithinMs: STOP_WITHIN_MS,
      isReady: () => isReady(url),
    })
  const { promise: ready, resolve: becameReady } = Promise.withResolvers<void>()
  let running: ServerProcess | undefined
  let stopping = false
  const startAgainAndAgain = async () => {
    while (!stopping) {
      const begun = performance.now()
      const change = watchSources()
      running = await start().catch(() => undefined)
      const seconds = ((performance.now() - begun) / 1000).toFixed(1)
      if (running) {
        console.log(`Ready after ${seconds} s`)
        becameReady()
        await Promise.race([change.made, running.ended])
      }
      if (!change.file() && !stopping) console.log('The service ended. Waiting for a change …')
      await change.made
      console.log(`\n${change.file()} has changed`)
      await setTimeout(SETTLE_MS)
      await running?.stop()
    }
  }
  const loop = startAgainAndAgain()
  await Promise.race([ready, loop])
  return {
    url: publicUrlOf(config),
    async stop() {
      stopping = true
      await running?.stop()
    },
  }
}

/** `made` resolves with the first source file that changes from now on. */
function watchSources(): { made: Promise<void>; file(): string | undefined } {
  const { promise: made, resolve } = Promise.withResolvers<void>()
  const folders = globSync(watched, { cwd: root })
  let first: string | undefined
  const watchers = folders.map((folder) =>
    watch(join(root, folder), (_event, file) => {
      if (!file || !isSource.test(file)) return
      first ??= join(folder, file)
      resolve()
    }),
  )
  void made.then(() => {
    for (const watcher of watchers) watcher.close()
  })
  return { made, file: () => first }
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
