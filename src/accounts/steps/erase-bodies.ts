import type { Pool } from '../../platform/database/sql.ts'
import { deleteBodiesOf } from '../store/call-details.ts'

/** Rows per statement, so that locks are short. */
const STEP = 5_000

/** Erases the recorded bodies of an account. */
export async function eraseBodiesOf(db: Pool, accountId: string): Promise<void> {
  while ((await deleteBodiesOf(db, accountId, STEP)) === STEP);
}
