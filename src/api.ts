import closeWithGrace from 'close-with-grace'
import { readRunConfig } from './config.ts'
import { startApi } from './start-api.ts'
import { createLog } from './telemetry/log.ts'

const config = readRunConfig()
const log = createLog(config.LOG_LEVEL)
const api = await startApi(config, log)
log.info({ url: api.url }, 'the doors are open')

closeWithGrace({ delay: 10_000, logger: log }, async ({ err }) => {
  if (err) log.error({ err }, 'stopping after a failure')
  await api.stop()
})
