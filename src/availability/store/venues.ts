import sql, { empty, raw } from 'sql-template-tag'
import { z } from 'zod'
import { shownKm } from '../../base/distance.ts'
import { refuse } from '../../base/errors.ts'
import { bookingPlace } from '../../contract/public.ts'
import { shownFields, venueColumnsOf } from '../../contract/venue-fields.ts'
import { text } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'

/** The columns of `venueRow`, from `venue v join area a`. */
export const venueColumns = sql`v.id, v.slug, a.name as area, a.city, a.country, a.timezone,
  a.currency, ${raw(venueColumnsOf('v'))}`

export const venueRow = z.object({
  id: z.string(),
  slug: z.string(),
  area: z.string(),
  city: z.string(),
  country: z.string(),
  timezone: z.string(),
  currency: z.string(),
  ...shownFields,
})
/** A venue without its availability. */
export type VenueRow = z.infer<typeof venueRow>

export const isSlugOrId = (text: string): boolean => /^[\w-]{1,100}$/.test(text)

/** An SQL condition for venues in the given mode (null: either), and optionally removed venues. */
const ofMode = (isTest: boolean | null) =>
  isTest === null ? empty : sql`and coalesce(v.is_test, ${isTest}) = ${isTest}`

const isRemoved = sql`v.is_test is null as is_removed`
const removable = { is_removed: z.boolean() }

/**
 * Finds a venue by slug or id, in the given mode (null: either). Accepts any string. Throws
 * `venue_removed` unless removed venues are to be found too.
 */
export async function selectOptionalVenue(
  db: Db,
  text: string,
  isTest: boolean | null,
  findsRemoved = isTest === null,
) {
  if (!isSlugOrId(text)) return undefined
  const column = z.uuid().safeParse(text).success ? 'id' : 'slug'
  const row = await query.optionalRow(db, venueRow.extend(removable))`
    select ${venueColumns}, ${isRemoved} from venue v join area a on a.slug = v.area_slug
      where v.${raw(column)} = ${text} ${ofMode(isTest)}`
  return row && present(row, findsRemoved)
}

/** The row, unless its venue was removed. */
function present<R extends { is_removed: boolean }>(row: R, findsRemoved = false) {
  const { is_removed, ...venue } = row
  if (is_removed && !findsRemoved) throw refuse('venue_removed')
  return venue
}

const MAX_NEAREST = 3
/** Above this, trigrams of a text and of a slug are hardly alike. */
const MAX_DISTANCE = 0.5

/** The slugs in the given mode that resemble a text most, if any do. */
export const selectNearestSlugs = (db: Db, text: string, isTest: boolean): Promise<string[]> =>
  isSlugOrId(text)
    ? query.values(db, z.string())`
        select slug from (
          select slug, slug <->> ${text} as distance from venue where is_test = ${isTest}
          order by slug <->> ${text} limit ${MAX_NEAREST}) near
        where distance < ${MAX_DISTANCE} order by distance, slug <-> ${text}`
    : Promise.resolve([])

export const venueRef = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  timezone: z.string(),
})
export type VenueRef = z.infer<typeof venueRef>

/** The place of a booking at the venue `v`. */
export const venuePlace = sql`json_build_object('address', v.address, 'phone', v.phone,
  'latitude', v.latitude, 'longitude', v.longitude)`

/** A venue and its place, as a booking needs them. */
const { is_demo, takes_test_money } = shownFields
const placedRef = venueRef.extend({ place: bookingPlace, is_demo, takes_test_money })

/** Throws if the venue does not exist. */
export const selectVenueRef = (db: Db, id: string) =>
  query.row(db, venueRef)`
    select v.id, v.slug, v.name, a.timezone
    from venue v join area a on a.slug = v.area_slug where v.id = ${id}`

/** Finds a venue by slug or id, in the given mode. Accepts any string. Throws `venue_removed`. */
export async function selectOptionalVenueRef(db: Db, text: string, isTest: boolean) {
  if (!isSlugOrId(text)) return undefined
  const column = z.uuid().safeParse(text).success ? 'id' : 'slug'
  const row = await query.optionalRow(db, placedRef.extend(removable))`
    select v.id, v.slug, v.name, a.timezone, ${venuePlace} as place, v.is_demo,
      v.takes_test_money, ${isRemoved}
    from venue v join area a on a.slug = v.area_slug
    where v.${raw(column)} = ${text} ${ofMode(isTest)}`
  return row && present(row)
}

/** Venues in the same category and area, nearest first. */
export const selectNeighbours = (db: Db, id: string, limit: number) =>
  query.rows(db, venueRef)`
    select v.id, v.slug, v.name, a.timezone
    from venue mine
    join venue v on v.category = mine.category and v.area_slug = mine.area_slug and v.id <> mine.id
      and v.is_test = mine.is_test
    join area a on a.slug = v.area_slug
    where mine.id = ${id}
    order by point(v.longitude, v.latitude) <-> point(mine.longitude, mine.latitude), v.slug
    limit ${limit}`

/** How many of the nearest venues to check before filtering by party size. */
const NEAREST = 40
/** About 15 km, in degrees on the map. */
const NEARBY = 0.135

const point = { latitude: z.number(), longitude: z.number() }
const likeRow = venueRef
  .extend({ ...point, from: z.object(point) })
  .transform(({ latitude, longitude, from, ...venue }) => ({
    ...venue,
    km: shownKm({ latitude, longitude }, from),
  }))
/** A similar venue, and how far it is from the other. */
export type LikeVenue = z.output<typeof likeRow>

/** Venues in the same category that take this party, nearest first, within about 15 km. */
export const selectLikeVenues = (
  db: Db,
  id: string,
  { partySize, limit }: { partySize: number; limit: number },
) =>
  query.rows(db, likeRow)`
    select near.id, near.slug, near.name, a.timezone, near.latitude, near.longitude,
      json_build_object('latitude', mine.latitude, 'longitude', mine.longitude) as "from"
    from venue mine
    cross join lateral (
      select v.id, v.slug, v.name, v.area_slug, v.latitude, v.longitude,
        v.spot <-> mine.spot as distance
      from venue v where v.category = mine.category and v.id <> mine.id
        and v.is_test = mine.is_test and v.spot <@ circle(mine.spot, ${NEARBY})
      order by v.spot <-> mine.spot limit ${NEAREST}) near
    join area a on a.slug = near.area_slug
    where mine.id = ${id} and near.distance < ${NEARBY} and exists (
      select from service o
      join service_rules r on r.service_id = o.id and r.version = o.rule_version
      where o.venue_id = near.id and ${partySize}::int
        between (r.rules ->> 'party_min')::int and (r.rules ->> 'party_max')::int)
    order by near.distance, near.slug limit ${limit}`

const lockedRow = z.object({ id: z.uuid(), name: z.string(), is_removed: z.boolean() })

/** Locks a venue by slug, against bookings too; it must not be a test venue. */
export const lockVenue = (tx: Db, slug: string) =>
  query.optionalRow(tx, lockedRow)`
    select v.id, v.name, ${isRemoved} from venue v
    where v.slug = ${slug} and v.is_test is not true for update`

/** Keeps bookings from being made at any venue until the transaction ends. */
export async function lockVenues(tx: Db): Promise<void> {
  await query.execute(tx)`set local statement_timeout = 0`
  await query.execute(tx)`lock table venue in exclusive mode`
}

/** Removes a venue, or every live venue: it can no longer be found or booked. */
export const updateRemoved = (tx: Db, id: string | null) =>
  query.execute(tx)`
    update venue set is_test = null
    where not is_test and (${id}::uuid is null or id = ${id}::uuid)`

/** Which of these slugs already exist. */
export const selectTakenSlugs = (db: Db, slugs: readonly string[]) =>
  query.values(db, text)`
    select slug from venue where slug = any(${slugs}::text[])`

/** Returns false if the venue confirms in its own system. */
export const updateConfirmMode = (db: Db, id: string, mode: 'auto' | 'request') =>
  query.affectsRow(db)`
    update venue set confirm_mode = ${mode} where id = ${id} and confirm_mode <> 'http'`
