import { z } from 'zod'
import type { ResourceGroup } from '../model/free-places.ts'
import { confirmModes, type DayException, type Rules, strategies } from '../model/rules.ts'
import * as stored from '../schema/rules.ts'
import { type Db, queryRows } from './sql.ts'

const resourceGroup: z.ZodType<ResourceGroup> = z.object({
  kind: z.string(),
  party_min: z.int(),
  party_max: z.int(),
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
  is_demo: z.boolean(),
  resources: z.array(resourceGroup),
})

/** What a venue offers, with the rules in force, and what of its venue decides about slots. */
export type Offering = z.infer<typeof offeringRow> & { rules: Rules }

/** The offerings of these venues; those of a venue come in the order in which a booking tries them. */
export async function selectOfferingsOf(db: Db, venueIds: readonly string[]): Promise<Offering[]> {
  const rows = await queryRows(
    db,
    offeringRow,
    `select o.id, o.venue_id, o.strategy, o.position, o.rule_version, a.timezone, a.currency,
       a.country, v.area_slug, v.confirm_mode, v.is_demo,
       (select coalesce(jsonb_agg(g), '[]') from (
          select r.kind, r.party_min, r.party_max, count(*) as count from resource r
          where r.offering_id = o.id group by 1, 2, 3) g) as resources
     from offering o
     join venue v on v.id = o.venue_id
     join area a on a.slug = v.area_slug
     where o.venue_id = any($1::uuid[])
     order by o.venue_id, o.position`,
    [venueIds],
  )
  const rules = await selectRules(db, rows)
  return rows.map((row) => ({ ...row, rules: rules(row) }))
}

type Version = { id: string; rule_version: number }

const MAX_KNOWN = 20_000
const known = new Map<string, Rules>()
const keyOf = ({ id, rule_version }: Version) => `${id}/${rule_version}`

const rulesRow = z.object({ id: z.string(), rule_version: z.int(), rules: stored.rules })

/** A version of rules never changes, so each is read and parsed once; which version is in force is never kept. */
async function selectRules(db: Db, versions: readonly Version[]): Promise<(of: Version) => Rules> {
  const unknown = versions.filter((version) => !known.has(keyOf(version)))
  if (unknown.length > 0) {
    if (known.size + unknown.length > MAX_KNOWN) known.clear()
    const rows = await queryRows(
      db,
      rulesRow,
      `select offering_id as id, version as rule_version, rules from offering_rules
       where (offering_id, version) in (select * from unnest($1::uuid[], $2::int[]))`,
      [unknown.map(({ id }) => id), unknown.map(({ rule_version }) => rule_version)],
    )
    for (const row of rows) known.set(keyOf(row), row.rules)
  }
  const found = new Map(versions.map((version) => [keyOf(version), known.get(keyOf(version))]))
  return (version) => {
    const rules = found.get(keyOf(version))
    if (!rules) throw new Error(`offering ${version.id} has no rules ${version.rule_version}`)
    return rules
  }
}

const exceptionRow = z.object({ venue_id: z.string(), exception: stored.dayException })

/** The exceptions that hold for each venue on these local dates: its own before its area's before its country's. */
export async function selectDayExceptionsOf(
  db: Db,
  venueIds: readonly string[],
  dates: { from: string; to: string },
): Promise<Map<string, DayException[]>> {
  const rows = await queryRows(
    db,
    exceptionRow,
    `select v.id as venue_id,
       jsonb_build_object('date', e.date, 'windows', e.windows, 'reason', e.reason) as exception
     from day_exception e
     join venue v on v.id = any($1::uuid[])
     join area a on a.slug = v.area_slug
     where e.date between $2 and $3
       and (e.venue_id = v.id or e.area_slug = v.area_slug or e.country = a.country)
     order by e.venue_id nulls last, e.area_slug nulls last, e.date, e.id`,
    [venueIds, dates.from, dates.to],
  )
  const groups = Map.groupBy(rows, ({ venue_id }) => venue_id)
  return new Map([...groups].map(([id, group]) => [id, group.map(({ exception }) => exception)]))
}
