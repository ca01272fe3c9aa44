import type { AccountMode, Services } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import { findOrCreateSandbox } from '../../sandbox/store/sandboxes.ts'
import { updateSessionMode } from '../store/developer-sessions.ts'
import type { SignedIn } from './sessions.ts'

/** Shows the live account or its sandbox in a session; the sandbox is opened if it is missing. */
export const switchMode = (
  { db }: Pick<Services, 'db'>,
  { session_id, account_id }: SignedIn,
  mode: AccountMode,
  at: Date,
): Promise<void> =>
  transaction(db, async (tx) => {
    if (mode === 'test') await findOrCreateSandbox(tx, account_id, at)
    await updateSessionMode(tx, session_id, mode)
  })
