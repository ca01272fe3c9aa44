import { plainWords } from '../../base/plain-text.ts'
import { factPhrase } from '../../base/venue-facts.ts'
import type { Interpretation } from '../../contract/interpretation.ts'
import type { Venue } from '../../contract/public.ts'
import { coverageHint } from './coverage.ts'
import type { FoundVenues } from './find-venues.ts'
import type { ParsedQuery } from './parse-query.ts'
import type { PreferredVenues } from './preferences.ts'
import { wordOf } from './readings.ts'
import { type RequestedTime, resolveTime } from './requested-time.ts'
import { isNearGuest, type UnderstoodQuery } from './understand.ts'
import type { RequestedVisit } from './visit.ts'

const HINT =
  'Nothing was found. Name a kind of venue, a dish or a treatment, and an area, city or ' +
  'landmark, as in ' +
  '"sushi in Canggu" or "massage near Monkey Forest"; or the name of a venue.'

const WHERE =
  'Where is your user? Name the area, or send `near`: a place, a landmark or "latitude, longitude".'

/** The requested time, in the time zone of the place or else of the first venue, which is said. */
export function requestedTimeOf(
  { understood, reading, venues, timezone }: FoundVenues,
  at: Date,
): RequestedTime {
  const [first] = venues
  const requested = resolveTime(visitAt(understood, first), {
    category: reading.category ?? first?.venue.category ?? null,
    timezone: first?.venue.timezone ?? timezone ?? 'UTC',
    at,
  })
  const isNamed = timezone !== undefined || (first?.standing ?? 0) < 0
  if (isNamed || requested.date === null || reading.place) return requested
  if (!first) return { ...requested, assumed: null }
  const { city, timezone: zone } = first.venue
  const where = `No place was named: the day and time are those of ${city} (${zone}).`
  return { ...requested, assumed: together(requested.assumed, where) }
}

/** The visit, without what is about another kind of venue or in the name of the first venue. */
function visitAt(
  { visit, parsed }: FoundVenues['understood'],
  first: FoundVenues['venues'][number] | undefined,
): RequestedVisit {
  const name = first && first.standing < 0 ? plainWords(first.venue.name) : []
  const isOfName = (words: string) => plainWords(words).every((word) => name.includes(word))
  const unread = visit.unread.filter(
    ({ words, beside }) => !(beside && parsed.others.length > 0) && !isOfName(words),
  )
  const { uncounted } = visit.party
  const party = uncounted && isOfName(uncounted) ? { ...visit.party, uncounted: null } : visit.party
  return { ...visit, party, unread, otherDays: parsed.others.length > 0 ? [] : visit.otherDays }
}

type Page = { isFirstPage: boolean; hint: string | null; shown: readonly Venue[] }

/** Explains to the caller how the query was understood. */
export function interpret(
  search: FoundVenues,
  { date, time, assumed, question }: RequestedTime,
  choice: PreferredVenues,
  { isFirstPage, hint, shown }: Page,
): Interpretation {
  const { understood, reading, notCovered } = search
  const { parsed, visit, corrections } = understood
  const { category, place, terms, dropped, widened } = reading
  return {
    category,
    other_categories: [...parsed.either, ...parsed.others],
    area: (parsed.place ?? place)?.name ?? null,
    near: nearText(parsed.landmark),
    text: terms.map(wordOf).join(' '),
    party_size: visit.partySize,
    date,
    time,
    facts: parsed.facts.map(({ name, is }) => (is === 'no' ? `no_${name}` : name)),
    price: choice.price,
    hours: choice.hours,
    excluded: [...understood.excluded],
    notes: understood.notes,
    dropped: dropped.map((word) => parsed.said.get(word) ?? word).filter(isUnused(shown)),
    corrections: [...corrections],
    widened: together(widened, choice.unmet),
    assumed: together(assumed, choice.assumed, visit.party.assumed),
    not_covered: notCovered,
    hint:
      understood.instead ??
      (notCovered
        ? coverageHint(notCovered)
        : together(
            question ?? null,
            ...hintsOf(search, isFirstPage),
            factsHint(parsed.facts, shown),
            mentionsHint(shown),
            hint,
          )),
  }
}

/** Whether a dropped word has been used after all, to choose a service or a person. */
function isUnused(shown: readonly Venue[]) {
  const used = shown.flatMap(({ availability: { book_with } }) =>
    plainWords(`${book_with?.service ?? ''} ${book_with?.with ?? ''}`),
  )
  return (word: string) => !used.includes(word)
}

const nearText = (landmark: ParsedQuery['landmark']): string | null => {
  const { landmark: name = null, radiusKm = null } = landmark ?? {}
  return name !== null && radiusKm !== null ? `${name}, within ${radiusKm} km` : name
}

const together = (...sentences: (string | null)[]): string | null =>
  sentences.filter(Boolean).join(' ') || null

function hintsOf({ understood, venues }: FoundVenues, isFirstPage: boolean): (string | null)[] {
  const { category, either, others, unclear } = understood.parsed
  if (isNearGuest(understood) && venues.length === 0) return isFirstPage ? [WHERE] : []
  const asked = askedOf(understood)
  const which = unclear && whichHint(unclear)
  if (venues.length === 0) return isFirstPage ? [which ?? HINT, ...asked] : []
  const kinds = others.map((kind) => `a ${kind}`).join(' and ')
  const kind = category ?? either.join(' or ')
  const apart = `Only a ${kind} was searched for. Search for ${kinds} separately; `
  const together = 'an itinerary books them together or not at all.'
  return [which, ...asked, others.length > 0 ? apart + together : null]
}

/** What the caller has to ask or to pass on. */
function askedOf({ parsed, notes, unmet }: UnderstoodQuery): (string | null)[] {
  return [
    notes && `Book with \`notes\` "${notes}": only the venue can see to it.`,
    unmet.length > 0 ? `Could not be excluded: ${unmet.join(', ')}.` : null,
    parsed.either.length > 0 ? `Any of these kinds is shown: ${parsed.either.join(', ')}.` : null,
    parsed.atHome && `"${parsed.atHome}" is not offered: guests come to the venue.`,
  ]
}

/** Separates known facts from those that the guest has to ask for. */
function factsHint(facts: ParsedQuery['facts'], shown: readonly Venue[]): string | null {
  if (facts.length === 0 || shown.length === 0) return null
  const known = shown.filter((venue) => facts.every(({ name, is }) => venue.facts[name] === is))
  const other = shown.filter((venue) =>
    facts.some(({ name, is }) => venue.facts[name] && venue.facts[name] !== is),
  )
  const unknown = shown.length - known.length - other.length
  const what = facts.map(factPhrase).join(' and ')
  const count = (number: number) => (number === 1 ? '1 is' : `${number || 'none'} are`)
  const rest = unknown > 0 ? `; for ${unknown} it is not known: call them` : ''
  const not = other.length > 0 ? `; for ${other.length} the opposite is known` : ''
  return `Of these, ${count(known.length)} known ${what}${not}${rest}.`
}

/** Tells a thing that a venue has from a word in its description. */
function mentionsHint(shown: readonly Venue[]): string | null {
  const mentions = shown.flatMap((venue) => (venue.mentions ? [venue.mentions] : []))
  const words = [...new Set(mentions.flat())].join(', ')
  const which = `for ${mentions.length} of these, listed last, only the description says so`
  return words ? `${words}: ${which}: it cannot be chosen, so ask for it in \`notes\`.` : null
}

function whichHint({ said, names }: NonNullable<ParsedQuery['unclear']>): string {
  return `Which ${said} is meant? Ask your user, and name it: ${names.join(', ')}.`
}
