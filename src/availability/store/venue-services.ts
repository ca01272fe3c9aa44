import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { addDays, dateOf } from '../../base/local-time.ts'
import { confirmModes } from '../../base/venue-kinds.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { isOffered, strategies } from '../rules/rules.ts'
import * as stored from '../schema/rules.ts'
import { isSlugOrId, venueRef } from './venues.ts'

const service = z.object({
  id: z.string(),
  venue_id: z.string(),
  name: z.string(),
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
  takes_test_money: z.boolean(),
  /** the venue's resources that can serve it, in groups of equal ones */
  resources: z.array(
    z.object({
      kind: z.string(),
      party_min: z.int(),
      party_max: z.int(),
      joins: z.string().optional(),
      /** present if guests can wish for it */
      name: z.string().optional(),
      hours: stored.weeklyWindows.optional(),
      days_off: z.array(z.string()).optional(),
      leads: stored.leads.optional(),
      ids: z.array(z.string()),
    }),
  ),
  exceptions: z.array(stored.dayException),
})

/** A service with its current rules and everything else that determines its slots. */
export type VenueService = z.infer<typeof service>

const services = z.array(service)

/** Whether the network, or the venue's system or staff, can confirm bookings of a service. */
export function isBookable({ confirm_mode, strategy, is_connected }: VenueService): boolean {
  if (confirm_mode === 'auto') return strategy !== 'on_request'
  return confirm_mode === 'request' || is_connected
}

/** The services that guests can choose: bookable ones that the venue has not withdrawn. */
export const choosable = (services: readonly VenueService[]): VenueService[] =>
  services.filter((one) => isBookable(one) && isOffered(one.rules))

/** Inclusive local dates. */
export type Dates = { from: string; to: string }

const venueRow = venueRef.extend({ is_test: z.boolean().nullable(), services: z.string() })

/**
 * Venues with their services as JSON text, in booking order, and the exceptions on these dates:
 * the venue's, then its area's, then its country's. Only texts that have changed need parsing.
 */
export const selectServiceTexts = (
  db: Db,
  { ids = [], slug = null }: { ids?: readonly string[]; slug?: string | null },
  { from, to }: Dates,
) =>
  // Ids are passed as JSON, because PostgreSQL would make a new plan for each array. `between`
  // makes it expect few ids, so that it uses the index for each id.
  query.rows(db, venueRow)`
    with excepted as materialized (
      select id, venue_id, area_slug, country, date, windows, reason, null as until
      from day_exception where date between ${from} and ${to}
      union all
      select null, venue_id, null, null, date, '[]',
        'The venue takes no bookings from ' || from_clock || ' on', from_clock
      from early_close where date between ${from} and ${to} and from_clock is not null
    ), wanted as (
      select wanted.id::uuid from json_array_elements_text(${JSON.stringify(ids)}) as wanted (id)
      where wanted.id between '0' and 'g'
      union all select id from venue where slug = ${slug}
    )
    select v.id, v.slug, v.name, v.is_test, a.timezone, coalesce(json_agg(json_build_object(
      'id', o.id, 'venue_id', v.id, 'name', o.name, 'strategy', o.strategy, 'position', o.position,
      'rule_version', o.rule_version, 'rules', r.rules, 'timezone', a.timezone,
      'currency', a.currency, 'country', a.country, 'area_slug', a.slug,
      'confirm_mode', v.confirm_mode, 'is_connected', c.venue_id is not null or v.is_test,
      'is_demo', v.is_demo, 'takes_test_money', v.takes_test_money,
      'resources', (select coalesce(json_agg(json_strip_nulls(to_json(g))), '[]') from (
        select t.kind, t.party_min, t.party_max, t.joins, t.hours, nullif(t.days_off, '{}') as
          days_off, t.leads, case when t.kind = r.rules ->> 'leader' then t.name end as name,
          array_agg(t.id order by t.id) as ids
        from resource t
        where t.venue_id = v.id and t.retired_at is null
          and (o.strategy = 'exclusive' or r.rules ? 'sessions')
          and (o.strategy = 'exclusive' or t.kind = r.rules ->> 'leader')
          and (t.can is null or o.id = any(t.can))
        group by 1, 2, 3, 4, 5, 6, 7, 8) g),
      'exceptions', (select coalesce(json_agg(json_strip_nulls(json_build_object('date', e.date,
          'windows', e.windows, 'reason', e.reason, 'until', e.until))
          order by e.until, e.venue_id nulls last, e.area_slug nulls last, e.id), '[]')
        from excepted e
        where e.venue_id = v.id or e.area_slug = v.area_slug or e.country = a.country))
      order by o.position) filter (where r.version is not null), '[]')::text as services
    from wanted
    join venue v on v.id = wanted.id
    join area a on a.slug = v.area_slug
    left join service o on o.venue_id = v.id and v.is_test is not null
    left join service_rules r on r.service_id = o.id and r.version = o.rule_version
    left join connector c on c.venue_id = v.id
    group by v.id, a.slug`

export const parseServices = (text: string): VenueService[] => services.parse(JSON.parse(text))

/** The services of a venue, in booking order. */
export async function selectServicesOf(db: Db, venueId: string, dates: Dates) {
  const [row] = await selectServiceTexts(db, { ids: [venueId] }, dates)
  return row ? parseServices(row.services) : []
}

/**
 * Finds a venue by slug or id, in the given mode, with its services. Accepts any string. Throws
 * `venue_removed`.
 */
export async function selectOptionalServices(
  db: Db,
  slugOrId: string,
  isTest: boolean,
  dates: Dates,
) {
  if (!isSlugOrId(slugOrId)) return undefined
  const isId = z.uuid().safeParse(slugOrId).success
  const which = isId ? { ids: [slugOrId] } : { slug: slugOrId }
  const [row] = await selectServiceTexts(db, which, dates)
  if (row?.is_test === null) throw refuse('venue_removed')
  if (row?.is_test !== isTest) return undefined
  return { venue: row, services: parseServices(row.services) }
}

/** A venue's services at a local time, with the exceptions of that day and the day before. */
export function selectServicesAt(
  db: Db,
  venueId: string,
  slotTime: string,
): Promise<VenueService[]> {
  const to = dateOf(slotTime)
  return selectServicesOf(db, venueId, { from: addDays(to, -1), to })
}
