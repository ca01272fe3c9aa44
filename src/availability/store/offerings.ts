import { z } from 'zod'
import { addDays, dateOf } from '../../contract/rules/local-time.ts'
import { confirmModes } from '../../contract/rules/venue-kinds.ts'
import { type Db, queryRows } from '../../platform/database/sql.ts'
import { strategies } from '../rules/rules.ts'
import * as stored from '../schema/rules.ts'

const offering = z.object({
  id: z.string(),
  venue_id: z.string(),
  strategy: z.enum(strategies),
  position: z.int(),
  rule_version: z.int(),
  rules: stored.rules,
  timezone: z.string(),
  currency: z.string(),
  country: z.string(),
  area_slug: z.string(),
  confirm_mode: z.enum(confirmModes),
  is_connected: z.boolean(),
  is_demo: z.boolean(),
  resources: z.array(
    z.object({
      kind: z.string(),
      party_min: z.int(),
      party_max: z.int(),
      joins: z.string().nullable(),
      count: z.int(),
    }),
  ),
  exceptions: z.array(stored.dayException),
})

/** What a venue offers: the rules in force, and what else of the venue decides about slots. */
export type Offering = z.infer<typeof offering>

const offerings = z.array(offering)

/** Whether anybody can confirm it: the network (from its inventory), the venue's system, or staff. */
export function isBookable({ confirm_mode, strategy, is_connected }: Offering): boolean {
  if (confirm_mode === 'auto') return strategy !== 'on_request'
  return confirm_mode === 'request' || is_connected
}

/** Local dates, both included. */
export type Dates = { from: string; to: string }

const venueRow = z.object({ venue_id: z.string(), offerings: z.string() })

/**
 * The offerings of each of these venues, as JSON in the order in which a booking tries them, with the
 * exceptions of the dates: the venue's own before its area's before its country's. Equal texts stand for
 * equal offerings, so only what has changed needs to be parsed.
 */
export const selectOfferingTexts = (db: Db, venueIds: readonly string[], { from, to }: Dates) =>
  queryRows(db, venueRow)`
    with excepted as materialized (
      select id, venue_id, area_slug, country, date, windows, reason
      from day_exception where date between ${from} and ${to}
    )
    select venue_id, json_agg(one order by position)::text as offerings from (
    select o.id, o.venue_id, o.strategy, o.position, o.rule_version, r.rules, a.timezone,
      a.currency, a.country, v.area_slug, v.confirm_mode, c.venue_id is not null as is_connected,
      v.is_demo,
      (select coalesce(json_agg(g), '[]') from (
         select t.kind, t.party_min, t.party_max, t.joins, count(*) as count from resource t
         where t.offering_id = o.id and t.retired_at is null group by 1, 2, 3, 4) g) as resources,
      (select coalesce(json_agg(json_build_object(
           'date', e.date, 'windows', e.windows, 'reason', e.reason)
           order by e.venue_id nulls last, e.area_slug nulls last, e.id), '[]')
         from excepted e
         where e.venue_id = v.id or e.area_slug = v.area_slug or e.country = a.country)
         as exceptions
    from json_array_elements_text(${JSON.stringify([...new Set(venueIds)])}) as wanted (id)
    join offering o on o.venue_id = wanted.id::uuid
    join offering_rules r on r.offering_id = o.id and r.version = o.rule_version
    join venue v on v.id = o.venue_id
    join area a on a.slug = v.area_slug
    left join connector c on c.venue_id = v.id
    where wanted.id between '0' and 'g') as one
    group by venue_id`

export const parseOfferings = (text: string): Offering[] => offerings.parse(JSON.parse(text))

/** The offerings of these venues, each venue's in the order in which a booking tries them. */
export async function selectOfferingsOf(
  db: Db,
  venueIds: readonly string[],
  dates: Dates,
): Promise<Offering[]> {
  const texts = await selectOfferingTexts(db, venueIds, dates)
  return texts.flatMap(({ offerings }) => parseOfferings(offerings))
}

/** What a venue offers at a local time. Sessions of the day before may reach it, so both dates count. */
export function selectOfferingsAt(db: Db, venueId: string, slotTime: string): Promise<Offering[]> {
  const to = dateOf(slotTime)
  return selectOfferingsOf(db, [venueId], { from: addDays(to, -1), to })
}
