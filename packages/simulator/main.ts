import type { AddressInfo } from 'node:net'
import { buildSimulator } from './app.ts'
import { help } from './help.ts'
import { logText } from './log.ts'
import { readSettings } from './settings.ts'

if (process.argv.includes('--help')) {
  console.log(help)
  process.exit(0)
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0))

try {
  const settings = readSettings()
  const app = await buildSimulator({
    secret: settings.SIMULATOR_SECRET,
    folder: settings.SIMULATOR_DATA,
    log: (line) => console.log(logText(line)),
    exit: process.exit,
  })
  await app.listen({ host: settings.HOST, port: settings.PORT })
  const { port } = app.server.address() as AddressInfo
  console.log(`The venue simulator listens on http://${settings.HOST}:${port}`)
  const kept = settings.SIMULATOR_DATA
  console.log(kept ? `Its book is kept in ${kept}` : 'Its book is kept in memory only')
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
