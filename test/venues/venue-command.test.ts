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
  [
    'close warung --date 2027-03-08 --reason Nyepi',
    {
      verb: 'close',
      scope: { slug: 'warung' },
      from: '2027-03-08',
      to: '2027-03-08',
      windows: [],
      reason: 'Nyepi',
    },
  ],
  [
    'close --country id --date 2027-03-08 --to 2027-03-09 --hours 12:00-15:00,18:00-02:00 --reason x',
    {
      verb: 'close',
      scope: { country: 'ID' },
      from: '2027-03-08',
      to: '2027-03-09',
      windows: [
        { open: '12:00', close: '15:00' },
        { open: '18:00', close: '26:00' },
      ],
      reason: 'x',
    },
  ],
  [
    'open --area ubud --date 2027-03-08',
    { verb: 'open', scope: { area: 'ubud' }, from: '2027-03-08', to: '2027-03-08' },
  ],
  ['exceptions', { verb: 'exceptions', scope: null }],
  ['exceptions warung', { verb: 'exceptions', scope: { slug: 'warung' } }],
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
  ['close warung --date 2027-03-08', 'close needs --reason'],
  ['close warung --reason x', 'close needs --date'],
  [
    'close --date 2027-03-08 --reason x',
    'close needs the slug of a venue, or --area, or --country',
  ],
  ['close warung --area ubud --date 2027-03-08 --reason x', 'one of them'],
  ['close warung --date 2027-02-30 --reason x', 'There is no date 2027-02-30'],
  ['close warung --date 2027-03-08 --to 2027-03-07 --reason x', '--to must not be before'],
  ['close warung --date 2027-03-08 --to 2028-03-08 --reason x', 'At most 366 days'],
  ['close warung --date 2027-03-08 --hours 18-23 --reason x', '--hours must be like 18:00-23:00'],
  ['close warung --date 2027-03-08 --hours 18:00-49:00 --reason x', '--hours must be like'],
  ['open warung', 'open needs --date'],
])('`%s` is refused with what is wrong', (line, message) => {
  expect(() => parseVenueCommand(line.split(' ').filter(Boolean))).toThrow(message)
})
