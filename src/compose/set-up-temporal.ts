import { connectEngine, type EngineAddress } from '../platform/temporal/connect.ts'
import { setUpNamespace } from '../platform/temporal/namespace.ts'
import { ensureSchedules } from './schedules.ts'

/**
 * Updates the namespace, search attributes and schedules to this release. Only this needs an
 * operator's rights; serving processes do without them.
 */
export async function setUpTemporal(at: EngineAddress): Promise<void> {
  const client = await connectEngine(at)
  try {
    await setUpNamespace(client)
    await ensureSchedules(client)
  } finally {
    await client.connection.close()
  }
}
