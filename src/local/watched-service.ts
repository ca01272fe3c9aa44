import { globSync, watch } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Running } from '../compose/run-process.ts'
import { publicUrlOf, type RunConfig } from '../config/config.ts'
import type { DataFolder } from './data-folder.ts'
import { isOk } from './ports.ts'
import { type ServerProcess, startServer } from './server-process.ts'

const root = resolve(import.meta.dirname, '../..')
const program = join(root, 'src/dev.ts')
const watched = '{activities,docs,src,workflows}/**/'
/** Ignores temporary files of editors and git. */
const isSource = /\.(?:css|js|json|md|mjs|sql|svg|ts)$/
/** Long enough for a formatter or `git checkout` to write all files. */
const SETTLE_MS = 100
/** Long enough for calls to finish, but not for open event streams. */
const STOP_WITHIN_MS = 2_000

/**
 * Runs doors and worker in a process that restarts whenever a source file changes. Resolves when it
 * is first ready; if a version does not start, waits for the next change.
 */
export async function startWatchedService(
  config: RunConfig,
  folder: DataFolder,
  logFile: string,
): Promise<Running & { url: string }> {
  const url = `http://${config.HOST}:${config.PORT}`
  const { NODE_ENV, DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_UI_URL, X402_FACILITATOR } = config
  const whatsApp = Object.entries(config).filter(([name]) => name.startsWith('WHATSAPP_'))
  const addresses = { DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_UI_URL, X402_FACILITATOR }
  const start = () =>
    startServer({
      name: 'The service',
      command: process.execPath,
      args: [program],
      env: {
        ...process.env,
        NODE_ENV,
        ...addresses,
        ...Object.fromEntries(whatsApp),
        DATA_DIR: folder.path,
      },
      logFile,
      stderr: 'inherit',
      stopWithinMs: STOP_WITHIN_MS,
      isReady: () => isOk(`${url}/readyz`),
    })
  const { promise: ready, resolve: becameReady } = Promise.withResolvers<void>()
  let running: ServerProcess | undefined
  let stopping = false
  const restartOnChanges = async () => {
    while (!stopping) {
      const begin = performance.now()
      const change = watchSources()
      running = await start().catch(() => undefined)
      const seconds = ((performance.now() - begin) / 1000).toFixed(1)
      if (running) {
        console.log(`Ready after ${seconds} s`)
        becameReady()
        await Promise.race([change.changed, running.ended])
      }
      if (!change.file() && !stopping) console.log('The service ended. Waiting for a change …')
      await change.changed
      console.log(`\n${change.file()} changed`)
      await setTimeout(SETTLE_MS)
      await running?.stop()
    }
  }
  await Promise.race([ready, restartOnChanges()])
  return {
    url: publicUrlOf(config),
    async stop() {
      stopping = true
      await running?.stop()
    },
  }
}

/** `changed` resolves at the first change to a source file, which `file()` names. */
function watchSources(): { changed: Promise<void>; file(): string | undefined } {
  const { promise: changed, resolve } = Promise.withResolvers<void>()
  const folders = globSync(watched, { cwd: root })
  let first: string | undefined
  const watchers = folders.map((folder) =>
    watch(join(root, folder), (_event, file) => {
      if (!file || !isSource.test(file)) return
      first ??= join(folder, file)
      resolve()
    }),
  )
  void changed.then(() => {
    for (const watcher of watchers) watcher.close()
  })
  return { changed, file: () => first }
}
