import { expect, test } from 'vitest'
import { parseVenueCommand } from '../../src/commands/venue-command.ts'

const imported = { verb: 'import', isStrict: false, isDryRun: false }

test.each([
  ['import a/b.csv', { ...imported, file: 'a/b.csv', format: 'csv', source: 'b.csv' }],
  [
    'import b.GeoJSON --source osm',
    { ...imported, file: 'b.GeoJSON', format: 'geojson', source: 'osm' },
  ],
  [
    'import x --format json --strict --dry-run',
    { ...imported, file: 'x', format: 'json', source: 'x', isStrict: true, isDryRun: true },
  ],
  ['export', { verb: 'export', format: 'json', source: undefined, out: undefined }],
  ['export --out a.csv', { verb: 'export', format: 'csv', source: undefined, out: 'a.csv' }],
  [
    'export --format geojson --source osm',
    { verb: 'export', format: 'geojson', source: 'osm', out: undefined },
  ],
  ['link a', { verb: 'link', slug: 'a', days: 30, endsOthers: false }],
  ['link a --days 7 --end-others', { verb: 'link', slug: 'a', days: 7, endsOthers: true }],
  ['contact a --notify-url https://x', { verb: 'contact', slug: 'a', url: 'https://x' }],
  ['contact a --none', { verb: 'contact', slug: 'a', url: undefined }],
  ['confirms-by a request', { verb: 'confirms-by', slug: 'a', mode: 'request' }],
])('`%s` is understood', (line, command) => {
  expect(parseVenueCommand(line.split(' '))).toEqual(command)
})

test.each([
  ['', 'Which command?'],
  ['--strict import x.csv', 'Which command?'],
  ['load x.csv', 'There is no command load.'],
  ['link', 'link needs the slug of a venue.'],
  ['link a --days 0', '--days must be 1 to 366.'],
  ['link a --days soon', '--days must be 1 to 366.'],
  ['contact a', 'contact needs --notify-url URL or --none.'],
  ['contact a --none --notify-url x', 'contact needs --notify-url URL or --none.'],
  ['confirms-by a http', 'confirms-by needs a slug, and auto or request.'],
  ['constructor', 'There is no command constructor.'],
  ['import', 'import needs a file.'],
  ['import a.csv b.csv', 'Too much was said: b.csv'],
  ['import venues', '--format must be json, csv, geojson'],
  ['import venues.xlsx', 'The format must be json, csv, geojson, not xlsx.'],
  ['import a.csv --sorce x', '--sorce'],
  ['import a.csv --source =x', '--source needs 1 to 200 characters'],
  ['export --strict', '--strict'],
])('`%s` is refused with what is wrong', (line, message) => {
  expect(() => parseVenueCommand(line.split(' ').filter(Boolean))).toThrow(message)
})
