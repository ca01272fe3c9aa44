import type { Category } from '../../base/venue-kinds.ts'
import { type DayPart, impliedParts, lateHours, saidParts } from './calendar-lexicon.ts'
import {
  type ClockSpan,
  clockOnDay,
  clockPattern,
  eitherOf,
  hasClock,
  isSameClock,
  readClock,
  timeOf,
  withDigits,
} from './clock-lexicon.ts'
import { takeDelay, withInstants } from './day-instants.ts'
import { type Day, partApart } from './day-lexicon.ts'
import { readLengths } from './length-lexicon.ts'
import { type Party, readParty, withBare } from './party.ts'
import { withHundreds } from './party-lexicon.ts'
import { type Groups, type Pattern, type Taken, take, takeAll } from './patterns.ts'
import { phrase } from './phrase.ts'
import { isTotal, type RequestedPrice, readPrice } from './price-lexicon.ts'
import { fallback, type SaidDays, takeDays } from './requested-days.ts'
import { takeUnread, type Unread } from './unread-time.ts'

/** The party, day and time in the query's words; the actual date depends on the place. */
export type RequestedVisit = {
  partySize: number | null
  /** what else the words say about the party */
  party: Pick<Party, 'assumed' | 'uncounted'>
  day: Day | null
  /** the words for the day, and other days in the query */
  saidDay: string
  otherDays: SaidDays['others']
  clock: ClockSpan | null
  part: DayPart | null
  /** whether the part is only implied, as by a meal */
  isPartImplied: boolean
  price: RequestedPrice | null
  /** until when a place has to be open, in minutes after midnight */
  late: number | null
  /** how long it may take; empty if any length fits */
  minutes: readonly number[]
  /** words about time that are not understood */
  unread: readonly Unread[]
}

/** Extracts price, hours, party, day and time from a plain text. */
export function readVisit(text: string): RequestedVisit & { rest: string } {
  const company = readParty(
    withHundreds(withInstants(text.replace(/['’]/g, ''))).replace(/(?<=^|\s)[-−](?=\d)/g, 'minus '),
  )
  const { price, rest: priced } = readPrice(company.rest)
  const late = take(priced, latePattern)
  const delay = takeDelay(late.rest)
  const length = readLengths(delay.rest)
  const when = takeWhen(withDigits(length.rest), delay.found)
  const party = withBare(company, when.rest)
  const { unread, rest } = takeUnread(party.rest, { day: when.day, hasClock: when.clock !== null })
  const implied = partIn(text) ?? ((late.found ?? 0) >= NIGHT ? 'evening' : null)
  const isTimed = when.isTimed || implied === 'sahur' || implied === 'iftar'
  return {
    partySize: party.size,
    party: { assumed: party.assumed, uncounted: party.uncounted },
    day: when.day ?? (isTimed && when.clock === null ? { is: 'coming' } : null),
    saidDay: when.saidDay,
    otherDays: when.otherDays,
    clock: when.clock,
    part: when.part ?? implied,
    isPartImplied: when.part === null,
    price: price?.is === 'budget' && isTotal(text) ? { ...price, isTotal: true } : price,
    late: late.found,
    minutes: length.minutes,
    unread: [...when.unread, ...unread],
    rest,
  }
}

const next = /\b(?:then|followed by|lalu|kemudian|terus)\b/

/** "Massage then dinner at 8": the time is that of the dinner, by which the massage has to end. */
export function endByNext(
  visit: RequestedVisit,
  text: string,
  category: Category | null,
): RequestedVisit {
  const from = visit.clock?.from
  const start = from ? text.search(next) : -1
  if (!from || start < 0 || readVisit(text.slice(0, start)).clock) return visit
  const time = timeOf(from, partIn(text.slice(start)) ?? visit.part, category)
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const until = { hour, minute, half: 'exact' } as const
  const part = visit.isPartImplied ? null : visit.part
  return { ...visit, part, clock: { is: 'ends', from: null, until } }
}

/** Takes the part of a day, the day and the time. */
function takeWhen(text: string, delay: Day | null) {
  const part = take(text, partPattern)
  const days = takeDays(part.rest)
  const day = delay ?? days.main?.day ?? null
  const patterns = hasClock(days.rest) ? (day ? clockOnDay : clockPattern) : []
  const clocks = takeAll(days.rest, patterns, 2)
  const apart = take(clocks.rest, partApart)
  const { clock, unread } = clockOf(clocks.all, days.rest)
  const isChoice = clock?.is === 'choice' || days.others.some(({ join }) => join === 'choice')
  return {
    day,
    saidDay: days.main?.said ?? '',
    otherDays: delay ? [] : days.others,
    clock,
    part: part.found ?? days.part ?? apart.found,
    isTimed: part.found !== null || apart.found !== null,
    unread: [...days.unread, ...unread],
    rest: isChoice ? apart.rest.replace(fallback, (words) => ' '.repeat(words.length)) : apart.rest,
  }
}

/** The time that was said; of two, one of which will do, the first in the text. */
function clockOf(
  [one, two]: readonly Taken<ClockSpan>[],
  text: string,
): { clock: ClockSpan | null; unread: Unread[] } {
  if (!one || !two || isSameClock(one.found, two.found))
    return { clock: clearer(one?.found, two?.found), unread: [] }
  const [first, second] = one.start < two.start ? [one, two] : [two, one]
  if (text.slice(first.end, second.start).search(fallback) >= 0 && second.found.from) {
    const { from, until } = first.found
    const isOne = from !== null && until === null
    return { clock: isOne ? eitherOf(from, second.found.from) : first.found, unread: [] }
  }
  const [beside = '', words = ''] = [one, two].map(({ start, end }) =>
    text.slice(start, end).trim(),
  )
  return { clock: one.found, unread: [{ words, about: 'time', beside }] }
}

/** Of "midnight, at 12", the first says which twelve. */
const clearer = (one: ClockSpan | undefined, two: ClockSpan | undefined): ClockSpan | null =>
  (one?.from?.half === null ? two : one) ?? one ?? null

const latePattern: readonly Pattern<number>[] = lateHours.map(([words, until]) => [
  phrase(words),
  ({ groups = {} }) => (groups.h ? closingOf(groups) : until),
])

/** "Until 3am" is how long a place is open; "until 7pm" is when to come, unless it says "open". */
function closingOf({ open, h, m, half }: Groups): number | undefined {
  const clock = readClock(h, m, half)
  if (clock?.half !== 'exact') return undefined
  const time = clock.hour * 60 + clock.minute
  const isNight = time < EARLY || time >= NIGHT
  return open || isNight ? time + (time < EARLY ? 24 * 60 : 0) : undefined
}
const NIGHT = 21 * 60
const EARLY = 6 * 60

const meals = {
  breakfast: 'breakfast|brekk(?:ie|y)|sarapan',
  lunch: 'lunch(?:time)?|brunch|makan siang',
  dinner: 'dinner|supper|makan malam',
} as const
type Anchored = `${'before' | 'after'} ${keyof typeof meals}`

/** A meal that a time is before or after; nobody eats it there. */
const anchored = (part: Anchored): Pattern<DayPart> => {
  const [side, meal] = part.split(' ') as ['before' | 'after', keyof typeof meals]
  const when =
    side === 'after'
      ? 'after|post|following|setelah|sesudah|selepas|seusai|usai|habis|sehabis|abis'
      : 'before|pre|prior to|sebelum'
  const words =
    `(?:straight |right |just )?\\b(?:${when})` +
    '(?:[ -](?:a|our|my|the|late|early|we|i|have|having|eat|eating|had|going to|kami|kita|acara))*'
  return [new RegExp(`${words}[ -](?:${meals[meal]})\\b`), () => part]
}

/** Parts of the day that imply a time even without a day; named meals are also terms. */
const partPattern: readonly Pattern<DayPart>[] = [
  ...(['before breakfast', 'after breakfast', 'before lunch'] as const).map(anchored),
  ...(['after lunch', 'before dinner', 'after dinner'] as const).map(anchored),
  ...saidParts.map(([words, part]): Pattern<DayPart> => [phrase(words), () => part]),
]

const parts = impliedParts.map(([words, part]) => [new RegExp(words), part] as const)

/** The part of the day in a text that states no time: "lunch" means midday. */
const partIn = (text: string): DayPart | null =>
  parts.find(([pattern]) => pattern.test(text))?.[1] ?? null

const { rest: _, ...nothingSaid } = readVisit('')
/** An empty visit. */
export const anyVisit: RequestedVisit = nothingSaid
