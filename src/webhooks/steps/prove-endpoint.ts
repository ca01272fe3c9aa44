import type { Pool } from '../../platform/database/sql.ts'
import { proveEndpoint } from '../store/endpoint-states.ts'
import { releaseHeld } from '../store/held-deliveries.ts'

/** Verifies a URL. First makes held deliveries due, so that none is sent too late. */
export async function releaseAndProve(
  db: Pool,
  proof: { id: string; challenge: string; at: Date },
): Promise<void> {
  const holding = { id: proof.id, status: 'unverified', at: proof.at } as const
  await releaseHeld(db, holding, (tx) => proveEndpoint(tx, proof))
  await proveEndpoint(db, proof)
}
