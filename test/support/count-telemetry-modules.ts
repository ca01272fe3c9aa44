import { createRequire } from 'node:module'
import { readConfig } from '../../src/config/config.ts'
import '../../src/compose/start-api.ts'
import '../../src/compose/start-worker.ts'
import { openInstruments } from '../../src/platform/telemetry/instruments.ts'

// A program for tests: prints how many OpenTelemetry SDK modules are loaded.
await openInstruments(readConfig())
const { cache } = createRequire(import.meta.url)
console.log(Object.keys(cache).filter((file) => file.includes('opentelemetry/sdk-')).length)
process.exit()
