import { randomUUIDv7 } from 'node:crypto'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Actor, type AuditAction, actorKinds } from '../../base/audit-actions.ts'
import { isoTime } from './columns.ts'
import { rowsBefore } from './continue-pass.ts'
import { type Db, query } from './sql.ts'

/** What was changed. `details` are displayed, so they must not contain secrets. */
export type Change = {
  id?: string | undefined
  name?: string | undefined
  details?: Record<string, unknown> | undefined
}

type NewEntry = Change & {
  accountId: string
  at: Date
  actor: Actor
  door: string
  address: string | null
  requestId: string | null
  action: AuditAction
}

/** Adds an entry; an actor without a name gets the one in the database. */
export const insertAuditEntry = (tx: Db, { actor, id, name, details, ...entry }: NewEntry) =>
  query.execute(tx)`
    insert into audit_entry (account_id, at, id, actor_kind, actor_id, actor_name, door, address,
      request_id, action, object_id, object_name, details)
    values (${entry.accountId}, ${entry.at}, ${randomUUIDv7()}, ${actor.kind}, ${actor.id},
      coalesce(${actor.name ?? null}::text,
        (select k.name from api_key k where k.id = ${actor.id}),
        (select d.email from developer d where d.id = ${actor.id}), ${actor.kind}),
      ${entry.door}, ${entry.address}, ${entry.requestId}, ${entry.action}, ${id ?? null},
      ${name ?? null}, ${JSON.stringify(details ?? {})})`

const entryRow = z.object({
  id: z.uuid(),
  at: isoTime,
  actor_kind: z.enum(actorKinds),
  actor_id: z.uuid().nullable(),
  actor_name: z.string(),
  door: z.string(),
  address: z.string().nullable(),
  request_id: z.string().nullable(),
  action: z.string(),
  object_id: z.string().nullable(),
  object_name: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
})
export type AuditRow = z.infer<typeof entryRow>

export type AuditFilter = {
  accountId: string
  action?: string | null
  actor?: string | null
  object?: string | null
  from?: Date | null
  before?: Date | null
  after?: { at: Date; id: string } | null
  limit: number
}

/** An account's entries, newest first. */
export const selectAuditEntries = (db: Db, { after, ...filter }: AuditFilter) =>
  query.rowsUnprepared(db, entryRow)`
    select id, at, actor_kind, actor_id, actor_name, door, address, request_id, action, object_id,
      object_name, details
    from audit_entry
    where account_id = ${filter.accountId}
      and (${filter.action}::text is null or action = ${filter.action}
        or action like ${filter.action} || '.%')
      and (${filter.actor}::uuid is null or actor_id = ${filter.actor})
      and (${filter.object}::text is null or object_id = ${filter.object})
      and (${filter.from}::timestamptz is null or at >= ${filter.from})
      and (${filter.before}::timestamptz is null or at < ${filter.before})
      and (${after?.at ?? null}::timestamptz is null
        or (at, id) < (${after?.at ?? null}, ${after?.id ?? null}::uuid))
    order by at desc, id desc limit ${filter.limit}`

/** An account's entries from before a given instant. */
export const oldAuditEntries = (accountId: string, before: Date) =>
  rowsBefore('audit_entry', 'at', before, 'id', sql`account_id = ${accountId}`)

/** Deletes an account's entries, except operators' actions and the deletion itself. */
export const deleteAuditEntriesOf = (tx: Db, accountId: string) =>
  query.execute(tx)`
    delete from audit_entry where account_id = ${accountId} and actor_kind <> 'operator'
      and action <> 'account.deleted'`
