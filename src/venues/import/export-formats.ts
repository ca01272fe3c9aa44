import type { VenueContent } from '../store/venue-content.ts'
import { type Column, columns } from './csv-record.ts'
import type { Format } from './file-rows.ts'
import { plainFieldsFor } from './plain-fields.ts'

/** How an export is written: what comes before the first venue, between two, and after the last. */
export type Writing = {
  begin: string
  between: string
  end: string
  venue(content: VenueContent, currency: string): string
}

/** The venue in the terms of docs/operate/importing-venues.md. It says everything, so that importing it changes nothing. */
function recordOf(venue: VenueContent, currency: string) {
  const { source, external_id, area_slug, offerings, ...said } = venue
  return {
    id: external_id,
    source,
    area: area_slug,
    currency,
    ...said,
    offerings: offerings.map(({ name, strategy, rules, resources }) => {
      const { requires, places, ...common } = rules
      const tables = resources.map(({ joins, ...one }) =>
        joins === null ? one : { ...one, joins },
      )
      const exclusive = strategy === 'exclusive' && { requires, resources: tables }
      const pooled = strategy === 'pooled' && { places }
      return { name, strategy, ...common, ...exclusive, ...pooled }
    }),
  }
}

function featureOf(venue: VenueContent, currency: string) {
  const { latitude, longitude, ...properties } = recordOf(venue, currency)
  const geometry = { type: 'Point', coordinates: [longitude, latitude] }
  return { type: 'Feature', geometry, properties }
}

/** Flat where flat columns say it all; other offerings are JSON in a column of their own. */
function csvRow(venue: VenueContent, currency: string): string {
  const { offerings, ...record } = recordOf(venue, currency)
  const plain = plainFieldsFor(venue, currency)
  const cells: Partial<Record<Column, Cell>> = {
    ...record,
    ...(plain ?? { offerings: JSON.stringify(offerings) }),
  }
  return columns.map((column) => cellOf(cells[column])).join(',')
}

/** A spreadsheet must not run what is text: such text gets an apostrophe. No import lets it in, so only other ways can. */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r]/

type Cell = string | number | boolean | readonly string[] | undefined

function cellOf(value: Cell): string {
  if (value === undefined) return ''
  if (typeof value === 'object') return cellOf(value.join(';'))
  if (typeof value !== 'string') return plain(value)
  const text = formula.test(value) ? `'${value}` : value
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Never in exponents. */
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
