import type { Interpretation } from '../../contract/interpretation.ts'
import { coverageHint } from './coverage.ts'
import type { FoundVenues } from './find-venues.ts'
import type { ParsedQuery } from './parse-query.ts'
import type { PreferredVenues } from './preferences.ts'
import { wordOf } from './readings.ts'
import { type RequestedTime, resolveTime } from './requested-time.ts'

const HINT =
  'Nothing was found. Name a kind of venue, a dish or a treatment, and an area, city or ' +
  'landmark, as in ' +
  '"sushi in Canggu" or "massage near Monkey Forest"; or the name of a venue.'

/** The requested time, in the time zone of the place or else of the first venue. */
export function requestedTimeOf(
  { understood, reading, venues, timezone }: FoundVenues,
  at: Date,
): RequestedTime {
  const [first] = venues
  return resolveTime(understood.visit, {
    category: reading.category ?? first?.venue.category ?? null,
    timezone: timezone ?? first?.venue.timezone ?? 'UTC',
    at,
  })
}

/** Explains to the caller how the query was understood. */
export function interpret(
  search: FoundVenues,
  { date, time, assumed }: RequestedTime,
  choice: PreferredVenues,
  { isFirstPage, hint }: { isFirstPage: boolean; hint: string | null },
): Interpretation {
  const { understood, reading, notCovered } = search
  const { parsed, visit, corrections } = understood
  const { category, place, terms, dropped, widened } = reading
  return {
    category,
    other_categories: [...parsed.others],
    area: place?.name ?? null,
    near: parsed.landmark?.landmark ?? null,
    text: terms.map(wordOf).join(' '),
    party_size: visit.partySize,
    date,
    time,
    price: choice.price,
    hours: choice.hours,
    dropped: dropped.map((word) => parsed.said.get(word) ?? word),
    corrections: [...corrections],
    widened: together(widened, choice.unmet),
    assumed: together(assumed, choice.assumed),
    not_covered: notCovered,
    hint: notCovered ? coverageHint(notCovered) : together(...hintsOf(search, isFirstPage), hint),
  }
}

const together = (...sentences: (string | null)[]): string | null =>
  sentences.filter(Boolean).join(' ') || null

function hintsOf({ understood, venues }: FoundVenues, isFirstPage: boolean): (string | null)[] {
  const { category, others, unclear } = understood.parsed
  const which = unclear && whichHint(unclear)
  if (venues.length === 0) return isFirstPage ? [which ?? HINT] : []
  const kinds = others.map((kind) => `a ${kind}`).join(' and ')
  const apart = `Only a ${category} was searched for. Search for ${kinds} separately; `
  const together = 'an itinerary books them together or not at all.'
  return [which, others.length > 0 ? apart + together : null]
}

function whichHint({ said, names }: NonNullable<ParsedQuery['unclear']>): string {
  return `Which ${said} is meant? Ask your user, and name it: ${names.join(', ')}.`
}
