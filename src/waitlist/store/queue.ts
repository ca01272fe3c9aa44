import sql, { raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Wish } from '../../availability/rules/service-terms.ts'
import { wishColumn } from '../../availability/store/wish-columns.ts'
import { toInstantPastGap } from '../../base/local-time.ts'
import { aheadMs, aheadOf, isInRealTime, onClock } from '../../platform/database/account-time.ts'
import { idRow } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'
import type { EntryStart } from '../rules/entry.ts'
import { holdEndsAt } from './turns.ts'

const entryRow = z
  .object({
    start: z.custom<Omit<EntryStart, 'startsAt'>>(),
    wish: z.custom<Wish>(),
    ahead: aheadMs,
    sandbox_of: z.uuid().nullable(),
    venue_id: z.uuid(),
    earliest: z.date(),
    latest: z.date(),
    until: z.date(),
    hold_seconds: z.int(),
    queued_at: z.string(),
    door: z.string(),
    from_agent: z.string().nullable(),
    guest_ref: z.string().nullable(),
  })
  .transform(({ ahead, sandbox_of: liveAccountId, ...row }) => {
    const of = { ...onClock(ahead), ...(liveAccountId && { liveAccountId }) }
    const wantedAt = toInstantPastGap(row.start.timezone, row.start.slotTime)
    const start = { ...row.start, ...row.wish, startsAt: wantedAt.toISOString(), ...of }
    return { ...row, wanted: wantedAt, start: start satisfies EntryStart }
  })
/** An entry in its venue's queue, with its wish. */
export type WaitlistEntry = z.output<typeof entryRow>

const selectEntries = (db: Db, which: Sql) =>
  query.rows(db, entryRow)`
    select json_build_object('entryId', w.id, 'accountId', w.account_id, 'venueSlug', v.slug,
        'venueName', v.name, 'slotTime', w.slot_time, 'timezone', a.timezone,
        'partySize', w.party_size) as start, ${wishColumn(sql`w`)} as wish,
      ${aheadOf(sql`w.account_id`)} as ahead, o.live_account_id as sandbox_of,
      w.venue_id, w.earliest, w.latest, w.until, w.hold_seconds, w.queued_at::text,
      w.door, w.from_agent, w.guest_ref
    from waitlist_entry w join account o on o.id = w.account_id join venue v on v.id = w.venue_id
      join area a on a.slug = v.area_slug ${which}`

/**
 * Locks a venue's queue until the transaction ends. A release takes the lock `shared`, after its
 * inventory is free and before it reads the queue; a new entry takes it `alone`, before it checks
 * that the slot is full. So one of the two always sees the other.
 */
export async function lockQueue(tx: Db, venueId: string, how: 'shared' | 'alone') {
  const lock = how === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'
  await query.execute(tx)`select ${raw(lock)}(hashtextextended('waitlist ' || ${venueId}::text, 0))`
}

/** Reads up to `limit` entries behind `after` in the queue. */
export type QueuePage = {
  after?: Pick<WaitlistEntry, 'queued_at' | 'start'> | null
  limit: number
}

/**
 * The entries waiting at a venue for a time in this period, longest wait first. Leaves out accounts
 * not allowed to book, and the entry that had the hold `skipHolder`. An entry never gets inventory
 * released on another test clock.
 */
export const selectQueue = (
  db: Db,
  venueId: string,
  {
    from,
    until,
    at,
    skipHolder = null,
    after = null,
    limit,
  }: { from: Date; until: Date; at: Date; skipHolder?: string | null } & QueuePage,
) =>
  selectEntries(
    db,
    sql`
    join account c on c.id = w.account_id and c.tier = 'pro' and c.suspended_at is null
    where w.venue_id = ${venueId} and w.status = 'watching' and w.latest >= ${from}
      and w.earliest < ${until} and w.until > ${at}
      and ${aheadOf(sql`w.account_id`)} is not distinct from (
        select t.ahead_ms from booking b join test_clock t on t.account_id = b.account_id
        where b.id = ${skipHolder})
      and (${after?.start.entryId ?? null}::uuid is null
        or (w.queued_at, w.id) > (${after?.queued_at ?? null}::timestamptz,
          ${after?.start.entryId ?? null}::uuid))
      and not exists (
        select from waitlist_turn t where t.hold_id = ${skipHolder} and t.entry_id = w.id)
    order by w.queued_at, w.id limit ${limit}`,
  )

/** Locks a waiting entry; false if it is no longer waiting or another transaction has locked it. */
export const lockEntry = (tx: Db, id: string) =>
  query.affectsRow(tx)`
    select from waitlist_entry where id = ${id} and status = 'watching' for update skip locked`

/** The inputs for the workflows of an account's entries `w` that match a condition. */
export const selectEntryStarts = async (db: Db, accountId: string, which: Sql) =>
  (await selectEntries(db, sql`where w.account_id = ${accountId} and ${which}`)).map(
    ({ start }) => start,
  )

/** The input for an entry's workflow. */
export const selectOptionalEntryStart = async (db: Db, id: string) =>
  (await selectEntries(db, sql`where w.id = ${id}`))[0]?.start

/** The input for the workflow of the entry that has or had this hold. */
export async function selectOptionalEntryOfHold(db: Db, holdId: string) {
  const which = sql`where w.id = (select entry_id from waitlist_turn where hold_id = ${holdId})`
  return (await selectEntries(db, which))[0]?.start
}

/**
 * Live entries that should have ended before `before` but whose workflow has not noticed: up to
 * `limit` after the id `after`, by id.
 */
export async function selectOverdueEntries(db: Db, before: Date, { after, limit }: PageOfIds) {
  const which = sql`
    left join booking b on b.id = w.hold_id
    where w.nth is not null and w.until < ${before} and ${isInRealTime(sql`w.account_id`)}
      and (w.status = 'watching' or ${holdEndsAt} is null or ${holdEndsAt} < ${before})
      and (${after}::uuid is null or w.id > ${after})
    order by w.id limit ${limit}`
  return selectEntries(db, which)
}

/** Makes the next scan check a venue, unless another transaction is already doing so. */
export const markScanDue = (tx: Db, venueId: string) =>
  query.execute(tx)`
    update waitlist_venue set checked_at = 'epoch' where venue_id in (
      select venue_id from waitlist_venue where venue_id = ${venueId} for update skip locked)`

/** Venues that have entries and have not been scanned since `before`, by id. */
export const selectDueVenues = (db: Db, before: Date, { after, limit }: PageOfIds) =>
  query.rows(db, idRow)`
    select venue_id as id from waitlist_venue l
    where checked_at < ${before} and (${after}::uuid is null or venue_id > ${after})
      and exists (select from waitlist_entry w
        where w.venue_id = l.venue_id and w.status = 'watching')
    order by venue_id limit ${limit}`

/** Marks a venue as scanned at `at`; false if another scan has done so since `before`. */
export const takeVenue = (db: Db, id: string, { before, at }: Record<'before' | 'at', Date>) =>
  query.affectsRow(db)`
    update waitlist_venue set checked_at = ${at}
    where venue_id = ${id} and checked_at < ${before}`
