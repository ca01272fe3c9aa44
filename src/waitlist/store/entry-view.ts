import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Db, queryOptionalRow, queryRows } from '../../platform/database/sql.ts'
import { type EntryStatus, entryStatuses } from '../rules/entry.ts'
import type { Watch } from '../schema.ts'

const viewRow = z
  .object({
    id: z.uuid(),
    status: z.enum(entryStatuses),
    venue_id: z.uuid(),
    venue_slug: z.string(),
    venue_name: z.string(),
    slot_time: z.string(),
    timezone: z.string(),
    flex_minutes: z.int(),
    party_size: z.int(),
    position: z.int().nullable(),
    hold_id: z.uuid().nullable(),
    hold_slot_time: z.string().nullable(),
    hold_until: z.date().nullable(),
    turns_missed: z.int(),
    reason_code: z.enum(['time_over', 'turns_missed']).nullable(),
    until: z.date(),
    created_at: z.date(),
    updated_at: z.date(),
  })
  .transform(
    ({ venue_id, venue_slug, venue_name, ...row }): Watch => ({
      ...row,
      venue: { id: venue_id, slug: venue_slug, name: venue_name },
      hold_until: row.hold_until?.toISOString() ?? null,
      until: row.until.toISOString(),
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    }),
  )

const view = sql`select w.id, w.status, w.venue_id, v.slug as venue_slug, v.name as venue_name, w.slot_time,
    a.timezone, w.flex_minutes, w.party_size, w.hold_id, b.slot_time as hold_slot_time,
    case when w.status = 'offered' and b.status = 'held' then b.hold_until end as hold_until,
    w.turns_missed, w.reason_code, w.until, w.created_at, w.updated_at,
    case when w.status = 'watching' then (
      select count(*)::int from watch q
      where q.venue_id = w.venue_id and q.status = 'watching'
        and q.earliest <= w.latest and q.latest >= w.earliest
        and (q.queued_at, q.id) <= (w.queued_at, w.id)) end as position
  from watch w
  join venue v on v.id = w.venue_id
  join area a on a.slug = v.area_slug
  left join booking b on b.id = w.hold_id`

/** The watch, if the account has such a one. */
export const selectOptionalEntryOf = (
  db: Db,
  accountId: string,
  id: string,
): Promise<Watch | undefined> =>
  queryOptionalRow(db, viewRow)`${view} where w.id = ${id} and w.account_id = ${accountId}`

/** The account's watches, newest first, those before `before` if given. */
export const selectEntriesOf = (
  db: Db,
  accountId: string,
  page: { before: string | null; status: EntryStatus | null; limit: number },
): Promise<Watch[]> =>
  queryRows(db, viewRow)`
    ${view}
    where w.account_id = ${accountId} and (${page.before}::uuid is null or w.id < ${page.before})
      and (${page.status}::text is null or w.status = ${page.status})
    order by w.id desc limit ${page.limit}`
