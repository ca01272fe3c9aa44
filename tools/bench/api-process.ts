import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { choosePort } from '../../src/local/ports.ts'

/**
 * Starts an API process on the servers of a running service. As in production, no worker shares its
 * thread. `settings` are environment variables.
 */
export async function startApiProcess(
  service: { databaseUrl: string; temporalAddress: string; dataDir: string },
  settings: Record<string, string> = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await choosePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../src/api.ts', import.meta.url))],
    {
      env: {
        NODE_ENV: 'development',
        ...process.env,
        DATABASE_URL: service.databaseUrl,
        TEMPORAL_ADDRESS: service.temporalAddress,
        DATA_DIR: service.dataDir,
        PORT: String(port),
        LOG_LEVEL: 'warn',
        ...settings,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error('the API process did not start')
    await new Promise((resume) => setTimeout(resume, 50))
  }
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

export const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )
