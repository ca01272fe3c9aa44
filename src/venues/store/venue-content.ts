import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import {
  type OpeningWindow,
  type Rules,
  type Strategy,
  strategies,
} from '../../availability/rules/rules.ts'
import * as stored from '../../availability/schema/rules.ts'
import { shownFields, type VenueFields, venueColumnsOf } from '../../contract/venue-fields.ts'
import { type Db, query } from '../../platform/database/sql.ts'

/** The source of venues that were not imported: their external id is the venue's own id. */
export const NETWORK = 'network'

/** The identifier that an operator uses for a venue. */
export type VenueKey = { source: string; external_id: string }

export type ResourceContent = {
  kind: string
  name: string
  party_min: number
  party_max: number
  joins: string | null
  /** names of the services that it can be booked for; null: all */
  can: string[] | null
  windows: OpeningWindow[] | null
  days_off: string[]
}

export type ServiceContent = {
  name: string
  strategy: Strategy
  rules: Rules
}

/** A venue's content, as imported and exported. */
export type VenueContent = VenueKey &
  VenueFields & {
    area_slug: string
    services: ServiceContent[]
    resources: ResourceContent[]
  }

const resource = z.object({
  id: z.string(),
  kind: z.string(),
  name: z.string(),
  party_min: z.int(),
  party_max: z.int(),
  joins: z.string().nullable(),
  can: z.array(z.string()).nullable(),
  windows: stored.weeklyWindows.nullable(),
  days_off: z.array(z.string()),
  leads: stored.leads.nullable(),
  is_retired: z.boolean(),
})
/** `can` has the ids of services. */
export type StoredResource = z.infer<typeof resource>

const service = z.object({
  id: z.string(),
  name: z.string(),
  strategy: z.enum(strategies),
  position: z.int(),
  rule_version: z.int(),
  rules: stored.rules,
})
/** A service; a withdrawn one has no windows. */
export type StoredService = z.infer<typeof service>

const storedVenue = z.object({
  id: z.string(),
  source: z.string(),
  external_id: z.string(),
  ...shownFields,
  area_slug: z.string(),
  timezone: z.string(),
  currency: z.string(),
  /** whether it belongs to the sandbox; null if it was removed */
  is_test: z.boolean().nullable(),
  /** connected to its own booking system */
  is_connected: z.boolean(),
  services: z.array(service),
  /** all of them, retired ones included */
  resources: z.array(resource),
})
export type StoredVenue = z.infer<typeof storedVenue>

const selectStored = sql`select v.id, coalesce(s.source, ${NETWORK}) as source,
    coalesce(s.external_id, v.id::text) as external_id, ${raw(venueColumnsOf('v'))}, v.area_slug,
    a.timezone,
    a.currency, v.is_test, exists (select from connector c where c.venue_id = v.id) as is_connected,
    (select coalesce(json_agg(json_build_object(
         'id', o.id, 'name', o.name, 'strategy', o.strategy, 'position', o.position,
         'rule_version', o.rule_version, 'rules', r.rules) order by o.position), '[]')
       from service o
       join service_rules r on r.service_id = o.id and r.version = o.rule_version
       where o.venue_id = v.id) as services,
    (select coalesce(json_agg(json_build_object(
         'id', t.id, 'kind', t.kind, 'name', t.name, 'party_min', t.party_min,
         'party_max', t.party_max, 'joins', t.joins, 'can', t.can, 'windows', t.hours,
         'days_off', t.days_off, 'leads', t.leads,
         'is_retired', t.retired_at is not null) order by t.id), '[]')
       from resource t where t.venue_id = v.id) as resources
  from venue v
  join area a on a.slug = v.area_slug
  left join venue_source s on s.venue_id = v.id`

const ownId = z.uuid().lowercase()

/** Whether a key is the id of a venue in the network's own source. */
export const isOwnId = ({ source, external_id }: VenueKey): boolean =>
  source === NETWORK && ownId.safeParse(external_id).success

const foundRow = z.object({ source: z.string(), external_id: z.string(), venue_id: z.string() })

/** The venues with these external ids or, in the network's own source, venue ids. */
export async function selectVenuesByKey(
  db: Db,
  keys: readonly VenueKey[],
): Promise<(VenueKey & { venue: StoredVenue })[]> {
  const keyRows = await query.rows(db, foundRow)`
    select source, external_id, venue_id from venue_source
    where (source, external_id) in (select * from
      unnest(${keys.map(({ source }) => source)}::text[],
        ${keys.map(({ external_id }) => external_id)}::text[]))
    union all
    select ${NETWORK}, id::text, id from venue
      where id = any(${keys.filter(isOwnId).map(({ external_id }) => external_id)}::uuid[])`
  if (keyRows.length === 0) return []
  const rows = await query.rows(db, storedVenue)`
    ${selectStored} where v.id = any(${keyRows.map(({ venue_id }) => venue_id)}::uuid[])`
  const byId = new Map(rows.map((row) => [row.id, row]))
  return keyRows.flatMap(({ venue_id, ...key }) => {
    const venue = byId.get(venue_id)
    return venue ? [{ ...key, venue }] : []
  })
}

/**
 * Reads all live venues, or those of one source, in batches from one snapshot. Needs a transaction.
 */
export async function readVenues(
  tx: Db,
  source: string | undefined,
  batch: number,
  take: (venues: StoredVenue[]) => Promise<void>,
): Promise<void> {
  await query.execute(tx)`set local idle_in_transaction_session_timeout = 0`
  await tx.query(sql`
    declare exported no scroll cursor for ${selectStored}
    where not v.is_test
      and (${source ?? null}::text is null or coalesce(s.source, ${NETWORK}) = ${source ?? null})
    order by 2, 3`)
  for (;;) {
    const venues = await query.rows(
      tx,
      storedVenue,
    )`fetch ${raw(String(Math.trunc(batch)))} from exported`
    if (venues.length === 0) return
    await take(venues)
  }
}
