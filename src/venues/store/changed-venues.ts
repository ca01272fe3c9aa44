import sql, { raw, type Sql } from 'sql-template-tag'
import { type VenueFields, venueFieldNames, venueRecordset } from '../../contract/venue-fields.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import {
  insertResources,
  insertRules,
  insertServices,
  type NewResource,
  type NewRules,
  type PlacedResource,
  type PlacedService,
  type SearchedServices,
  searchDocument,
  searchedText,
} from './new-venues.ts'

/** A stored venue's new content; its slug does not change. */
export type ChangedVenue = VenueFields & SearchedServices & { id: string; area_slug: string }

/** Changes to the services of stored venues. Deletes nothing, as bookings refer to the rows. */
export type ServiceChanges = {
  added: PlacedService[]
  /** new versions in force from now on; one without windows withdraws the service */
  rules: NewRules[]
  positions: { id: string; position: number }[]
  addedResources: PlacedResource[]
  /** changed, reinstated or retired resources; retired ones keep their bookings, but get no more */
  resources: (NewResource & { is_retired: boolean })[]
}

const updates = venueFieldNames
  .filter((name) => name !== 'confirm_mode')
  .map((name) => `${name} = n.${name}`)
  .join(', ')

/**
 * Updates live venues, bringing back removed ones. A venue connected to its own system still
 * confirms through it.
 */
export function updateVenues(tx: Db, venues: readonly ChangedVenue[]): Promise<number> {
  const rows = venues.map(({ services, resources = [], ...venue }) => ({
    ...venue,
    ...searchedText({ ...venue, services, resources }),
  }))
  return query.execute(tx)`
    update venue v set is_test = false, area_slug = n.area_slug, ${raw(updates)},
      document = ${searchDocument('n')},
      confirm_mode = case when exists (select from connector where venue_id = v.id) then 'http'
        else n.confirm_mode end
    from jsonb_to_recordset(${JSON.stringify(rows)}) as n (id uuid, area_slug text,
      ${raw(venueRecordset)}, plain_name text,
      plain_tags text, plain_description text)
    where v.id = n.id`
}

/** Applies these changes to services, their rules and their resources. */
export async function changeServices(tx: Db, changes: ServiceChanges, at: Date): Promise<void> {
  await updatePositions(tx, changes.positions)
  await insertServices(tx, changes.added, at)
  await insertRules(tx, changes.rules, at)
  await updateRuleVersions(tx, changes.rules)
  await insertResources(tx, changes.addedResources)
  await updateResources(tx, changes.resources, at)
}

/** Via negative numbers, because two services of a venue must never share a position. */
async function updatePositions(tx: Db, positions: ServiceChanges['positions']): Promise<void> {
  if (positions.length === 0) return
  const update = (position: Sql) => query.execute(tx)`
    update service o set position = ${position}
    from unnest(${positions.map(({ id }) => id)}::uuid[],
      ${positions.map(({ position }) => position)}::int[]) as n (id, position)
    where o.id = n.id`
  await update(sql`-1 - n.position`)
  await update(sql`n.position`)
}

const updateRuleVersions = (tx: Db, versions: readonly NewRules[]) =>
  query.execute(tx)`
    update service o set rule_version = n.version
    from unnest(${versions.map(({ id }) => id)}::uuid[],
      ${versions.map(({ version }) => version)}::int[]) as n (id, version) where o.id = n.id`

function updateResources(tx: Db, resources: ServiceChanges['resources'], at: Date) {
  return query.execute(tx)`
    update resource r set party_min = n.party_min, party_max = n.party_max, joins = n.joins,
      can = n.can, hours = n.hours, days_off = n.days_off, leads = n.leads,
      retired_at = case when n.is_retired then ${at}::timestamptz end
    from jsonb_to_recordset(${JSON.stringify(resources)})
      as n (id uuid, party_min smallint, party_max smallint, joins text, can uuid[], hours jsonb,
        days_off date[], leads jsonb, is_retired boolean)
    where r.id = n.id`
}

/** Records the external ids of venues by source. */
export const insertVenueSources = (
  tx: Db,
  venues: readonly { id: string; source: string; external_id: string }[],
) =>
  query.execute(tx)`
    insert into venue_source (source, external_id, venue_id)
    select * from unnest(${venues.map(({ source }) => source)}::text[],
      ${venues.map(({ external_id }) => external_id)}::text[],
        ${venues.map(({ id }) => id)}::uuid[])`
