import type { Actor, AuditAction } from '../base/audit-actions.ts'
import { withoutQueries } from '../base/hide-queries.ts'
import { changedPart } from '../base/roles.ts'
import { type Change, insertAuditEntry } from '../platform/database/audit-log.ts'
import type { Db } from '../platform/database/sql.ts'
import { requireMember, requireOperator } from './members.ts'
import type { Context } from './operation.ts'

/** Who changed an account, when and from where. */
export type Audited = {
  /** null only for calls without a key, which change nothing */
  actor?: Actor | null
  account: { id: string } | null
  door: Context['door'] | 'command' | 'temporal' | 'network'
  /** null if there was no call */
  address: string | null
  requestId: string | null
  at: Date
  /** an operator's note, added to the details of the change */
  note?: AuditNote | undefined
}

/** The operator's id for an action, their name and their reason; the account does not see `by`. */
export type AuditNote = { act?: string; by?: string; reason?: string | undefined }

/**
 * Records a change in the account's audit log in the same transaction. Throws `role_required` for a
 * member whose role does not allow the change, and `page_not_found` for an operator whose access
 * has ended. URLs are recorded without their query, as some readers may not see the secret in it.
 */
export async function recordAudit(
  tx: Db,
  { actor, account, note, ...call }: Audited,
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
  const shown = withoutQueries({ ...change, details: { ...change.details, ...note } }) as Change
  return insertAuditEntry(tx, { ...call, actor, accountId: account.id, action, ...shown })
}

/** The origin of a change that does not come through a door. */
const inside =
  (actor: Actor, door: Audited['door']) => (accountId: string, at: Date, note?: AuditNote) =>
    ({ actor, account: { id: accountId }, door, address: null, requestId: null, at, note }) as const

const operator: Actor = { kind: 'operator', id: null, name: 'Operator' }

/** A signed-in operator; the account sees neither who they are nor their address. */
export const operatorActor = (id: string): Actor => ({ ...operator, id })

/** An operator who uses one of this project's commands. */
export const byCommand = inside(operator, 'command')

/** An operator who acts by a message to a workflow. */
export const bySignal = inside(operator, 'temporal')

/** The network itself as the actor. */
export const byNetwork = inside({ kind: 'system', id: null, name: 'Network' }, 'network')

/** The differences, as `{ field: { from, to } }`; undefined if there are none. */
export function differences(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const changes = Object.entries(after).filter(
    ([field, to]) => JSON.stringify(before[field]) !== JSON.stringify(to),
  )
  if (changes.length === 0) return undefined
  return Object.fromEntries(changes.map(([field, to]) => [field, { from: before[field], to }]))
}
