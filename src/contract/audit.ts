import type { Actor, AuditAction } from '../base/audit-actions.ts'
import { changedPart } from '../base/roles.ts'
import { type Change, insertAuditEntry } from '../platform/database/audit-log.ts'
import type { Db } from '../platform/database/sql.ts'
import { requireMember, requireOperator } from './members.ts'
import type { Context } from './operation.ts'

/** Who changes an account, when and from where. */
export type Audited = {
  /** only calls without a key, which change nothing, have none */
  actor?: Actor | null
  account: { id: string } | null
  door: Context['door'] | 'command' | 'temporal' | 'network'
  /** null where nobody called */
  address: string | null
  requestId: string | null
  at: Date
  /** what an operator said about it, beside the details of the change */
  said?: Said | undefined
}

/** The operator's id for an act, their name and their reason; `by` is not for the account. */
export type Said = { act?: string; by?: string; reason?: string | undefined }

/**
 * Records a change in the audit log of the account, in the transaction that makes the change.
 * Throws `role_required` for a member whose role does not allow the change, or no longer does, and
 * `page_not_found` for somebody who is no operator any more.
 */
export async function recordAudit(
  tx: Db,
  { actor, account, said, ...call }: Audited,
  action: AuditAction,
  change: Change = {},
): Promise<unknown> {
  if (!actor || !account) throw new Error(`${action} by nobody`)
  const part = changedPart(action)
  if (actor.kind === 'operator' && actor.id) await requireOperator(tx, actor.id)
  if (actor.kind === 'member' && !part) throw new Error(`${action} by a member`)
  if (part && part !== 'self') {
    await requireMember(tx, { actor, account }, { what: 'change', part, isLocked: true })
  }
  const details = { ...change.details, ...said }
  return insertAuditEntry(tx, { ...call, actor, accountId: account.id, action, ...change, details })
}

/** An actor that changes an account without a call to a door. */
const inside =
  (actor: Actor, door: Audited['door']) => (accountId: string, at: Date, said?: Said) =>
    ({ actor, account: { id: accountId }, door, address: null, requestId: null, at, said }) as const

const operator: Actor = { kind: 'operator', id: null, name: 'Operator' }

/** An operator who is signed in; the account sees neither which one nor the address. */
export const operatorActor = (id: string): Actor => ({ ...operator, id })

/** An operator with a command of this project. */
export const byCommand = inside(operator, 'command')

/** An operator with a message to a workflow. */
export const bySignal = inside(operator, 'temporal')

/** The network itself. */
export const byNetwork = inside({ kind: 'system', id: null, name: 'Network' }, 'network')

/** What differs, as `{ field: { from, to } }`; undefined if nothing does. */
export function differences(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const changed = Object.entries(after).filter(
    ([field, to]) => JSON.stringify(before[field]) !== JSON.stringify(to),
  )
  if (changed.length === 0) return undefined
  return Object.fromEntries(changed.map(([field, to]) => [field, { from: before[field], to }]))
}
