import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import { type Db, execute, queryOptionalRow, queryRows } from '../../platform/database/sql.ts'
import type { EntryStart } from '../rules/entry.ts'

/** A watcher in the queue of its venue, and what it waits for. */
export type WaitlistEntry = {
  start: EntryStart
  venueId: string
  partySize: number
  wanted: Date
  earliest: Date
  latest: Date
  holdSeconds: number
  door: string
  fromAgent: string | null
}

const watcherRow = z
  .object({
    id: z.uuid(),
    account_id: z.uuid(),
    venue_id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    timezone: z.string(),
    slot_time: z.string(),
    wanted: z.date(),
    party_size: z.int(),
    earliest: z.date(),
    latest: z.date(),
    hold_seconds: z.int(),
    door: z.string(),
    from_agent: z.string().nullable(),
  })
  .transform(
    (row): WaitlistEntry => ({
      start: {
        watchId: row.id,
        accountId: row.account_id,
        venueSlug: row.slug,
        venueName: row.name,
        slotTime: row.slot_time,
        timezone: row.timezone,
        startsAt: row.wanted.toISOString(),
        partySize: row.party_size,
      },
      venueId: row.venue_id,
      partySize: row.party_size,
      wanted: row.wanted,
      earliest: row.earliest,
      latest: row.latest,
      holdSeconds: row.hold_seconds,
      door: row.door,
      fromAgent: row.from_agent,
    }),
  )

const watchers = sql`select w.id, w.account_id, w.venue_id, v.slug, v.name, a.timezone, w.slot_time,
    w.slot_time at time zone a.timezone as wanted, w.party_size, w.earliest, w.latest,
    w.hold_seconds, w.door, w.from_agent
  from watch w join venue v on v.id = w.venue_id join area a on a.slug = v.area_slug`

/**
 * Keeps the queue of a venue from changing unseen until the transaction ends. Whoever gives a place back takes the lock `shared`, after
 * its inventory is free and before it reads the queue; whoever joins takes it `alone`, before it looks whether a place is free. So
 * one of the two always sees the other.
 */
export async function lockQueue(tx: Db, venueId: string, how: 'shared' | 'alone'): Promise<void> {
  const lock = how === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'
  await execute(tx)`select ${raw(lock)}(hashtextextended('watch ' || ${venueId}::text, 0))`
}

/** A page of a queue is this long; whoever stands behind is reached by the next look. */
const LONGEST = 1_000

/**
 * Who waits at a venue for a time in this period, the longest first, but for accounts that may not
 * book and the entry whose hold `skipHolder` is.
 */
export const selectQueue = (
  db: Db,
  venueId: string,
  { from, until, at, skipHolder }: { from: Date; until: Date; at: Date; skipHolder?: string },
): Promise<WaitlistEntry[]> =>
  queryRows(db, watcherRow)`
    ${watchers} join account c on c.id = w.account_id and c.tier = 'pro'
    where w.venue_id = ${venueId} and w.status = 'watching' and w.latest >= ${from}
      and w.earliest < ${until}
      and w.until > ${at}
      and not exists (select from watch_turn t where t.hold_id = ${skipHolder ?? null}
        and t.watch_id = w.id)
    order by w.queued_at, w.id limit ${LONGEST}`

const found = z.object({ id: z.uuid() })

/** Locks a watcher that still waits; false when it does not, or when somebody is giving it a place at this moment. */
export async function lockEntry(tx: Db, id: string): Promise<boolean> {
  const row = await queryOptionalRow(tx, found)`
    select id from watch where id = ${id} and status = 'watching' for update skip locked`
  return row !== undefined
}

/** What a watch's workflow is started with. */
export async function selectOptionalEntryStart(
  db: Db,
  id: string,
): Promise<EntryStart | undefined> {
  return (await queryOptionalRow(db, watcherRow)`${watchers} where w.id = ${id}`)?.start
}

/** The watch whose hold this is or was confirmed from. */
export async function selectOptionalEntryOfHold(
  db: Db,
  holdId: string,
): Promise<EntryStart | undefined> {
  const entry = await queryOptionalRow(db, watcherRow)`
    ${watchers} where w.id = (select watch_id from watch_turn where hold_id = ${holdId})`
  return entry?.start
}

/** Live watches whose time was over before `before`: their workflow has not seen it. */
export const selectOverdueEntries = async (
  db: Db,
  before: Date,
  limit: number,
): Promise<EntryStart[]> =>
  (
    await queryRows(db, watcherRow)`
      ${watchers} left join booking b on b.id = w.hold_id
      where w.nth is not null and w.until < ${before}
        and (w.status = 'watching' or b.next_action_at is null or b.next_action_at < ${before})
      order by w.until limit ${limit}`
  ).map(({ start }) => start)

/** Venues with watchers at which nobody has looked since `before`, up to `limit`; they count as looked at from now on. */
export async function takeDueVenues(
  db: Db,
  { before, at, limit }: { before: Date; at: Date; limit: number },
): Promise<string[]> {
  const rows = await queryRows(db, found)`
    update watched_venue set looked_at = ${at} where venue_id in (
      select l.venue_id from watched_venue l
      where l.looked_at < ${before}
        and exists (select from watch w where w.venue_id = l.venue_id and w.status = 'watching')
      order by l.looked_at limit ${limit} for update skip locked)
    returning venue_id as id`
  return rows.map(({ id }) => id)
}
