import { rm } from 'node:fs/promises'
import { startTemporal } from '../../src/local/temporal.ts'
import { findTemporalCli } from '../../src/local/temporal-cli.ts'
import { makeScratchFolder } from './scratch-folder.ts'

/** A test's own Temporal server, with dynamic configuration, each `name=value`. */
export async function openTemporal(settings: readonly string[]) {
  const folder = makeScratchFolder('venue-network-temporal-')
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
