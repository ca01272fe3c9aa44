import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import type { ConfirmMode } from '../../base/venue-kinds.ts'
import { boolean, idRow, int } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'

const connectorRow = z.object({
  venue_id: z.uuid(),
  slug: z.string(),
  url: z.string(),
  secret: z.string(),
  timezone: z.string(),
})
/** The connection to a venue's own booking system; the secret is sealed. */
export type Connector = z.infer<typeof connectorRow>

/** The sealing context of a connector's secret, so that it can be opened only in this row. */
export const connectorContext = (venueId: string): string => `connector/${venueId}`

const columns = sql`c.venue_id, v.slug, c.url, c.secret, a.timezone`
const venueAndArea = sql`join venue v on v.id = c.venue_id join area a on a.slug = v.area_slug`

/** The connector of a venue, if any. */
export const selectOptionalConnector = (db: Db, venueId: string) =>
  query.optionalRow(db, connectorRow)`
    select ${columns} from connector c ${venueAndArea} where c.venue_id = ${venueId}`

const stateRow = z.object({
  slug: z.string(),
  url: z.string(),
  read_at: z.date().nullable(),
  failure: z.string().nullable(),
})

/** Every connector, ordered by its venue's slug, with the result of the last reading. */
export const selectConnectors = (db: Db) =>
  query.rows(db, stateRow)`
    select v.slug, c.url, c.read_at, c.failure
    from connector c join venue v on v.id = c.venue_id order by v.slug`

export const readingStates = ['ok', 'failed', 'late'] as const
/** The result of a venue's last reading; `late` if the next one is overdue. */
export type ReadingState = (typeof readingStates)[number]

const countRow = z.object({ state: z.enum(readingStates), count: z.int() })

/** The number of connectors in each state; those not read since `due` are `late`. */
export async function countReadings(db: Db, due: Date): Promise<Map<ReadingState, number>> {
  const rows = await query.rows(db, countRow)`
    select case when coalesce(read_at, created_at) < ${due} then 'late'
        when failure is not null then 'failed' else 'ok' end as state, count(*) as count
    from connector group by 1`
  return new Map(rows.map(({ state, count }) => [state, count]))
}

type NewConnector = { venueId: string; url: string; secret: string; takesAmend?: boolean }

/** Connects a venue to its own system, which then confirms bookings, or replaces the connection. */
export const upsertConnector = (
  tx: Db,
  { venueId, url, secret, takesAmend = true }: NewConnector,
  at: Date,
) =>
  query.execute(tx)`
    with outdated as (
      delete from mirror_day m using connector c
      where c.venue_id = ${venueId} and m.venue_id = c.venue_id and c.url <> ${url}
    ), connected as (
      insert into connector (venue_id, url, secret, created_at, takes_amend)
      values (${venueId}, ${url}, ${secret}, ${at}, ${takesAmend})
      on conflict (venue_id) do update
        set url = excluded.url, secret = excluded.secret, read_at = null, failure = null,
          takes_amend = excluded.takes_amend
      returning venue_id
    )
    update venue set confirm_mode = 'http' from connected where id = connected.venue_id`

/** Whether a venue's system, or its people, can be asked for changes to what they confirmed. */
export const selectTakesAmend = async (
  db: Db,
  venueId: string,
  mode: ConfirmMode | null,
): Promise<boolean> =>
  (await query.optionalValue(db, boolean)`
    select takes_amend from connector where venue_id = ${venueId} and ${mode}::text = 'http'
    union all
    select true from venue where id = ${venueId} and confirm_mode = ${mode}
      and confirm_mode = case when is_test then 'http' else 'request' end`) ?? false

/** Counts bookings that the venue's system must still handle: pending, upcoming, to withdraw. */
export const countOpenAtVenue = (db: Db, venueId: string, at: Date): Promise<number> =>
  query.value(db, int)`
    select count(*) as open from booking
    where venue_id = ${venueId} and confirm_mode = 'http'
      and (status = 'pending' or venue_sync = 'withdraw_due'
        or (status = 'confirmed' and ends_at > ${at}))`

/** Gives up withdrawals at a venue that is no longer connected. Returns how many. */
export const giveUpWithdrawals = (tx: Db, venueId: string, at: Date) =>
  query.execute(tx)`
    with unsent as (
      update booking_change c set is_sent = false from booking b
      where b.id = c.booking_id and b.venue_id = ${venueId}
    ), kept as (
      update booking set change_phase = null, change_revision = null, updated_at = ${at}
      where venue_id = ${venueId} and change_phase = 'restoring'
    )
    update booking set venue_sync = 'sent', next_action_at = null, updated_at = ${at}
    where venue_id = ${venueId} and venue_sync = 'withdraw_due'`

/** Returns a venue to the network's own inventory; false if it was not connected. */
export async function deleteConnector(tx: Db, venueId: string): Promise<boolean> {
  const deleted = await query.execute(tx)`delete from connector where venue_id = ${venueId}`
  if (deleted === 0) return false
  await query.execute(tx)`update venue set confirm_mode = 'auto' where id = ${venueId}`
  return true
}

/**
 * Deletes the links of removed venues and, once no booking needs to be reported to them, their
 * connections and people. Returns whether any remain.
 */
export async function deleteConnectionsOfRemoved(tx: Db): Promise<boolean> {
  const settled = sql`v.is_test is null and not exists (
    select from booking b where b.venue_id = v.id and b.next_action_at is not null)`
  await query.execute(tx)`
    delete from venue_link l using venue v where v.id = l.venue_id and v.is_test is null`
  for (const table of ['connector', 'venue_person']) {
    await query.execute(tx)`
      delete from ${raw(table)} t using venue v where v.id = t.venue_id and ${settled}`
  }
  return query.value(tx, boolean)`
    select exists (select from venue v where v.is_test is null and (
      exists (select from connector c where c.venue_id = v.id)
      or exists (select from venue_person p where p.venue_id = v.id))) as left`
}

/** Venues whose connector has not been read since `before`, by id. */
export const selectUnread = (db: Db, before: Date, { after, limit }: PageOfIds) =>
  query.rows(db, idRow)`
    select venue_id as id from connector
    where (read_at is null or read_at < ${before})
      and (${after}::uuid is null or venue_id > ${after})
    order by venue_id limit ${limit}`

/** Claims a connector unless another caller has done so since `before`. */
export const claimConnector = (
  db: Db,
  venueId: string,
  { before, at }: Record<'before' | 'at', Date>,
) =>
  query.optionalRow(db, connectorRow)`
    with c as (
      update connector set read_at = ${at}
      where venue_id = ${venueId} and (read_at is null or read_at < ${before})
      returning venue_id, url, secret
    )
    select ${columns} from c ${venueAndArea}`

/** Stores why a venue's availability could not be read; null on success. */
export const updateConnectorFailure = (db: Db, venueId: string, failure: string | null) =>
  query.execute(db)`
    update connector set failure = ${failure}
    where venue_id = ${venueId} and failure is distinct from ${failure}`
