import type { Pool } from '../../platform/database/sql.ts'
import { deleteBodiesOf } from '../store/call-details.ts'

/** Rows per statement, to keep locks short. */
const STEP = 5_000

/** Erases an account's recorded request and answer bodies. */
export async function eraseBodiesOf(db: Pool, accountId: string): Promise<void> {
  while ((await deleteBodiesOf(db, accountId, STEP)) === STEP);
}
