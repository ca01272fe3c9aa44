import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import type { Cluster } from './cluster.ts'

const root = resolve(import.meta.dirname, '../..')
const doorTests = [
  'test/doors',
  'test/system/every-door',
  'test/system/race',
  'test/system/no-worker',
]
const engineTests = ['test/system/crash', 'test/bookings/booking.test', 'test/bookings/visibility']

/**
 * Runs test files, by default those of doors and engine, against a running cluster and returns the
 * exit code.
 */
export async function runClusterTests(
  { url, databaseUrl, temporalAddress }: Cluster,
  files: string[],
): Promise<number> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const selected = files.length > 0 ? files : [...doorTests, ...engineTests]
  const tests = spawn(process.execPath, [vitest, 'run', ...selected], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      TEST_BASE_URL: url,
      TEST_DATABASE_URL: databaseUrl,
      TEST_TEMPORAL_ADDRESS: temporalAddress,
    },
  })
  const [code] = await once(tests, 'exit')
  return code ?? 1
}
