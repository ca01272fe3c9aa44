import { z } from 'zod'
import { type AuditAction, auditActions } from '../../base/audit-actions.ts'
import { decodeCursor, encodeCursor, pageOf, timePosition } from '../../contract/cursor.ts'
import { givenInstant, text } from '../../contract/fields.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { nextCursor, pageInput } from '../../contract/public.ts'
import { type AuditRow, selectAuditEntries } from '../../platform/database/audit-log.ts'
import { type AuditEntry, auditEntry } from '../schema/audit.ts'

const actions = Object.keys(auditActions) as AuditAction[]
const kinds = [...new Set(actions.map((action) => action.split('.', 1)[0] ?? ''))]

/** List filters: one action, or all actions on one kind of object. */
export const auditFilters: readonly string[] = [...kinds, ...actions].toSorted()

export const listAudit = defineOperation({
  name: 'audit log',
  summary: 'List the changes to your account',
  description:
    'Lists changes to keys, the plan, endpoints, agents and members, and sign-ins, newest ' +
    'first: who made them, when and from which address. Bookings have their own timeline.',
  scope: 'keys',
  part: 'audit',
  input: z.strictObject({
    action: z
      .string()
      .refine((action) => auditFilters.includes(action), {
        error: `expected an action of the log, or one of: ${kinds.join(', ')}`,
      })
      .optional()
      .describe('An action such as `key.created`, or just the part before the dot'),
    actor: z.uuid().toLowerCase().optional().describe('Id of a developer or key'),
    object: text(200).optional().describe('`object.id` of entries'),
    from: givenInstant.optional().describe('Changes at this instant or later'),
    until: givenInstant.optional().describe('Changes before this instant'),
    ...pageInput,
  }),
  output: z.object({ entries: z.array(auditEntry), next_cursor: nextCursor }),
  errors: ['invalid_cursor'],
  async run(ctx, { action = null, actor = null, object = null, from, until, limit, cursor }) {
    const entries = await selectAuditEntries(ctx.db, {
      accountId: accountOf(ctx).id,
      action,
      actor,
      object,
      from: from === undefined ? null : new Date(from),
      before: until === undefined ? null : new Date(until),
      after: decodeCursor(timePosition, cursor),
      limit: limit + 1,
    })
    const { rows, next_cursor } = pageOf(entries, limit, (last) => encodeCursor([last.at, last.id]))
    return { entries: rows.map(entryOf), next_cursor }
  },
})

function entryOf(row: AuditRow): AuditEntry {
  const { actor_kind, actor_id, actor_name, object_id, object_name, ...entry } = row
  // Only operators see which operator acted, and from where.
  const isOperator = actor_kind === 'operator'
  const { by: _, ...details } = entry.details
  return {
    ...entry,
    details: isOperator ? details : entry.details,
    address: isOperator ? null : entry.address,
    object: { kind: entry.action.split('.', 1)[0] ?? '', id: object_id, name: object_name },
    actor: { kind: actor_kind, id: isOperator ? null : actor_id, name: actor_name },
  }
}
