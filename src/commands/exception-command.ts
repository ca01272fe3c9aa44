import { parseArgs } from 'node:util'
import { addDays } from '../contract/rules/slot-time.ts'
import { UsageError } from './run-command.ts'

/** What a command is about, as it was typed: one of them. */
export type SaidScope = { slug: string } | { area: string } | { country: string }

type Days = { from: string; to: string }
type Window = { open: string; close: string }

export type CloseCommand = {
  verb: 'close'
  scope: SaidScope
  windows: Window[]
  reason: string
} & Days
export type OpenCommand = { verb: 'open'; scope: SaidScope } & Days
export type ExceptionsCommand = { verb: 'exceptions'; scope: SaidScope | null }

const MOST_DAYS = 366
const MOST_REASON = 200
const scopeOptions = { area: { type: 'string' }, country: { type: 'string' } } as const
const dayOptions = { date: { type: 'string' }, to: { type: 'string' } } as const

/** `close SLUG|--area A|--country C --date D [--to D] [--hours …] --reason TEXT` */
export function closeCommand(args: string[]): CloseCommand {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...scopeOptions,
      ...dayOptions,
      hours: { type: 'string' },
      reason: { type: 'string' },
    },
  })
  const { hours, reason = '' } = values
  const text = reason.trim()
  if (text === '' || text.length > MOST_REASON || /\p{C}/u.test(text)) {
    throw new UsageError(
      `close needs --reason TEXT, up to ${MOST_REASON} characters: agents tell it to their guests.`,
    )
  }
  const windows = hours === undefined ? [] : windowsOf(hours)
  const scope = scopeOf(positionals, values, 'close')
  return { verb: 'close', scope, ...daysOf(values, 'close'), windows, reason: text }
}

/** `open SLUG|--area A|--country C --date D [--to D]` */
export function openCommand(args: string[]): OpenCommand {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { ...scopeOptions, ...dayOptions },
  })
  return { verb: 'open', scope: scopeOf(positionals, values, 'open'), ...daysOf(values, 'open') }
}

/** `exceptions [SLUG|--area A|--country C]` */
export function exceptionsCommand(args: string[]): ExceptionsCommand {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: scopeOptions })
  const isAll = positionals.length === 0 && Object.keys(values).length === 0
  return { verb: 'exceptions', scope: isAll ? null : scopeOf(positionals, values, 'exceptions') }
}

function scopeOf(
  [slug, ...rest]: string[],
  { area, country }: { area?: string; country?: string },
  verb: string,
): SaidScope {
  if (rest.length > 0) throw new UsageError(`Too much was said: ${rest.join(' ')}`)
  const said: SaidScope[] = [
    ...(slug === undefined ? [] : [{ slug }]),
    ...(area === undefined ? [] : [{ area }]),
    ...(country === undefined ? [] : [{ country: country.toUpperCase() }]),
  ]
  const [scope, another] = said
  if (scope && !another) return scope
  throw new UsageError(`${verb} needs the slug of a venue, or --area, or --country: one of them.`)
}

function daysOf({ date, to = date }: { date?: string; to?: string }, verb: string): Days {
  if (date === undefined) throw new UsageError(`${verb} needs --date, as in 2027-03-08.`)
  for (const one of [date, to]) {
    if (!isDate(one)) throw new UsageError(`There is no date ${one}; give it as in 2027-03-08.`)
  }
  if (to === undefined || to < date) throw new UsageError('--to must not be before --date.')
  if (to >= addDays(date, MOST_DAYS)) throw new UsageError(`At most ${MOST_DAYS} days at once.`)
  return { from: date, to }
}

const isDate = (text: string | undefined): boolean =>
  text !== undefined && /^[12]\d{3}-\d\d-\d\d$/.test(text) && isCalendarDate(text)

function isCalendarDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const hoursPattern = /^\s*((?:[01]\d|2[0-3]):[0-5]\d)-((?:[0-3]\d|4[0-7]):[0-5]\d)\s*$/

/** `18:00-23:00,12:00-15:00`; a close at or before its opening is after midnight. */
function windowsOf(text: string): Window[] {
  return text.split(',').map((part) => {
    const [, open, close] = hoursPattern.exec(part) ?? []
    if (!open || !close) {
      throw new UsageError(
        `--hours must be like 18:00-23:00 or 12:00-15:00,18:00-02:00, not ${text}.`,
      )
    }
    return { open, close: close > open ? close : later(close) }
  })
}

const later = (clock: string): string => `${Number(clock.slice(0, 2)) + 24}${clock.slice(2)}`
