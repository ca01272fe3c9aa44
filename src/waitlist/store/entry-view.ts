import sql from 'sql-template-tag'
import { askedColumns } from '../../availability/store/wish-columns.ts'
import { withLocalTimes } from '../../contract/local-times.ts'
import { isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { EntryStatus } from '../rules/entry-status.ts'
import { watch } from '../schema.ts'

const watchRow = watch
  .extend({
    hold_until: isoTime.nullable(),
    until: isoTime,
    created_at: isoTime,
    updated_at: isoTime,
  })
  .overwrite((row) => withLocalTimes(row, row.timezone, ['hold_until', 'until']))

const view = sql`
  select w.id, w.status, json_build_object('id', v.id, 'slug', v.slug, 'name', v.name) as venue,
    w.slot_time, a.timezone, w.flex_minutes, w.party_size, w.guest_ref,
    ${askedColumns(sql`w`)}, w.hold_id,
    b.slot_time as hold_slot_time, w.turns_missed, w.reason_code, w.until, w.created_at,
    w.updated_at,
    case when w.status = 'offered' and b.status = 'held' then b.hold_until end as hold_until,
    case when w.status = 'watching' then (
      select count(*)::int from waitlist_entry q
      where q.venue_id = w.venue_id and q.status = 'watching'
        and q.earliest <= w.latest and q.latest >= w.earliest
        and (q.queued_at, q.id) <= (w.queued_at, w.id)) end as position
  from waitlist_entry w
  join venue v on v.id = w.venue_id
  join area a on a.slug = v.area_slug
  left join booking b on b.id = w.hold_id`

/** An entry of this account. */
export const selectOptionalEntryOf = (db: Db, accountId: string, id: string) =>
  query.optionalRow(db, watchRow)`${view} where w.id = ${id} and w.account_id = ${accountId}`

/** The account's entries, newest first, starting below the id `before` if given. */
export const selectEntriesOf = (
  db: Db,
  accountId: string,
  page: { before: string | null; status: EntryStatus | null; limit: number },
) =>
  query.rows(db, watchRow)`
    ${view}
    where w.account_id = ${accountId} and (${page.before}::uuid is null or w.id < ${page.before})
      and (${page.status}::text is null or w.status = ${page.status})
    order by w.id desc limit ${page.limit}`
