import sql from 'sql-template-tag'
import { z } from 'zod'
import {
  type Db,
  execute,
  queryOptionalRow,
  queryRow,
  queryRows,
} from '../../platform/database/sql.ts'

const connectorRow = z.object({
  venue_id: z.uuid(),
  slug: z.string(),
  url: z.string(),
  secret: z.string(),
  timezone: z.string(),
})
/** How a venue's own booking system is reached; the secret is sealed. */
export type Connector = z.infer<typeof connectorRow>

/** What a connector's secret is sealed to: it opens in this row only. */
export const connectorContext = (venueId: string): string => `connector/${venueId}`

const selectColumns = sql`select c.venue_id, v.slug, c.url, c.secret, a.timezone
  from connector c join venue v on v.id = c.venue_id join area a on a.slug = v.area_slug`

/** The connector of a venue, if it has one. */
export const selectOptionalConnector = (db: Db, venueId: string): Promise<Connector | undefined> =>
  queryOptionalRow(db, connectorRow)`${selectColumns} where c.venue_id = ${venueId}`

const stateRow = z.object({
  slug: z.string(),
  url: z.string(),
  read_at: z.date().nullable(),
  failure: z.string().nullable(),
})

/** Every connector by the slug of its venue, with how it was last read. */
export const selectConnectors = (db: Db): Promise<z.infer<typeof stateRow>[]> =>
  queryRows(db, stateRow)`
    select v.slug, c.url, c.read_at, c.failure
    from connector c join venue v on v.id = c.venue_id order by v.slug`

export const readingStates = ['ok', 'failed', 'late'] as const
/** How a venue was last read: `late`, when nobody has tried since it was due. */
export type ReadingState = (typeof readingStates)[number]

const countRow = z.object({ state: z.enum(readingStates), count: z.int() })

/** How many connectors are in each state; `late` are those not tried since `due`. */
export async function countReadings(db: Db, due: Date): Promise<Map<ReadingState, number>> {
  const rows = await queryRows(db, countRow)`
    select case when coalesce(read_at, created_at) < ${due} then 'late'
        when failure is not null then 'failed' else 'ok' end as state, count(*) as count
    from connector group by 1`
  return new Map(rows.map(({ state, count }) => [state, count]))
}

/**
 * Connects a venue to its own system, or anew with another address and secret; from then on it confirms there and, if it knows how,
 * takes changes there.
 */
export async function upsertConnector(
  tx: Db,
  {
    venueId,
    url,
    secret,
    takesAmend = true,
  }: { venueId: string; url: string; secret: string; takesAmend?: boolean },
  at: Date,
): Promise<void> {
  await execute(tx)`
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
}

const takesRow = z.object({ takes_amend: z.boolean() })

/** Whether a venue has a system of its own that can be asked to change a booking. */
export async function selectTakesAmend(db: Db, venueId: string): Promise<boolean> {
  const row = await queryOptionalRow(db, takesRow)`
    select takes_amend from connector where venue_id = ${venueId}`
  return row?.takes_amend ?? false
}

const openRow = z.object({ open: z.int() })

/** Bookings of which the venue's own system has, or may have, a part to play: asked, to come, or to be withdrawn. */
export async function countOpenAtVenue(db: Db, venueId: string, at: Date): Promise<number> {
  const { open } = await queryRow(db, openRow)`
    select count(*) as open from booking
    where venue_id = ${venueId} and confirm_mode = 'http'
      and (status = 'pending' or venue_sync = 'withdraw_due'
        or (status = 'confirmed' and ends_at > ${at}))`
  return open
}

/**
 * Gives up what a venue was to be told of bookings that are over, or that stay as they were: it is no longer there to be told. Answers
 * how many are over.
 */
export const giveUpWithdrawals = (tx: Db, venueId: string, at: Date): Promise<number> =>
  execute(tx)`
    with unsent as (
      update booking_change c set is_sent = false from booking b
      where b.id = c.booking_id and b.venue_id = ${venueId}
    ), kept as (
      update booking set change_phase = null, change_revision = null, updated_at = ${at}
      where venue_id = ${venueId} and change_phase = 'restoring'
    )
    update booking set venue_sync = 'sent', next_action_at = null, updated_at = ${at}
    where venue_id = ${venueId} and venue_sync = 'withdraw_due'`

/** Takes a venue back to the network's own inventory; false when it was not connected. */
export async function deleteConnector(tx: Db, venueId: string): Promise<boolean> {
  const deleted = await execute(tx)`delete from connector where venue_id = ${venueId}`
  if (deleted === 0) return false
  await execute(tx)`update venue set confirm_mode = 'auto' where id = ${venueId}`
  return true
}

/** Connectors that were not read since `before`, the longest unread first; read now as far as others know. */
export async function claimUnreadConnectors(
  db: Db,
  before: Date,
  { at, limit }: { at: Date; limit: number },
): Promise<Connector[]> {
  return queryRows(db, connectorRow)`
    with claimed as (
      update connector set read_at = ${at} where venue_id in (
        select venue_id from connector where read_at is null or read_at < ${before}
        order by read_at nulls first limit ${limit} for update skip locked)
      returning venue_id, url, secret
    )
    select c.venue_id, v.slug, c.url, c.secret, a.timezone
    from claimed c join venue v on v.id = c.venue_id join area a on a.slug = v.area_slug`
}

/** What went wrong when the venue was last asked for its availability; null when nothing did. */
export async function updateConnectorFailure(
  db: Db,
  venueId: string,
  failure: string | null,
): Promise<void> {
  await execute(db)`
    update connector set failure = ${failure} where venue_id = ${venueId} and failure is distinct
      from ${failure}`
}
