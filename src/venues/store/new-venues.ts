import sql, { raw } from 'sql-template-tag'
import type { DayException, Rules, Strategy } from '../../availability/rules/rules.ts'
import { plainText } from '../../base/plain-text.ts'
import { type VenueFields, venueFieldNames, venueRecordset } from '../../contract/venue-fields.ts'
import { type Db, execute } from '../../platform/database/sql.ts'

/** A venue to add, with all its offerings. */
export type NewVenue = VenueFields & {
  id: string
  slug: string
  area_slug: string
  offerings: readonly NewOffering[]
}

/** An offering with its first version of rules. */
export type NewOffering = {
  id: string
  name: string
  strategy: Strategy
  rules: Rules
  resources: readonly NewResource[]
}

/** A table, room or therapist; those with the same `joins` can be combined. */
export type NewResource = {
  id: string
  kind: string
  name: string
  party_min: number
  party_max: number
  joins?: string | null
}

/**
 * Adds venues with their offerings, first versions of rules, and resources; returns the number
 * added. Leaves existing venues unchanged. The feed will report them, except test venues.
 */
export async function insertVenues(
  tx: Db,
  venues: readonly NewVenue[],
  at: Date,
  isTest = false,
): Promise<number> {
  const offerings = venues.flatMap((venue) =>
    venue.offerings.map((offering, position) => ({ ...offering, venue_id: venue.id, position })),
  )
  const inserted = await insertVenueRows(tx, venues, at, isTest)
  await insertOfferings(tx, offerings, at)
  return inserted
}

/** The venue texts that search reads, in plain words. */
export const searchedText = (venue: Pick<NewVenue, 'name' | 'tags' | 'description'>) => ({
  plain_name: plainText(venue.name),
  plain_tags: plainText(venue.tags.join(' ')),
  plain_description: plainText(venue.description),
})

/** The search document of a venue: names outweigh tags, and tags outweigh descriptions. */
export const searchDocument = (row: string) =>
  sql`setweight(to_tsvector('english', ${raw(row)}.plain_name), 'A')
         || setweight(to_tsvector('english', ${raw(row)}.plain_tags), 'B')
         || setweight(to_tsvector('english', ${raw(row)}.plain_description), 'C')`

const columns = venueFieldNames.join(', ')

function insertVenueRows(
  tx: Db,
  venues: readonly NewVenue[],
  at: Date,
  isTest: boolean,
): Promise<number> {
  const rows = venues.map(({ offerings: _, ...venue }) => ({ ...venue, ...searchedText(venue) }))
  return execute(tx)`
    with added as (
      insert into venue (id, slug, area_slug, ${raw(columns)}, document, created_at, is_test)
      select id, slug, area_slug, ${raw(columns)}, ${searchDocument('v')}, ${at}, ${isTest}
      from jsonb_to_recordset(${JSON.stringify(rows)}) as v (id uuid, slug text, area_slug text,
        ${raw(venueRecordset)},
        plain_name text, plain_tags text, plain_description text)
      on conflict do nothing
      returning id
    ), told as (
      insert into unpublished_venue (venue_id, hour)
      select id, date_trunc('hour', ${at}::timestamptz, 'UTC') from added
      where not ${isTest}::boolean
    )
    select from added`
}

/** Adds offerings at their positions, each with its first version of rules, and its resources. */
export async function insertOfferings(
  tx: Db,
  offerings: readonly PlacedOffering[],
  at: Date,
): Promise<void> {
  const resources = offerings.flatMap((offering) =>
    offering.resources.map((resource) => ({ ...resource, offering_id: offering.id })),
  )
  await insertOfferingRows(tx, offerings)
  await insertRules(
    tx,
    offerings.map((offering) => ({ ...offering, version: 1 })),
    at,
  )
  await insertResources(tx, resources)
}

/** An offering of a venue; a slot that several offerings share goes to the lowest position. */
export type PlacedOffering = NewOffering & { venue_id: string; position: number }

function insertOfferingRows(tx: Db, offerings: readonly PlacedOffering[]) {
  const rows = offerings.map(({ rules: _, resources: _all, ...row }) => row)
  return execute(tx)`
    insert into offering (id, venue_id, name, strategy, position, rule_version)
    select id, venue_id, name, strategy, position, 1
    from jsonb_to_recordset(${JSON.stringify(rows)})
      as o (id uuid, venue_id uuid, name text, strategy text, position smallint)
    on conflict do nothing`
}

/** A version of an offering's rules; `id` is the offering's. */
export type NewRules = { id: string; version: number; rules: Rules }

/** Adds versions of rules. */
export function insertRules(tx: Db, versions: readonly NewRules[], at: Date): Promise<number> {
  const rows = versions.map(({ id, version, rules }) => ({ id, version, rules }))
  return execute(tx)`
    insert into offering_rules (offering_id, version, rules, created_at)
    select id, version, rules, ${at}
    from jsonb_to_recordset(${JSON.stringify(rows)}) as o (id uuid, version integer, rules jsonb)
    on conflict do nothing`
}

/** Adds tables, rooms or therapists to offerings. */
export const insertResources = (
  tx: Db,
  resources: readonly (NewResource & { offering_id: string })[],
) =>
  execute(tx)`
    insert into resource (id, offering_id, kind, name, party_min, party_max, joins)
    select * from unnest(${resources.map(({ id }) => id)}::uuid[],
      ${resources.map(({ offering_id }) => offering_id)}::uuid[],
        ${resources.map(({ kind }) => kind)}::text[], ${resources.map(({ name }) => name)}::text[],
          ${resources.map(({ party_min }) => party_min)}::smallint[],
            ${resources.map(({ party_max }) => party_max)}::smallint[],
      ${resources.map(({ joins }) => joins ?? null)}::text[])
    on conflict do nothing`

/** An exception that applies to every venue in an area. */
export type NewAreaException = DayException & { id: string; area_slug: string }

/** Adds exceptions that do not exist; returns how many. */
export const insertAreaExceptions = (tx: Db, exceptions: readonly NewAreaException[]) =>
  execute(tx)`
    insert into day_exception (id, area_slug, date, windows, reason)
    select id, area_slug, date, windows, reason
    from jsonb_to_recordset(${JSON.stringify(exceptions)})
      as e (id uuid, area_slug text, date date, windows jsonb, reason text)
    on conflict do nothing`
