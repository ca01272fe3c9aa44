import closeWithGrace from 'close-with-grace'
import { type RunConfig, readRunConfig } from './config.ts'
import { createLog, type Log } from './telemetry/log.ts'

/** A part of the service that runs; `failed` rejects when it stops by itself. */
export type Running = { failed?: Promise<never>; stop(): Promise<void> }

const GRACE_MS = 10_000

/**
 * Runs one part of the service as a process of its own until a signal ends it. A start that fails is one sentence on stderr and exit
 * code 1.
 */
export async function runProcess(
  ready: string,
  start: (config: RunConfig, log: Log) => Promise<Running>,
): Promise<void> {
  try {
    const config = readRunConfig()
    const log = createLog(config.LOG_LEVEL)
    const running = await start(config, log)
    log.info(ready)
    const { close } = closeWithGrace({ delay: GRACE_MS, logger: log }, async ({ err }) => {
      if (err) log.error({ err }, 'stopping after a failure')
      await running.stop()
    })
    running.failed?.catch((err: unknown) => {
      log.error({ err }, 'stopped by itself')
      process.exitCode = 1
      close()
    })
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}
