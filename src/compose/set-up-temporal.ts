import { connectEngine, type EngineAddress } from '../platform/temporal/connect.ts'
import { setUpNamespace } from '../platform/temporal/namespace.ts'
import { ensureSchedules } from './schedules.ts'

/**
 * Brings namespace, search attributes and schedules to what this release wants. Needs an operator's
 * rights, which the processes that serve then do without. Scheduled runs have so many `shards`.
 */
export async function setUpTemporal(at: EngineAddress, shards = 1): Promise<void> {
  const client = await connectEngine(at)
  try {
    await setUpNamespace(client)
    await ensureSchedules(client, shards)
  } finally {
    await client.connection.close()
  }
}
