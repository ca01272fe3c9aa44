import type { AuditAction } from '../../base/audit-actions.ts'
import { type Audited, recordAudit } from '../../contract/audit.ts'
import type { Change } from '../../platform/database/audit-log.ts'
import type { Db } from '../../platform/database/sql.ts'

/** Who acts on an account, when, from where, and why. */
export type Act = { by: Audited; reason?: string | undefined }

/** The account that an action changes. */
export const accountOfAct = ({ by }: Act): string => {
  if (!by.account) throw new Error('an act without an account')
  return by.account.id
}

/** Records an action and its reason in the transaction that makes the change. */
export const recordAct = (tx: Db, { by, reason }: Act, action: AuditAction, change: Change = {}) =>
  recordAudit(tx, by, action, {
    ...change,
    details: { ...change.details, ...(reason !== undefined && { reason }) },
  })
