import { z } from 'zod'
import { type Category, categories } from '../../base/venue-kinds.ts'
import { venueFieldEntries } from '../../contract/venue-fields.ts'
import osmKinds from './osm-kinds.json' with { type: 'json' }
import { osmPlace } from './osm-place.ts'
import { problemsOf } from './record.ts'

/** The tag values that put a venue in a category, by key. */
const kinds: Record<string, Partial<Record<Category, string>>> = osmKinds

const feature = z.object({
  type: z.literal('Feature'),
  id: z.union([z.string(), z.number()]).nullish(),
  geometry: z.object({ type: z.string(), coordinates: z.unknown() }).nullish(),
  properties: z.record(z.string(), z.unknown()).nullish(),
})

export const isFeature = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'Feature'

/** The unvalidated record of a GeoJSON feature, whose properties are a record or OSM tags. */
export function featureRecord(
  value: unknown,
): { record: Record<string, unknown> } | { problem: string } {
  const parsed = feature.safeParse(value)
  if (!parsed.success) return { problem: `is not a GeoJSON feature: ${problemsOf(parsed.error)}` }
  const { id, geometry, properties } = parsed.data
  const box = middleOf(geometry?.coordinates)
  if (!box) return { problem: 'geometry: has no coordinates' }
  const [longitude, latitude] = box.middle
  const tags = properties ?? {}
  if ('category' in tags) {
    return { record: { ...(id != null && { id }), ...tags, latitude, longitude } }
  }
  const kind = kindOf(tags)
  if (!kind) return { problem: `has no tag of a venue: ${kindTags}` }
  const fields = Object.fromEntries(venueFieldEntries.map(([name, { osm }]) => [name, osm?.(tags)]))
  if (fields.name === undefined) return { problem: 'name: is missing; add the tag name' }
  const allTags = [...listOf(tags.cuisine), ...kind.tags, ...listOf(tags.sport), ...diets(tags)]
  return {
    record: {
      ...fields,
      ...osmPlace(tags),
      cuisine: listOf(tags.cuisine),
      id: id ?? tags['@id'] ?? tags.id,
      category: kind.category,
      latitude,
      longitude,
      tags: [...new Set(allTags)],
      hours: tags.opening_hours,
      ...seatsOf(tags),
    },
  }
}

const kindTags =
  'amenity=restaurant|cafe|bar|pub|…, leisure=fitness_centre|sports_centre|…, shop=massage, ' +
  'sport=…'

function kindOf(tags: Record<string, unknown>): { category: Category; tags: string[] } | undefined {
  for (const [key, kind] of Object.entries(kinds)) {
    for (const value of listOf(tags[key])) {
      const tag = value.replaceAll(' ', '_')
      const category = categories.find((one) => kind[one]?.split(' ').includes(tag))
      if (category) return { category, tags: value === category ? [] : [value] }
    }
  }
  return listOf(tags.sport).length > 0 ? { category: 'gym', tags: [] } : undefined
}

const listOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? value
        .split(';')
        .map((item) => item.trim().replaceAll('_', ' '))
        .filter(Boolean)
    : []

const diets = (tags: Record<string, unknown>): string[] =>
  Object.entries(tags)
    .filter(([key, value]) => key.startsWith('diet:') && (value === 'yes' || value === 'only'))
    .map(([key]) => key.slice('diet:'.length).replaceAll('_', ' '))

/** Seats without opening hours cannot be booked, and are ignored. */
function seatsOf(tags: Record<string, unknown>): { seats?: number } {
  const seats = Number(tags['capacity:seats'] ?? tags.capacity)
  return tags.opening_hours !== undefined && Number.isInteger(seats) && seats > 0 ? { seats } : {}
}

type Box = { middle: [longitude: number, latitude: number]; north: number; east: number }

/** A point, or the bounding box of a way or an area. */
export function middleOf(coordinates: unknown): Box | undefined {
  const box = { west: 180, south: 90, east: -180, north: -90, isEmpty: true }
  const visit = (part: unknown, depth: number): void => {
    if (!Array.isArray(part) || depth > 4) return
    const [x, y] = part
    if (typeof x !== 'number' || typeof y !== 'number') {
      for (const one of part) visit(one, depth + 1)
      return
    }
    box.isEmpty = false
    box.west = Math.min(box.west, x)
    box.east = Math.max(box.east, x)
    box.south = Math.min(box.south, y)
    box.north = Math.max(box.north, y)
  }
  visit(coordinates, 0)
  if (box.isEmpty) return undefined
  const middle = (low: number, high: number) =>
    low === high ? low : Number(((low + high) / 2).toFixed(7))
  const { west, south, east, north } = box
  return { middle: [middle(west, east), middle(south, north)], north, east }
}
