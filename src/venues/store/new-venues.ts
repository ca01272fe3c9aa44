import sql, { raw } from 'sql-template-tag'
import type { DayException, Rules, Strategy } from '../../availability/rules/rules.ts'
import { plainText } from '../../base/plain-text.ts'
import { type VenueFields, venueFieldNames, venueRecordset } from '../../contract/venue-fields.ts'
import { type Db, execute } from '../../platform/database/sql.ts'

/** A venue to add, with all its services. */
export type NewVenue = VenueFields & {
  id: string
  slug: string
  area_slug: string
  services: readonly NewService[]
}

/** A service with its first version of rules. */
export type NewService = {
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
 * Adds venues with their services, first versions of rules, and resources; returns the number
 * added. Leaves existing venues unchanged. The feed will report them, except test venues.
 */
export async function insertVenues(
  tx: Db,
  venues: readonly NewVenue[],
  at: Date,
  isTest = false,
): Promise<number> {
  const services = venues.flatMap((venue) =>
    venue.services.map((service, position) => ({ ...service, venue_id: venue.id, position })),
  )
  const inserted = await insertVenueRows(tx, venues, at, isTest)
  await insertServices(tx, services, at)
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
  const rows = venues.map(({ services: _, ...venue }) => ({ ...venue, ...searchedText(venue) }))
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

/** Adds services at their positions, each with its first version of rules, and its resources. */
export async function insertServices(
  tx: Db,
  services: readonly PlacedService[],
  at: Date,
): Promise<void> {
  const resources = services.flatMap((service) =>
    service.resources.map((resource) => ({ ...resource, service_id: service.id })),
  )
  await insertServiceRows(tx, services)
  await insertRules(
    tx,
    services.map((service) => ({ ...service, version: 1 })),
    at,
  )
  await insertResources(tx, resources)
}

/** A service of a venue; a slot that several services share goes to the lowest position. */
export type PlacedService = NewService & { venue_id: string; position: number }

function insertServiceRows(tx: Db, services: readonly PlacedService[]) {
  const rows = services.map(({ rules: _, resources: _all, ...row }) => row)
  return execute(tx)`
    insert into service (id, venue_id, name, strategy, position, rule_version)
    select id, venue_id, name, strategy, position, 1
    from jsonb_to_recordset(${JSON.stringify(rows)})
      as o (id uuid, venue_id uuid, name text, strategy text, position smallint)
    on conflict do nothing`
}

/** A version of a service's rules; `id` is the service's. */
export type NewRules = { id: string; version: number; rules: Rules }

/** Adds versions of rules. */
export function insertRules(tx: Db, versions: readonly NewRules[], at: Date): Promise<number> {
  const rows = versions.map(({ id, version, rules }) => ({ id, version, rules }))
  return execute(tx)`
    insert into service_rules (service_id, version, rules, created_at)
    select id, version, rules, ${at}
    from jsonb_to_recordset(${JSON.stringify(rows)}) as o (id uuid, version integer, rules jsonb)
    on conflict do nothing`
}

/** Adds tables, rooms or therapists to services. */
export const insertResources = (
  tx: Db,
  resources: readonly (NewResource & { service_id: string })[],
) =>
  execute(tx)`
    insert into resource (id, service_id, kind, name, party_min, party_max, joins)
    select * from unnest(${resources.map(({ id }) => id)}::uuid[],
      ${resources.map(({ service_id }) => service_id)}::uuid[],
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
