import { addDays } from '../base/local-time.ts'
import { UsageError } from '../platform/command-line/usage-error.ts'
import { reasonFrom } from './cancel-bookings.ts'
import { close, exceptionTable, type NamedScope, open } from './day-exceptions.ts'
import { defineOperatorCommand } from './operator-program.ts'

type Window = { open: string; close: string }

const MAX_DAYS = 366
const args = { slug: { about: 'Slug of the venue', optional: true } } as const
const scopeOptions = {
  area: { kind: 'text', value: 'AREA', about: 'Every venue in the area, instead of SLUG' },
  country: { kind: 'text', value: 'CC', about: 'Every venue in the country, instead of SLUG' },
} as const
const dayOptions = {
  date: { kind: 'text', value: 'D', about: 'Local date, as in 2027-03-08', required: true },
  to: { kind: 'text', value: 'D', about: 'And every day until this one' },
} as const

export const closeDays = defineOperatorCommand({
  words: 'close',
  summary: 'Close venues on local dates, or set other hours.',
  details: 'What a closed day means for bookings: docs/operate/availability.md.',
  args,
  options: {
    ...scopeOptions,
    ...dayOptions,
    hours: {
      kind: 'text',
      value: '12:00-15:00,18:00-02:00',
      about: 'Open in these hours instead of the usual ones',
    },
    reason: { kind: 'text', value: 'TEXT', about: 'What agents tell their guests', required: true },
  },
  examples: [
    'close senja-table-ubud --date 2027-03-08 --reason "Nyepi, the day of silence"',
    'close --country ID --date 2027-08-17 --hours 18:00-23:00 --reason "Independence day"',
  ],
  async run({ args: { slug }, options, onDatabase }) {
    const reason = reasonFrom(options.reason, '--reason')
    const windows = options.hours === undefined ? [] : windowsOf(options.hours)
    const scope = scopeOf(slug, options, 'close')
    const days = daysOf(options)
    return onDatabase((db) => close(db, { scope, ...days, windows, reason }))
  },
})

export const openDays = defineOperatorCommand({
  words: 'open',
  summary: 'Give local dates their usual hours again.',
  args,
  options: { ...scopeOptions, ...dayOptions },
  examples: ['open senja-table-ubud --date 2027-03-08'],
  async run({ args: { slug }, options, onDatabase }) {
    const scope = scopeOf(slug, options, 'open')
    const days = daysOf(options)
    return onDatabase((db) => open(db, { scope, ...days }))
  },
})

export const listExceptions = defineOperatorCommand({
  words: 'exceptions',
  summary: 'List days with other hours, from today on.',
  args,
  options: scopeOptions,
  examples: ['exceptions', 'exceptions --area ubud'],
  async run({ args: { slug }, options, onDatabase, at }) {
    const isAll = slug === undefined && Object.keys(options).length === 0
    const scope = isAll ? null : scopeOf(slug, options, 'exceptions')
    return onDatabase((db) => exceptionTable(db, scope, at))
  },
})

function scopeOf(
  slug: string | undefined,
  { area, country }: { area?: string | undefined; country?: string | undefined },
  words: string,
): NamedScope {
  const scopes: NamedScope[] = [
    ...(slug === undefined ? [] : [{ slug }]),
    ...(area === undefined ? [] : [{ area }]),
    ...(country === undefined ? [] : [{ country: country.toUpperCase() }]),
  ]
  const [scope, another] = scopes
  if (scope && !another) return scope
  throw new UsageError(`${words} needs the slug of a venue, or --area, or --country: one of them.`)
}

function daysOf({ date, to = date }: { date: string; to?: string | undefined }) {
  for (const one of [date, to]) {
    if (!isDate(one)) throw new UsageError(`There is no date ${one}; give it as in 2027-03-08.`)
  }
  if (to < date) throw new UsageError('--to must not be before --date.')
  if (to >= addDays(date, MAX_DAYS)) throw new UsageError(`At most ${MAX_DAYS} days at once.`)
  return { from: date, to }
}

const isDate = (text: string): boolean => /^[12]\d{3}-\d\d-\d\d$/.test(text) && isCalendarDate(text)

function isCalendarDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const hoursPattern = /^\s*((?:[01]\d|2[0-3]):[0-5]\d)-((?:[0-3]\d|4[0-7]):[0-5]\d)\s*$/

/** Parses `18:00-23:00,12:00-15:00`; a close at or before the opening is on the next day. */
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
