import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answers, choosePort } from '../../src/local/ports.ts'
import { type ServerProcess, startServer } from '../../src/local/server-process.ts'

type TemporalUiOptions = {
  program: string
  temporalAddress: string
  /** preferred port */
  port?: number | undefined
}

type TemporalUi = ServerProcess & { url: string; port: number }

/** Starts the Temporal UI on loopback. An orphan from an earlier run exits with its server. */
export async function startTemporalUi(
  dataDir: string,
  { program, temporalAddress, port: preferred }: TemporalUiOptions,
): Promise<TemporalUi> {
  const host = '127.0.0.1'
  const port = await choosePort(preferred)
  mkdirSync(join(dataDir, 'temporal'), { recursive: true })
  const config = { temporalGrpcAddress: temporalAddress, host, port, enableUi: true }
  // JSON is valid YAML.
  writeFileSync(join(dataDir, 'temporal', 'ui.yaml'), JSON.stringify(config))
  const server = await startServer({
    name: 'The Temporal UI',
    command: program,
    args: ['--root', dataDir, '--config', 'temporal', '--env', 'ui', 'start'],
    logFile: join(dataDir, 'temporal-ui.log'),
    isReady: () => answers(host, port),
  })
  return { ...server, url: `http://${host}:${port}`, port }
}
