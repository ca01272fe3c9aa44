import { randomUUIDv7 } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import { int } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { DayException } from '../rules/rules.ts'
import * as stored from '../schema/rules.ts'
import type { Dates } from './venue-services.ts'

/** `key` is the id of a venue, the slug of an area or the code of a country. */
export type ExceptionScope = { is: 'venue' | 'area' | 'country'; key: string }

const columnOf = { venue: 'venue_id', area: 'area_slug', country: 'country' } as const

/** Adds or replaces the exceptions of these dates. */
export function upsertExceptions(db: Db, scope: ExceptionScope, days: readonly DayException[]) {
  const column = columnOf[scope.is]
  const rows = days.map((day) => ({ ...day, id: randomUUIDv7() }))
  return query.execute(db)`
    insert into day_exception (id, ${raw(column)}, date, windows, reason)
    select id, ${scope.key}, date, windows, reason
    from jsonb_to_recordset(${JSON.stringify(rows)}) as e (id uuid, date date, windows jsonb,
      reason text)
    on conflict (${raw(column)}, date) where ${raw(column)} is not null
      do update set windows = excluded.windows, reason = excluded.reason`
}

/** Deletes exceptions and returns their number. */
export const deleteExceptions = (db: Db, scope: ExceptionScope, dates: Dates) =>
  query.execute(db)`
    delete from day_exception where ${raw(columnOf[scope.is])} = ${scope.key}
      and date between ${dates.from} and ${dates.to}`

const listed = z.object({
  scope: z.string(),
  date: z.string(),
  windows: stored.exceptionWindows,
  reason: z.string(),
})

/** The exceptions of one scope, or of all scopes, from a given date. */
export function selectExceptions(db: Db, scope: ExceptionScope | null, from: string) {
  const only = scope ? sql`e.${raw(columnOf[scope.is])} = ${scope.key}` : sql`true`
  return query.rows(db, listed)`
    select coalesce(v.slug, 'area ' || e.area_slug, 'country ' || e.country) as scope,
      e.date::text as date, e.windows, e.reason
    from day_exception e left join venue v on v.id = e.venue_id
    where e.date >= ${from} and ${only}
    order by e.date, e.country, e.area_slug, v.slug`
}

/** Counts upcoming bookings on these dates. */
export function countBookingsOn(db: Db, scope: ExceptionScope, dates: Dates) {
  const column = { venue: 'v.id', area: 'v.area_slug', country: 'a.country' }[scope.is]
  return query.value(db, int)`
    select count(*) as count from booking b
    join venue v on v.id = b.venue_id join area a on a.slug = v.area_slug
    where ${raw(column)} = ${scope.key} and b.slot_time::date between ${dates.from} and ${dates.to}
      and b.status in ('held', 'pending', 'offered', 'confirmed')`
}
