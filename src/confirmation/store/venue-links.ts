import { z } from 'zod'
import { DAY_MS } from '../../base/durations.ts'
import { languages } from '../../base/languages.ts'
import { uuid } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'

/** Days for which links stay listed after they expire. */
const LISTED_DAYS = 30

type NewLink = {
  id: string
  venueId: string
  /** the booking whose notices contain the link; null if an operator made it */
  bookingId: string | null
  days: number
  at: Date
}

/**
 * Inserts a link to a venue's page and returns its id. A booking has one link, whose life later
 * notices extend. Deletes the venue's links that expired long ago.
 */
export async function insertLink(db: Db, { id, venueId, bookingId, days, at }: NewLink) {
  const forgotten = new Date(at.getTime() - LISTED_DAYS * DAY_MS)
  await query.execute(
    db,
  )`delete from venue_link where venue_id = ${venueId} and expires_at < ${forgotten}`
  const until = new Date(at.getTime() + days * DAY_MS)
  return query.value(db, uuid)`
    insert into venue_link (id, venue_id, booking_id, created_at, expires_at)
    values (${id}, ${venueId}, ${bookingId}, ${at}, ${until})
    on conflict (booking_id) where revoked_at is null
    do update set expires_at = greatest(venue_link.expires_at, excluded.expires_at)
    returning id`
}

const pageRow = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  timezone: z.string(),
  language: z.enum(languages).catch('en'),
  /** whether people have joined there, so that each act is one of theirs */
  has_people: z.boolean(),
  expires_at: z.date(),
  revoked_at: z.date().nullable(),
})
/** Someone at a venue who gave their PIN on this device. */
type PagePerson = { id: string; name: string; role: 'owner' | 'staff' }
/** The venue that a page is for, with the expiry of its link, and who uses the page, if known. */
export type PageVenue = z.infer<typeof pageRow> & { person: PagePerson | null }

/** The venue whose page a link opens; undefined if it was removed. */
export const selectOptionalPageVenue = (db: Db, linkId: string) =>
  query.optionalRow(db, pageRow)`
    select v.id, v.slug, v.name, a.timezone, v.language, l.expires_at, l.revoked_at,
      exists (select from venue_person p where p.venue_id = v.id and p.joined_at is not null
        and p.removed_at is null) as has_people
    from venue_link l join venue v on v.id = l.venue_id join area a on a.slug = v.area_slug
    where l.id = ${linkId} and v.is_test is not null`

/** Whether a person is still at the venue; nobody can remove them until the transaction ends. */
export const lockPerson = (tx: Db, venueId: string, personId: string) =>
  query.affectsRow(tx)`
    select from venue_person
    where id = ${personId} and venue_id = ${venueId} and removed_at is null for share`

const linkRow = z.object({
  id: z.uuid(),
  booking_id: z.uuid().nullable(),
  created_at: z.date(),
  expires_at: z.date(),
  revoked_at: z.date().nullable(),
})

/** The links to a venue's page, newest first, including recently ended ones. */
export const selectLinks = (db: Db, venueId: string) =>
  query.rows(db, linkRow)`
    select id, booking_id, created_at, expires_at, revoked_at from venue_link
    where venue_id = ${venueId} order by created_at desc, id desc`

/** Revokes one link; returns how many were revoked. */
export const revokeLink = (db: Db, id: string, at: Date) =>
  query.execute(
    db,
  )`update venue_link set revoked_at = ${at} where id = ${id} and revoked_at is null`

/** Revokes every link to a venue's page. */
export const revokeLinks = (db: Db, venueId: string, at: Date) =>
  query.execute(db)`
    update venue_link set revoked_at = ${at} where venue_id = ${venueId} and revoked_at is null`
