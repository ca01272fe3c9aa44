import { basename, extname } from 'node:path'
import { parseArgs } from 'node:util'
import { type Format, formats } from '../venues/import/file-rows.ts'
import {
  type CloseCommand,
  closeCommand,
  type ExceptionsCommand,
  exceptionsCommand,
  type OpenCommand,
  openCommand,
} from './exception-command.ts'
import { UsageError } from './run-command.ts'

export type ImportCommand = {
  verb: 'import'
  file: string
  format: Format
  source: string
  isStrict: boolean
  isDryRun: boolean
}

export type ExportCommand = {
  verb: 'export'
  format: Format
  source: string | undefined
  out: string | undefined
}

/** `takesAmend` unless the system does not know `booking.amend`. */
export type ConnectCommand = {
  verb: 'connect'
  slug: string
  url: string
  secret?: string
  takesAmend: boolean
}
export type DisconnectCommand = { verb: 'disconnect'; slug: string; isForced: boolean }
export type ConnectionsCommand = { verb: 'connections' }
export type LinkCommand = { verb: 'link'; slug: string; days: number; endsOthers: boolean }
/** Without `url` the venue is no longer told anything. */
export type ContactCommand = { verb: 'contact'; slug: string; url: string | undefined }
export type ModeCommand = { verb: 'confirms-by'; slug: string; mode: 'auto' | 'request' }

export type VenueCommand =
  | ImportCommand
  | ExportCommand
  | ConnectCommand
  | DisconnectCommand
  | ConnectionsCommand
  | CloseCommand
  | OpenCommand
  | ExceptionsCommand
  | LinkCommand
  | ContactCommand
  | ModeCommand

const verbs: Record<VenueCommand['verb'], (args: string[]) => VenueCommand> = {
  import: importCommand,
  export: exportCommand,
  connect: connectCommand,
  disconnect: disconnectCommand,
  connections: connectionsCommand,
  close: closeCommand,
  open: openCommand,
  exceptions: exceptionsCommand,
  link: linkCommand,
  contact: contactCommand,
  'confirms-by': modeCommand,
}

/** What `npm run venues -- …` asks for; throws a usage error before any database is looked for. */
export function parseVenueCommand([verb, ...args]: string[]): VenueCommand {
  if (verb === undefined || verb.startsWith('-')) throw new UsageError('Which command?')
  if (!isVerb(verb)) throw new UsageError(`There is no command ${verb}.`)
  return verbs[verb](args)
}

const isVerb = (verb: string): verb is VenueCommand['verb'] => Object.hasOwn(verbs, verb)

function importCommand(args: string[]): ImportCommand {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      format: { type: 'string' },
      source: { type: 'string' },
      strict: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
    },
  })
  const [file, ...rest] = positionals
  if (!file) throw new UsageError('import needs a file.')
  if (rest.length > 0) throw new UsageError(`Too much was said: ${rest.join(' ')}`)
  return {
    verb: 'import',
    file,
    format: formatFrom(values.format ?? extname(file).slice(1)),
    source: sourceFrom(values.source ?? basename(file)),
    isStrict: values.strict,
    isDryRun: values['dry-run'],
  }
}

function exportCommand(args: string[]): ExportCommand {
  const { values } = parseArgs({
    args,
    options: {
      format: { type: 'string' },
      source: { type: 'string' },
      out: { type: 'string' },
    },
  })
  const { format, source, out } = values
  return {
    verb: 'export',
    format: formatFrom(format ?? (out === undefined ? 'json' : extname(out).slice(1))),
    source: source === undefined ? undefined : sourceFrom(source),
    out,
  }
}

function connectCommand(args: string[]): ConnectCommand {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      secret: { type: 'string' },
      'no-amend': { type: 'boolean', default: false },
    },
  })
  const slug = onlyVenue(positionals, 'connect')
  const { url, secret } = values
  if (!url)
    throw new UsageError('connect needs --url, the https address of the venue’s own system.')
  const takesAmend = !values['no-amend']
  return { verb: 'connect', slug, url, ...(secret !== undefined && { secret }), takesAmend }
}

function disconnectCommand(args: string[]): DisconnectCommand {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { force: { type: 'boolean', default: false } },
  })
  return { verb: 'disconnect', slug: onlyVenue(positionals, 'disconnect'), isForced: values.force }
}

function connectionsCommand(args: string[]): ConnectionsCommand {
  parseArgs({ args })
  return { verb: 'connections' }
}

const MOST_DAYS = 366

function linkCommand(args: string[]): LinkCommand {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      days: { type: 'string', default: '30' },
      'end-others': { type: 'boolean', default: false },
    },
  })
  const days = Number(values.days)
  if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS) {
    throw new UsageError(`--days must be 1 to ${MOST_DAYS}.`)
  }
  return {
    verb: 'link',
    slug: onlyVenue(positionals, 'link'),
    days,
    endsOthers: values['end-others'],
  }
}

function contactCommand(args: string[]): ContactCommand {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'notify-url': { type: 'string' }, none: { type: 'boolean', default: false } },
  })
  const { 'notify-url': url, none } = values
  if ((url === undefined) !== none)
    throw new UsageError('contact needs --notify-url URL or --none.')
  return { verb: 'contact', slug: onlyVenue(positionals, 'contact'), url }
}

function modeCommand(args: string[]): ModeCommand {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const [slug, mode, ...rest] = positionals
  if (mode !== 'auto' && mode !== 'request') {
    throw new UsageError('confirms-by needs a slug, and auto or request.')
  }
  return { verb: 'confirms-by', slug: onlyVenue([slug ?? '', ...rest], 'confirms-by'), mode }
}

function onlyVenue([slug, ...rest]: string[], verb: string): string {
  if (!slug) throw new UsageError(`${verb} needs the slug of a venue.`)
  if (rest.length > 0) throw new UsageError(`Too much was said: ${rest.join(' ')}`)
  return slug
}

function formatFrom(text: string): Format {
  const format = formats.find((one) => one === text.toLowerCase())
  if (format) return format
  throw new UsageError(
    text === ''
      ? `--format must be ${formats.join(', ')}, as the file's name does not say it.`
      : `The format must be ${formats.join(', ')}, not ${text}.`,
  )
}

function sourceFrom(text: string): string {
  if (text.length <= 200 && /^[\p{L}\p{N}]\P{C}*$/u.test(text)) return text
  throw new UsageError('--source needs 1 to 200 characters, the first a letter or digit.')
}
