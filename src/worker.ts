import closeWithGrace from 'close-with-grace'
import { readRunConfig } from './config.ts'
import { startWorker } from './start-worker.ts'
import { createLog } from './telemetry/log.ts'

const config = readRunConfig()
const log = createLog(config.LOG_LEVEL)
const worker = await startWorker(config, log)
log.info('the worker takes bookings')

const { close } = closeWithGrace({ delay: 10_000, logger: log }, async ({ err }) => {
  if (err) log.error({ err }, 'stopping after a failure')
  await worker.stop()
})
worker.failed.catch((err: unknown) => {
  log.error({ err }, 'the worker stopped by itself')
  process.exitCode = 1
  close()
})
