import sql, { join, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { ClockPart } from '../../contract/clock-part.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'

type Parts = readonly ClockPart[]

const dueOf = (parts: Parts, accountId: Sql) =>
  sql`least(${join(parts.map((part) => part.due(accountId)))})`

const progressRow = z.object({
  ahead_ms: z.int(),
  advancing_to: z.date().nullable(),
  due: z.date().nullable(),
})

/** A clock's position and target, and when its account next has something due. */
export const selectOptionalProgress = (db: Db, parts: Parts, accountId: string) =>
  query.optionalRow(db, progressRow)`
    select t.ahead_ms, t.advancing_to, ${dueOf(parts, sql`t.account_id`)} as due
    from test_clock t where t.account_id = ${accountId}`

const lateRow = z.object({
  id: z.uuid(),
  name: z.string(),
  ahead_ms: z.int(),
  is_advancing: z.boolean(),
  due: z.date().nullable(),
})

/**
 * Clocks that are moving or have had something overdue for `lateSeconds` by their own time, ordered
 * by id.
 */
export const selectLateClocks = (
  db: Db,
  parts: Parts,
  { at, lateSeconds }: { at: Date; lateSeconds: number },
  { after, limit }: PageOfIds,
) =>
  query.rows(db, lateRow)`
    select t.account_id as id, t.name, t.ahead_ms, t.advancing_to is not null as is_advancing, d.due
    from test_clock t,
      lateral (select ${dueOf(parts, sql`t.account_id`)} as due) d
    where (${after}::uuid is null or t.account_id > ${after})
      and (t.advancing_to is not null or d.due < ${at}::timestamptz
        + t.ahead_ms * interval '1 ms' - ${lateSeconds} * interval '1 second')
    order by t.account_id limit ${limit}`
