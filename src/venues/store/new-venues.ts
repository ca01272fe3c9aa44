import sql, { raw } from 'sql-template-tag'
import type {
  DayException,
  OpeningWindow,
  Rules,
  Strategy,
} from '../../availability/rules/rules.ts'
import { type Lead, leadsOf } from '../../availability/rules/sessions.ts'
import { plainText } from '../../base/plain-text.ts'
import { factNames, factWord } from '../../base/venue-facts.ts'
import {
  type PlaceFields,
  unknownPlace,
  type VenueFields,
  venueFieldNames,
  venueRecordset,
} from '../../contract/venue-fields.ts'
import { type Db, query } from '../../platform/database/sql.ts'

/** A venue to add, with all its services. */
export type NewVenue = Omit<VenueFields, keyof PlaceFields> &
  Partial<PlaceFields> & {
    id: string
    slug: string
    area_slug: string
    services: readonly NewService[]
    /** the resources that the services share */
    resources?: readonly NewResource[]
  }

/** A service with its first version of rules. */
export type NewService = {
  id: string
  name: string
  strategy: Strategy
  rules: Rules
  /** resources that only this service can be booked with */
  resources?: readonly NewResource[]
}

/** A table, room or therapist; those with the same `joins` can be combined. */
export type NewResource = {
  id: string
  kind: string
  name: string
  party_min: number
  party_max: number
  joins?: string | null
  /** ids of the services that it can be booked for; by default, all */
  can?: readonly string[] | null
  /** its own weekly hours; by default, the services' hours */
  hours?: readonly OpeningWindow[] | null
  days_off?: readonly string[]
  leads?: readonly Lead[] | null
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
  const resources = venues.flatMap(({ id: venue_id, services, resources = [] }) => [
    ...resources.map((one) => ({ ...one, venue_id, leads: leadsOf(services, one) })),
    ...services.flatMap(({ id, resources: own = [] }) =>
      own.map((one) => ({ ...one, venue_id, can: [id] })),
    ),
  ])
  const inserted = await insertVenueRows(tx, venues, at, isTest)
  await insertServices(tx, services, at)
  await insertResources(tx, resources)
  return inserted
}

/** The venue texts that search reads, in plain words: with its services and their people. */
export const searchedText = ({ services, resources = [], ...venue }: SearchedVenue) => {
  const leaders = new Set(services.flatMap(({ rules }) => rules.leader ?? []))
  const all = [...resources, ...services.flatMap(({ resources: own = [] }) => own)]
  const people = all.flatMap(({ kind, name }) => (leaders.has(kind) ? [name] : []))
  const offered = services.flatMap(({ name, rules: { sessions = [] } }) => [
    name,
    ...sessions.flatMap((session) => session.name ?? []),
  ])
  const labels = [...venue.tags, ...venue.cuisine, ...factWords(venue), ...offered, ...people]
  const descriptions = services.map(({ rules }) => rules.description ?? '')
  return {
    plain_name: plainText(venue.name),
    plain_tags: plainText([...new Set(labels)].join(' ')),
    plain_description: plainText([venue.description, ...descriptions].join(' ')),
  }
}
type SearchedVenue = Pick<VenueFields, 'name' | 'tags' | 'cuisine' | 'facts' | 'description'> &
  SearchedServices

type NamedResource = Pick<NewResource, 'kind' | 'name'>
/** The parts of a venue's services that search reads. */
export type SearchedServices = {
  services: readonly (Pick<NewService, 'name' | 'rules'> & {
    resources?: readonly NamedResource[]
  })[]
  resources?: readonly NamedResource[]
}

const factWords = ({ facts }: Pick<VenueFields, 'facts'>): string[] =>
  factNames.flatMap((name) => {
    const is = facts[name]
    return is ? [factWord({ name, is })] : []
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
  const rows = venues.map(({ services, resources = [], ...fields }) => {
    const venue = { ...unknownPlace, ...fields }
    return { ...venue, ...searchedText({ ...venue, services, resources }) }
  })
  return query.execute(tx)`
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

/** Adds services at their positions, each with its first version of rules. */
export async function insertServices(
  tx: Db,
  services: readonly PlacedService[],
  at: Date,
): Promise<void> {
  await insertServiceRows(tx, services)
  await insertRules(
    tx,
    services.map((service) => ({ ...service, version: 1 })),
    at,
  )
}

/** A service of a venue; a slot that several services share goes to the lowest position. */
export type PlacedService = NewService & { venue_id: string; position: number }

function insertServiceRows(tx: Db, services: readonly PlacedService[]) {
  const rows = services.map(({ rules: _, resources: _own, ...row }) => row)
  return query.execute(tx)`
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
  return query.execute(tx)`
    insert into service_rules (service_id, version, rules, created_at)
    select id, version, rules, ${at}
    from jsonb_to_recordset(${JSON.stringify(rows)}) as o (id uuid, version integer, rules jsonb)
    on conflict do nothing`
}

/** A resource of a venue. */
export type PlacedResource = NewResource & { venue_id: string }

/** Adds tables, rooms or therapists to venues. */
export function insertResources(tx: Db, resources: readonly PlacedResource[]) {
  const rows = resources.map((one) => ({ ...one, days_off: one.days_off ?? [] }))
  return query.execute(tx)`
    insert into resource (id, venue_id, kind, name, party_min, party_max, joins, can, hours,
      days_off, leads)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}) as r (id uuid, venue_id uuid,
      kind text, name text, party_min smallint, party_max smallint, joins text, can uuid[],
      hours jsonb, days_off date[], leads jsonb)
    on conflict do nothing`
}

/** An exception that applies to every venue in an area. */
export type NewAreaException = DayException & { id: string; area_slug: string }

/** Adds exceptions that do not exist; returns how many. */
export const insertAreaExceptions = (tx: Db, exceptions: readonly NewAreaException[]) =>
  query.execute(tx)`
    insert into day_exception (id, area_slug, date, windows, reason)
    select id, area_slug, date, windows, reason
    from jsonb_to_recordset(${JSON.stringify(exceptions)})
      as e (id uuid, area_slug text, date date, windows jsonb, reason text)
    on conflict do nothing`
