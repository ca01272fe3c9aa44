import { z } from 'zod'
import { type Category, categories, confirmModes } from '../model/rules.ts'
import { type Db, queryOptionalRow, queryRow, queryRows } from './sql.ts'

const columns = `v.id, v.slug, v.name, v.category, a.name as area, a.city, a.country, a.timezone,
  a.currency, v.latitude, v.longitude, v.description, v.tags, v.price_level, v.confirm_mode, v.is_demo`

const venueRow = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  category: z.enum(categories),
  area: z.string(),
  city: z.string(),
  country: z.string(),
  timezone: z.string(),
  currency: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  description: z.string(),
  tags: z.array(z.string()),
  price_level: z.int(),
  confirm_mode: z.enum(confirmModes),
  is_demo: z.boolean(),
})
/** A venue without its availability. */
export type VenueRow = z.infer<typeof venueRow>

const rankedRow = venueRow
  .extend({ rank: z.number() })
  .transform(({ rank, ...venue }) => ({ rank, venue }))
/** A venue and how well it matches. */
export type RankedVenue = z.infer<typeof rankedRow>

/** Which venues, and which page of them: best rank first, then by slug; `after` is the last of the page before. */
export type VenueFilter = {
  category: Category | null
  areas: readonly string[] | null
  /** plain words; `match` says whether all of them must occur */
  words: readonly string[]
  match: 'all' | 'any'
  after: { rank: number; slug: string } | null
  limit: number
}

/** A page of venues. Without words every rank is 0 and the order is that of the slugs. */
export async function selectVenues(db: Db, filter: VenueFilter): Promise<RankedVenue[]> {
  const values: unknown[] = [filter.limit]
  const bind = (value: unknown) => `$${values.push(value)}`
  const { words, after } = filter
  const query = words.length > 0 && `to_tsquery('english', ${bind(tsquery(filter))})`
  const rank = query ? `ts_rank(v.document, ${query})::float8` : '0::float8'
  const conditions = facets(filter, bind)
  if (query) conditions.push(`v.document @@ ${query}`)
  if (after && !query) conditions.push(`v.slug > ${bind(after.slug)}`)
  if (after && query) {
    const [last, slug] = [`${bind(after.rank)}::float8`, bind(after.slug)]
    conditions.push(`(${rank} < ${last} or (${rank} = ${last} and v.slug > ${slug}))`)
  }
  return queryRows(
    db,
    rankedRow,
    `select ${columns}, ${rank} as rank
     from venue v join area a on a.slug = v.area_slug
     where ${['true', ...conditions].join(' and ')}
     order by rank desc, v.slug limit $1`,
    values,
  )
}

/** Those of the words that occur in any venue of the category and the areas. */
export async function selectKnownWords(
  db: Db,
  filter: Pick<VenueFilter, 'category' | 'areas' | 'words'>,
): Promise<string[]> {
  const values: unknown[] = [filter.words]
  const conditions = facets(filter, (value) => `$${values.push(value)}`)
  const rows = await queryRows(
    db,
    z.object({ word: z.string() }),
    `select word from unnest($1::text[]) with ordinality as w (word, position)
     where exists (select from venue v
       where ${[`v.document @@ plainto_tsquery('english', word)`, ...conditions].join(' and ')})
     order by position`,
    values,
  )
  return rows.map(({ word }) => word)
}

function facets(
  { category, areas }: Pick<VenueFilter, 'category' | 'areas'>,
  bind: (value: unknown) => string,
): string[] {
  return [
    ...(category ? [`v.category = ${bind(category)}`] : []),
    ...(areas ? [`v.area_slug = any(${bind(areas)}::text[])`] : []),
  ]
}

// Words hold letters and digits only (plain-text.ts), so that none is an operator.
const tsquery = ({ words, match }: VenueFilter) => words.join(match === 'all' ? ' & ' : ' | ')

/** The venue with this slug or id. */
export async function selectOptionalVenue(db: Db, slugOrId: string): Promise<VenueRow | undefined> {
  const column = z.uuid().safeParse(slugOrId).success ? 'id' : 'slug'
  return queryOptionalRow(
    db,
    venueRow,
    `select ${columns} from venue v join area a on a.slug = v.area_slug where v.${column} = $1`,
    [slugOrId],
  )
}

const venueRef = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  timezone: z.string(),
})
/** Enough of a venue to name it and to tell its time. */
export type VenueRef = z.infer<typeof venueRef>

const selectRef = `select v.id, v.slug, v.name, a.timezone
  from venue v join area a on a.slug = v.area_slug where v.id = $1`

/** The venue, which must exist. */
export const selectVenueRef = (db: Db, id: string): Promise<VenueRef> =>
  queryRow(db, venueRef, selectRef, [id])

/** The venue with this id, if there is one. */
export const selectOptionalVenueRef = (db: Db, id: string): Promise<VenueRef | undefined> =>
  queryOptionalRow(db, venueRef, selectRef, [id])

/** The venues of the same category and area, the nearest first. */
export async function selectNeighbours(db: Db, id: string, limit: number): Promise<VenueRef[]> {
  return queryRows(
    db,
    venueRef,
    `select v.id, v.slug, v.name, a.timezone
     from venue mine
     join venue v on v.category = mine.category and v.area_slug = mine.area_slug and v.id <> mine.id
     join area a on a.slug = v.area_slug
     where mine.id = $1
     order by point(v.longitude, v.latitude) <-> point(mine.longitude, mine.latitude), v.slug
     limit $2`,
    [id, limit],
  )
}

/** Those of the slugs that venues have. */
export async function selectTakenSlugs(db: Db, slugs: readonly string[]): Promise<string[]> {
  const rows = await queryRows(
    db,
    z.object({ slug: z.string() }),
    'select slug from venue where slug = any($1::text[])',
    [slugs],
  )
  return rows.map(({ slug }) => slug)
}
