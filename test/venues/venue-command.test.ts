import { expect, test } from 'vitest'
import { venueProgram } from '../../src/commands/venue-program.ts'
import { read, runTyped } from '../support/operator.ts'

const days = { date: '2027-03-08', reason: 'x' }

test.each([
  ['import a/b.csv', { file: 'a/b.csv' }, {}],
  ['import b.GeoJSON --source osm', { file: 'b.GeoJSON' }, { source: 'osm' }],
  [
    'import x --format json --strict --dry-run',
    { file: 'x' },
    { format: 'json', strict: true, 'dry-run': true },
  ],
  ['export', {}, {}],
  ['export --out a.csv', {}, { out: 'a.csv' }],
  ['export --format geojson --source osm', {}, { format: 'geojson', source: 'osm' }],
  ['close warung --date 2027-03-08 --reason x', { slug: 'warung' }, days],
  [
    'close --country id --date 2027-03-08 --to 2027-03-09 ' +
      '--hours 12:00-15:00,18:00-02:00 --reason x',
    {},
    { ...days, country: 'id', to: '2027-03-09', hours: '12:00-15:00,18:00-02:00' },
  ],
  ['open --area ubud --date 2027-03-08', {}, { area: 'ubud', date: '2027-03-08' }],
  ['exceptions', {}, {}],
  ['exceptions warung', { slug: 'warung' }, {}],
  ['connect a --url https://x --no-amend', { slug: 'a' }, { url: 'https://x', 'no-amend': true }],
  ['link a', { slug: 'a' }, {}],
  ['link a --days 7 --end-others', { slug: 'a' }, { days: 7, 'end-others': true }],
  ['contact a --notify-url https://x', { slug: 'a' }, { 'notify-url': 'https://x' }],
  ['contact a --none', { slug: 'a' }, { none: true }],
  ['confirms-by a request', { slug: 'a', mode: 'request' }, {}],
])('`%s` is understood', async (line, args, options) => {
  const understood = read(venueProgram, line.split(' '))
  expect([understood.command.words, understood.args, understood.options]).toEqual([
    line.split(' ')[0],
    args,
    options,
  ])
  await expect(runTyped(venueProgram, line.split(' '))).rejects.toThrow('looked for the database')
})

test.each([
  ['', 'Usage:'],
  ['--sorce', 'There is no option --sorce.'],
  ['load x.csv', 'There is no command "load".'],
  ['link', 'link needs SLUG.'],
  ['link a --days 0', '--days takes 1 to 366.'],
  ['link a --days soon', '--days needs a whole number.'],
  ['contact a', 'contact needs --notify-url URL or --none.'],
  ['contact a --none --notify-url x', 'contact needs --notify-url URL or --none.'],
  ['confirms-by a http', 'MODE is one of auto, request.'],
  ['constructor', 'There is no command "constructor".'],
  ['import', 'import needs FILE.'],
  ['import a.csv b.csv', 'import takes no "b.csv".'],
  ['import venues', '--format must be json, csv, geojson'],
  ['import venues.xlsx', 'The format must be json, csv, geojson, not xlsx.'],
  ['import a.csv --sorce x', 'Did you mean --source?'],
  ['import a.csv --source =x', '--source needs 1 to 200 characters'],
  ['export --strict', 'There is no option --strict.'],
  ['close warung --date 2027-03-08', 'close needs --reason TEXT.'],
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
])('`%s` is refused with the reason, before any database is accessed', async (line, message) => {
  const typed = line.split(' ').filter(Boolean)
  await expect(runTyped(venueProgram, typed)).rejects.toThrow(message)
})
