import { basename, extname } from 'node:path'
import { UsageError } from '../platform/command-line/usage-error.ts'
import { type Format, formats } from '../venues/import/file-rows.ts'
import { connectionTable, connectVenue, disconnectVenue } from './connect-venue.ts'
import { closeDays, listExceptions, openDays } from './exception-commands.ts'
import { exportFile } from './export-file.ts'
import { importAreaFile, importFile } from './import-file.ts'
import { defineOperatorCommand, operatorProgram } from './operator-program.ts'
import * as people from './person-commands.ts'
import { remove, reset } from './remove-venues.ts'
import { addSession, cancelSession } from './session-commands.ts'
import { deposit } from './venue-deposits.ts'
import { endLink, listLinks } from './venue-links.ts'
import { listNotices } from './venue-notices.ts'
import { changeMode, contactVenue, linkVenue } from './venue-people.ts'
import { templates } from './whatsapp-templates.ts'

const MAX_DAYS = 366
const slug = { about: 'Slug of the venue, as search shows it' }
const format = {
  kind: 'text',
  value: 'FORMAT',
  about: 'Format of the file; by default from its name',
} as const
const source = { kind: 'text', value: 'NAME' } as const

const importCommand = defineOperatorCommand({
  words: 'import',
  summary: 'Load venues from JSON, CSV or GeoJSON (OpenStreetMap tags).',
  details:
    'Loading a file again updates its venues. A row that cannot be loaded gets a line that says ' +
    'why, and the exit code is 1. Formats: docs/operate/importing-venues.md.',
  args: { file: { about: 'The file' } },
  options: {
    source: { ...source, about: 'Source of the ids; by default the name of the file' },
    strict: { kind: 'flag', about: 'Load nothing if a row is refused' },
    'dry-run': { kind: 'flag', about: 'Report what would happen and change nothing' },
    format,
  },
  examples: ['import venues.csv', 'import bali.geojson --source osm --dry-run'],
  async run({ args: { file }, options, onDatabase, at }) {
    const command = {
      file,
      format: formatFrom(options.format ?? extname(file).slice(1)),
      source: sourceFrom(options.source ?? basename(file)),
      isStrict: options.strict ?? false,
      isDryRun: options['dry-run'] ?? false,
    }
    return onDatabase((db) => importFile(db, command, at))
  },
})

const importAreasCommand = defineOperatorCommand({
  words: 'areas import',
  summary: 'Name finer areas and landmarks, from JSON, CSV or GeoJSON.',
  details:
    'Venues need no areas: each is in the nearest town. A row that cannot be loaded gets a line ' +
    'that says why, and the exit code is 1. Formats: docs/operate/areas.md.',
  args: { file: { about: 'The file' } },
  options: { format },
  examples: ['areas import areas.csv', 'areas import districts.geojson'],
  run: ({ args: { file }, options, onDatabase }) =>
    onDatabase((db) =>
      importAreaFile(db, file, formatFrom(options.format ?? extname(file).slice(1))),
    ),
})

const exportCommand = defineOperatorCommand({
  words: 'export',
  summary: 'Write venues to a file that import reads.',
  options: {
    out: { kind: 'text', value: 'FILE', about: 'File to write; by default stdout' },
    source: { ...source, about: 'Only the venues of this source' },
    format,
  },
  examples: ['export --out venues.csv', 'export --format geojson --source osm'],
  async run({ options, onDatabase }) {
    const { out } = options
    const command = {
      out,
      format: formatFrom(options.format ?? (out === undefined ? 'json' : extname(out).slice(1))),
      source: options.source === undefined ? undefined : sourceFrom(options.source),
    }
    return onDatabase((db) => exportFile(db, command))
  },
})

const connect = defineOperatorCommand({
  words: 'connect',
  summary: "Let the venue's own booking system confirm from now on.",
  details:
    'The signing secret is alone on the last line. What the system must answer: ' +
    'docs/protocols/venue-connector.md.',
  args: { slug },
  options: {
    url: { kind: 'text', value: 'URL', about: 'https address of its system', required: true },
    secret: { kind: 'text', value: 'SECRET', about: 'A whsec_… that the venue already has' },
    'no-amend': { kind: 'flag', about: 'Its system cannot change bookings: never ask it to' },
  },
  examples: ['connect senja-table-ubud --url https://booking.example/network'],
  run: ({ args, options: { url, secret, 'no-amend': noAmend }, onDatabase, at }) =>
    onDatabase((db, config) =>
      connectVenue(
        db,
        config,
        { slug: args.slug, url, ...(secret && { secret }), takesAmend: !noAmend },
        at,
      ),
    ),
})

const disconnect = defineOperatorCommand({
  words: 'disconnect',
  summary: 'Let the network confirm for the venue again.',
  args: { slug },
  options: {
    force: { kind: 'flag', about: 'Even if the system of the venue has open bookings' },
  },
  examples: ['disconnect senja-table-ubud'],
  run: ({ args, options, onDatabase, at }) =>
    onDatabase((db) =>
      disconnectVenue(db, { slug: args.slug, isForced: options.force ?? false }, at),
    ),
})

const connections = defineOperatorCommand({
  words: 'connections',
  summary: 'List the connected venues and how their last reading went.',
  examples: ['connections'],
  run: ({ onDatabase }) => onDatabase(connectionTable),
})

const confirmsBy = defineOperatorCommand({
  words: 'confirms-by',
  summary: 'Set who confirms: a person at the venue (request), or the network (auto).',
  args: { slug, mode: { about: 'Who confirms', choices: ['auto', 'request'] } },
  examples: ['confirms-by senja-table-ubud request'],
  run: ({ args, onDatabase }) =>
    onDatabase((db) => changeMode(db, { slug: args.slug, mode: args.mode as 'auto' | 'request' })),
})

const link = defineOperatorCommand({
  words: 'link',
  summary: "Create a link to the page of the venue's staff.",
  details:
    'The link is alone on the last line, at PUBLIC_URL or else at the service that runs on ' +
    'DATA_DIR. What staff see there: docs/operate/venue-page.md.',
  args: { slug },
  options: {
    days: { kind: 'number', value: 'N', about: 'Days that the link is valid; 30 by default' },
    'end-others': { kind: 'flag', about: 'End every earlier link' },
  },
  examples: ['link senja-table-ubud', 'link senja-table-ubud --days 7 --end-others'],
  async run({ args, options, onDatabase, at }) {
    const { days = 30, 'end-others': endsOthers = false } = options
    if (days < 1 || days > MAX_DAYS) throw new UsageError(`--days takes 1 to ${MAX_DAYS}.`)
    return onDatabase((db, config) =>
      linkVenue(db, config, { slug: args.slug, days, endsOthers }, at),
    )
  },
})

const contact = defineOperatorCommand({
  words: 'contact',
  summary: 'Set the address to which notices of the venue are posted.',
  details: 'The signing secret is alone on the last line.',
  args: { slug },
  options: {
    'notify-url': { kind: 'text', value: 'URL', about: 'Address that notices are posted to' },
    none: { kind: 'flag', about: 'Send no more notices' },
  },
  examples: ['contact senja-table-ubud --notify-url https://hooks.example/senja'],
  async run({ args, options: { 'notify-url': url, none }, onDatabase }) {
    if ((url === undefined) === (none === undefined)) {
      throw new UsageError('contact needs --notify-url URL or --none.')
    }
    return onDatabase((db, config) => contactVenue(db, config, { slug: args.slug, url }))
  },
})

/** `npm run venues`. */
export const venueProgram = operatorProgram({
  name: 'npm run venues --',
  about: 'The venues of the network.',
  commands: [
    importCommand,
    exportCommand,
    importAreasCommand,
    remove,
    reset,
    connect,
    disconnect,
    connections,
    closeDays,
    openDays,
    listExceptions,
    addSession,
    cancelSession,
    confirmsBy,
    deposit,
    link,
    listLinks,
    endLink,
    contact,
    listNotices,
    templates,
    people.invite,
    people.listPeople,
    people.removePerson,
    people.addTheirChannel,
    people.endTheirChannel,
    people.notify,
  ],
})

function formatFrom(text: string): Format {
  const format = formats.find((one) => one === text.toLowerCase())
  if (format) return format
  throw new UsageError(
    text === ''
      ? `--format must be ${formats.join(', ')}: the file's name does not show it.`
      : `The format must be ${formats.join(', ')}, not ${text}.`,
  )
}

function sourceFrom(text: string): string {
  if (text.length <= 200 && /^[\p{L}\p{N}]\P{C}*$/u.test(text)) return text
  throw new UsageError('--source needs 1 to 200 characters, the first a letter or digit.')
}
