import { z } from 'zod'
import { addDays, dateOf } from '../../contract/rules/slot-time.ts'
import { confirmModes } from '../../contract/rules/venue-kinds.ts'
import { type Db, queryRows } from '../../platform/database/sql.ts'
import type { ResourceGroup } from '../rules/capacity.ts'
import { type Rules, strategies } from '../rules/rules.ts'
import * as stored from '../schema/rules.ts'

const resourceGroup: z.ZodType<ResourceGroup> = z.object({
  kind: z.string(),
  party_min: z.int(),
  party_max: z.int(),
  joins: z.string().nullable(),
  count: z.int(),
})

const offeringRow = z.object({
  id: z.string(),
  venue_id: z.string(),
  strategy: z.enum(strategies),
  position: z.int(),
  rule_version: z.int(),
  timezone: z.string(),
  currency: z.string(),
  country: z.string(),
  area_slug: z.string(),
  confirm_mode: z.enum(confirmModes),
  is_connected: z.boolean(),
  is_demo: z.boolean(),
  resources: z.array(resourceGroup),
  exceptions: z.array(stored.dayException),
})

/** What a venue offers, with the rules in force, and what of its venue decides about slots. */
export type Offering = z.infer<typeof offeringRow> & { rules: Rules }

/** Somebody can confirm it: the network from inventory that it holds, the venue's own system, or a person at the venue. */
export function isBookable({ confirm_mode, strategy, is_connected }: Offering): boolean {
  if (confirm_mode === 'auto') return strategy !== 'on_request'
  return confirm_mode === 'request' || is_connected
}

/** Local dates, both included. */
export type Dates = { from: string; to: string }

/**
 * The offerings of these venues, those of a venue in the order in which a booking tries them, with the exceptions of the
 * dates: the venue's own before its area's before its country's.
 */
export async function selectOfferingsOf(
  db: Db,
  venueIds: readonly string[],
  dates: Dates,
): Promise<Offering[]> {
  const [only, ...others] = venueIds
  const rows =
    only !== undefined && others.length === 0
      ? await queryRows(db, offeringRow, ofOneVenue, [only, dates.from, dates.to])
      : await queryRows(db, offeringRow, ofVenues, [venueIds, dates.from, dates.to])
  const rules = await selectRules(db, rows)
  return rows.map((row) => ({ ...row, rules: rules(row) }))
}

const selectOfferings = (whichVenues: string) => `
     with excepted as materialized (
       select id, venue_id, area_slug, country, date, windows, reason
       from day_exception where date between $2 and $3
     )
     select o.id, o.venue_id, o.strategy, o.position, o.rule_version, a.timezone, a.currency,
       a.country, v.area_slug, v.confirm_mode, c.venue_id is not null as is_connected, v.is_demo,
       (select coalesce(json_agg(g), '[]') from (
          select r.kind, r.party_min, r.party_max, r.joins, count(*) as count from resource r
          where r.offering_id = o.id and r.retired_at is null group by 1, 2, 3, 4) g) as resources,
       (select coalesce(json_agg(json_build_object(
            'date', e.date, 'windows', e.windows, 'reason', e.reason)
            order by e.venue_id nulls last, e.area_slug nulls last, e.id), '[]')
          from excepted e
          where e.venue_id = v.id or e.area_slug = v.area_slug or e.country = a.country)
          as exceptions
     from offering o
     join venue v on v.id = o.venue_id
     join area a on a.slug = v.area_slug
     left join connector c on c.venue_id = v.id
     where ${whichVenues}
     order by o.venue_id, o.position`
const ofVenues = selectOfferings('o.venue_id = any($1::uuid[])')
/** PostgreSQL keeps a plan for one venue; for a list it makes one anew each time, which takes longer than the reading. */
const ofOneVenue = selectOfferings('o.venue_id = $1')

/** What a venue offers at a local time: with the exceptions of that date, and of the day before, whose sessions may reach it. */
export function selectOfferingsAt(db: Db, venueId: string, slotTime: string): Promise<Offering[]> {
  const to = dateOf(slotTime)
  return selectOfferingsOf(db, [venueId], { from: addDays(to, -1), to })
}

type Version = { id: string; rule_version: number }

const MAX_KNOWN = 20_000
const known = new Map<string, Rules>()
const keyOf = ({ id, rule_version }: Version) => `${id}/${rule_version}`

const rulesRow = z.object({ id: z.string(), rule_version: z.int(), rules: stored.rules })

/** A version of rules never changes, so each is read and parsed once; which version is in force is never kept. */
async function selectRules(db: Db, versions: readonly Version[]): Promise<(of: Version) => Rules> {
  const found = new Map(versions.map((version) => [keyOf(version), known.get(keyOf(version))]))
  const unknown = versions.filter((version) => !found.get(keyOf(version)))
  if (unknown.length > 0) {
    if (known.size > MAX_KNOWN) known.clear()
    const rows = await queryRows(
      db,
      rulesRow,
      `select offering_id as id, version as rule_version, rules from offering_rules
       where (offering_id, version) in (select * from unnest($1::uuid[], $2::int[]))`,
      [unknown.map(({ id }) => id), unknown.map(({ rule_version }) => rule_version)],
    )
    for (const row of rows) {
      known.set(keyOf(row), row.rules)
      found.set(keyOf(row), row.rules)
    }
  }
  return (version) => {
    const rules = found.get(keyOf(version))
    if (!rules) throw new Error(`offering ${version.id} has no rules ${version.rule_version}`)
    return rules
  }
}
