import { formula } from '../../contract/safe-text.ts'
import type { ResourceContent, VenueContent } from '../store/venue-content.ts'
import { columns, partedFields } from './csv-record.ts'
import type { Format } from './file-rows.ts'
import { plainFieldsFor } from './plain-fields.ts'

/** `begin` and `end` enclose the venues, `between` separates them. */
type Writing = {
  begin: string
  between: string
  end: string
  venue(content: VenueContent, currency: string): string
}

/** A complete record (docs/operate/importing-venues.md): reimporting it changes nothing. */
function recordOf(venue: VenueContent, currency: string) {
  const { source, external_id, area_slug, services, resources, ...fields } = venue
  return {
    id: external_id,
    source,
    area: area_slug,
    currency,
    ...fields,
    services: services.map(({ name, strategy, rules }) => {
      const { requires, places, ...terms } = rules
      const { windows: _, grid_minutes: _grid, durations: _stay, ...ofSessions } = terms
      if (rules.sessions) return { name, strategy, ...ofSessions }
      const common = terms
      const exclusive = strategy === 'exclusive' && { requires }
      const pooled = strategy === 'pooled' && { places }
      return { name, strategy, ...common, ...exclusive, ...pooled }
    }),
    ...(resources.length > 0 && { resources: resources.map(resourceOf) }),
  }
}

const resourceOf = ({ joins, can, windows, days_off, ...one }: ResourceContent) => ({
  ...one,
  ...(joins !== null && { joins }),
  ...(can !== null && { can }),
  ...(windows !== null && { windows }),
  ...(days_off.length > 0 && { days_off }),
})

function featureOf(venue: VenueContent, currency: string) {
  const { latitude, longitude, ...properties } = recordOf(venue, currency)
  const geometry = { type: 'Point', coordinates: [longitude, latitude] }
  return { type: 'Feature', geometry, properties }
}

/** Uses flat columns if they suffice, otherwise JSON in the columns `services` and `resources`. */
function csvRow(venue: VenueContent, currency: string): string {
  const { services, resources, ...record } = recordOf(venue, currency)
  const plain = plainFieldsFor(venue, currency)
  const parts = partedFields.map(({ name }) => record[name] ?? {})
  const photos = record.photos.map(({ url, credit }) => (credit ? `${url} ${credit}` : url))
  const cells: Record<string, unknown> = {
    ...record,
    ...Object.assign({}, ...parts),
    photos,
    ...(plain ?? {
      services: JSON.stringify(services),
      ...(resources && { resources: JSON.stringify(resources) }),
    }),
  }
  return columns.map((column) => cellOf(cells[column] as Cell)).join(',')
}

type Cell = string | number | boolean | readonly string[] | null | undefined

function cellOf(value: Cell): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'object') return cellOf(value.join(';'))
  if (typeof value !== 'string') return plain(value)
  // The apostrophe keeps spreadsheets from evaluating the text. Imports never accept such a text.
  const text = formula.test(value) ? `'${value}` : value
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Without exponents. */
const plain = (value: number | boolean): string =>
  typeof value === 'boolean'
    ? String(value)
    : value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 })

export const writings: Record<Format, Writing> = {
  json: {
    begin: '{"venues": [\n',
    between: ',\n',
    end: '\n]}\n',
    venue: (content, currency) => JSON.stringify(recordOf(content, currency)),
  },
  geojson: {
    begin: '{"type": "FeatureCollection", "features": [\n',
    between: ',\n',
    end: '\n]}\n',
    venue: (content, currency) => JSON.stringify(featureOf(content, currency)),
  },
  csv: { begin: `${columns.join(',')}\n`, between: '\n', end: '\n', venue: csvRow },
}
