import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTemporal } from '../../src/local/temporal.ts'
import { findTemporalCli } from '../../src/local/temporal-cli.ts'

/** A test's own Temporal server, with dynamic configuration, each `name=value`. */
export async function openTemporal(settings: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'venue-network-temporal-'))
  const cli = await findTemporalCli({ chosen: process.env.TEMPORAL_CLI })
  const server = await startTemporal(folder, { cli, namespace: 'test', settings })
  return {
    address: server.address,
    async close() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
