import { selectAreas } from '../availability/store/areas.ts'
import {
  countBookingsOn,
  deleteExceptions,
  type ExceptionScope,
  selectExceptions,
  upsertExceptions,
} from '../availability/store/day-exceptions.ts'
import { selectOptionalVenue } from '../availability/store/venues.ts'
import { counted } from '../base/counted.ts'
import { addDays, dateOf } from '../base/local-time.ts'
import { plainTable } from '../platform/command-line/plain-table.ts'
import { UsageError } from '../platform/command-line/usage-error.ts'
import type { Pool } from '../platform/database/sql.ts'

/** A scope as an operator names it. */
export type NamedScope = { slug: string } | { area: string } | { country: string }

type Days = { scope: NamedScope; from: string; to: string }
type Windows = { open: string; close: string }[]

/** Closes days or sets other hours, and warns if there are bookings on those days. */
export async function close(
  db: Pool,
  { scope: target, from, to, windows, reason }: Days & { windows: Windows; reason: string },
): Promise<string> {
  const scope = await scopeOf(db, target)
  const dates = datesFrom(from, to)
  await upsertExceptions(
    db,
    scope,
    dates.map((date) => ({ date, windows, reason })),
  )
  const bookings = await countBookingsOn(db, scope, { from, to })
  const hours = windows.length > 0 ? `open ${hoursOf(windows)}` : 'closed'
  return [
    `${scope.name} is ${hours} ${periodOf(from, to)}: ${reason}`,
    ...(bookings > 0
      ? [`Existing bookings stay (${counted(bookings, 'booking')}): tell the guests yourself.`]
      : []),
  ].join('\n')
}

/** Removes exceptions, so that the usual hours apply again. */
export async function open(db: Pool, { scope: target, from, to }: Days): Promise<string> {
  const scope = await scopeOf(db, target)
  const count = await deleteExceptions(db, scope, { from, to })
  if (count > 0) {
    const days = periodOf(from, to)
    const removed = `${counted(count, 'exception')} removed`
    return `${scope.name} has its usual hours again ${days} (${removed}).`
  }
  throw new Error(
    `${scope.name} has no exception of its own ${periodOf(from, to)}. ` +
      '`npm run venues -- exceptions` lists all of them, including those of areas and countries.',
  )
}

/** All exceptions from today on, or only those in one scope. */
export async function exceptionTable(db: Pool, of: NamedScope | null, at: Date): Promise<string> {
  const scope = of && (await scopeOf(db, of))
  // Yesterday's date in UTC may still be today's date somewhere.
  const rows = await selectExceptions(db, scope, addDays(dateOf(at.toISOString()), -1))
  if (rows.length === 0) return 'No day has special hours.'
  const cells = rows.map(({ scope: where, date, windows, reason }) => [
    date,
    where,
    windows.length > 0 ? hoursOf(windows) : 'closed',
    reason,
  ])
  return plainTable(['DATE', 'WHERE', 'HOURS', 'REASON'], cells)
}

async function scopeOf(db: Pool, target: NamedScope): Promise<ExceptionScope & { name: string }> {
  if ('slug' in target) {
    const venue = await selectOptionalVenue(db, target.slug, false)
    if (venue) return { is: 'venue', key: venue.id, name: venue.name }
    throw new UsageError(`There is no venue ${target.slug}; its slug is what search shows.`)
  }
  const areas = await selectAreas(db)
  if ('area' in target) {
    const lower = target.area.toLowerCase()
    const area = areas.find(({ slug, name }) => slug === lower || name.toLowerCase() === lower)
    if (area) return { is: 'area', key: area.slug, name: `Every venue in ${area.name}` }
    const slugs = areas
      .slice(0, MAX_NAMED)
      .map(({ slug }) => slug)
      .join(', ')
    throw new UsageError(`There is no area ${target.area}. There are ${slugs}.`)
  }
  const countries = [...new Set(areas.map(({ country }) => country))].sort()
  if (countries.includes(target.country)) {
    return { is: 'country', key: target.country, name: `Every venue in ${target.country}` }
  }
  throw new UsageError(
    `No venue is in the country ${target.country}. There are ${countries.join(', ')}.`,
  )
}

/** A network can have thousands of towns. */
const MAX_NAMED = 100

function datesFrom(from: string, to: string): string[] {
  const dates: string[] = []
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date)
  return dates
}

const periodOf = (from: string, to: string) =>
  from === to ? `on ${from}` : `from ${from} to ${to}`

const hoursOf = (windows: Windows) =>
  windows.map(({ open: opens, close: closes }) => `${opens}-${closes}`).join(',')
