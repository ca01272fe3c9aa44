import { z } from 'zod'
import type { AreaRow } from '../../availability/store/areas.ts'
import { kilometres } from '../../base/distance.ts'
import { plainWords } from '../../base/plain-text.ts'
import { label } from '../../contract/safe-text.ts'
import { nowhereText, surroundingsOf } from './areas.ts'
import type { RowReader } from './file-rows.ts'
import { middleOf } from './osm-record.ts'
import { problemsOf } from './record.ts'

const MAX_NAMES = 50
const degrees = (most: number) => z.coerce.number().min(-most).max(most)
const point = { latitude: degrees(90), longitude: degrees(180) }
const names = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.split(';').filter((one) => one.trim()) : value),
    z.array(label(100)).max(MAX_NAMES),
  )
  .default([])

/** A finer area, or a landmark, of a file (docs/operate/areas.md). */
const areaRecord = z.object({
  kind: z.enum(['area', 'landmark']).default('area'),
  name: label(100),
  aliases: names,
  ...point,
  radius_km: z.coerce.number().min(0.1).max(30).default(5),
  slug: z
    .string()
    .regex(/^[a-z0-9-]{1,60}$/, 'must be a-z, 0-9 and -')
    .optional(),
  city: label(100).optional(),
  city_aliases: names,
  landmarks: z.array(z.object({ names: z.array(label(100)).min(1), ...point })).default([]),
})

const columns = Object.keys(areaRecord.shape).filter((name) => name !== 'landmarks')

/** Reads files of areas: CSV with these columns, GeoJSON with these properties, or JSON. */
export const areaReader: RowReader<readonly string[]> = {
  readHeader(cells) {
    const header = cells.map((cell) => cell.trim().toLowerCase())
    const wrong = header.find((name) => name !== '' && !columns.includes(name))
    if (wrong === undefined) return header
    throw new Error(`${JSON.stringify(wrong)} is not a column. Columns are ${columns.join(', ')}.`)
  },
  recordOf: (header, cells) => ({
    record: Object.fromEntries(
      header.flatMap((name, index) => (cells[index]?.trim() ? [[name, cells[index].trim()]] : [])),
    ),
  }),
  featureRecord(value) {
    const { geometry, properties } = value as { geometry?: { coordinates?: unknown } } & {
      properties?: Record<string, unknown>
    }
    const box = middleOf(geometry?.coordinates)
    if (!box) return { problem: 'geometry: has no coordinates' }
    const [longitude, latitude] = box.middle
    const corner = { latitude: box.north, longitude: box.east }
    const radius = kilometres({ latitude, longitude }, corner)
    const size = radius > 0 ? { radius_km: Math.min(30, Number(radius.toFixed(1))) } : {}
    return { record: { ...size, ...properties, latitude, longitude } }
  },
}

/** The area that a record describes; a landmark is added to the area around it. */
export type ReadArea = { area: AreaRow } | { landmark: Landmark } | { problem: string }
type Landmark = AreaRow['landmarks'][number]

/** Reads a record; zone, country, region and currency follow from its position. */
export function readArea(record: unknown): ReadArea {
  const parsed = areaRecord.safeParse(record)
  if (!parsed.success) return { problem: problemsOf(parsed.error) }
  const { kind, name, aliases, latitude, longitude, radius_km, landmarks, ...said } = parsed.data
  const at = { latitude, longitude }
  if (kind === 'landmark') return { landmark: { names: [name, ...aliases], ...at } }
  const around = surroundingsOf(at)
  if (!around) return { problem: nowhereText(at) }
  const slug =
    said.slug ??
    plainWords(name)
      .join('-')
      .replace(/[^a-z0-9-]/g, '')
  if (slug === '') return { problem: 'slug: is missing; the name has no letters of a to z' }
  const { city = around.city } = said
  const named = said.city === undefined ? around.city_aliases : said.city_aliases
  const city_aliases = [...named]
  return {
    area: { ...around, slug, name, aliases, city, city_aliases, ...at, radius_km, landmarks },
  }
}
