import { Temporal } from 'temporal-polyfill'
import { plainText } from '../../../src/base/plain-text.ts'
import type { Answered, Understood } from './grade.ts'
import { isWithin, minutesOf, offered } from './offered.ts'
import type { Facets } from './queries.ts'

export type Judged = { facet: keyof Facets | 'asks'; got: unknown; isRight: boolean }

/** A query's expected facets, and whether the answer has each right; `today` is local. */
export function evaluateFacets(answered: Answered, today: string): Judged[] {
  const { query, interpretation } = answered
  const { category, area, party_size, date, time, widened, price, assumed } = query.expect
  const judge = <T>(facet: keyof Facets, wanted: T | readonly T[] | undefined, got: unknown) => {
    if (wanted === undefined) return []
    const accepted = Array.isArray(wanted) ? wanted : [wanted]
    return [{ facet, got, isRight: accepted.some((one) => same(one, got)) }]
  }
  const dates =
    date === undefined ? undefined : [date].flat().map((one) => one && dayOf(one, today))
  return [
    ...judge('category', category, interpretation.category),
    ...judge('area', area, interpretation.area),
    ...judge('party_size', party_size, interpretation.party_size),
    ...judge('date', dates, interpretation.date),
    ...judge('time', time, interpretation.time?.slice(0, 5)),
    ...judge('widened', widened, interpretation.widened !== null),
    ...judge('price', price, interpretation.price != null),
    ...judge('assumed', assumed, interpretation.assumed != null),
    ...judge('categories', query.expect.categories?.toSorted().join(), kindsOf(interpretation)),
    ...judgeDays(answered, today),
    ...judgeTimes(answered),
    ...judgeWords('excluded', query.expect.excluded, interpretation.excluded?.join(' ')),
    ...judgeWords('notes', query.expect.notes, interpretation.notes),
    ...judgeQuestions(answered),
  ]
}

const kindsOf = ({ category, other_categories = [] }: Understood): string =>
  [...new Set([category, ...other_categories])]
    .filter((one) => one !== null)
    .toSorted()
    .join()

const same = (wanted: unknown, got: unknown): boolean =>
  typeof wanted === 'string' && typeof got === 'string'
    ? plainText(wanted) === plainText(got)
    : wanted === (got ?? null)

/** The date understood, and the offered slots, must lie on the days. */
function judgeDays({ query, venues, interpretation }: Answered, today: string): Judged[] {
  const { days } = query.expect
  if (!days) return []
  const [from, to] = [dayOf(days.from, today), dayOf(days.to, today)]
  const shown = offered(venues).map(([first]) => first?.day ?? '')
  const got = [interpretation.date ?? '', ...shown].find((day) => day < from || to < day)
  return [{ facet: 'days', got: got ?? null, isRight: got === undefined }]
}

/** The offered slots must lie within the times; if there are none, notes must say why. */
function judgeTimes({ query, venues }: Answered): Judged[] {
  const { times } = query.expect
  if (!times) return []
  const window = {
    from: times.from === undefined ? undefined : minutesOf(times.from),
    to: times.to === undefined ? undefined : minutesOf(times.to),
  }
  const slots = offered(venues).flat()
  const got = slots.find(({ minutes }) => !isWithin(minutes, window))?.minutes
  const isExplained = slots.length > 0 || venues.some(({ note }) => note !== null)
  return [{ facet: 'times', got: got ?? null, isRight: got === undefined && isExplained }]
}

/** The text must contain each of the words; `a|b` is either. */
function judgeWords(
  facet: 'excluded' | 'notes',
  wanted: readonly string[] | undefined,
  got: string | null | undefined,
): Judged[] {
  if (!wanted) return []
  const text = plainText(got ?? '')
  const isRight = wanted.every((words) => words.split('|').some((word) => text.includes(word)))
  return [{ facet, got: got ?? null, isRight }]
}

/** What cannot be known is asked for by its field, or said to be over, without any slots. */
function judgeQuestions({ query, venues, interpretation }: Answered): Judged[] {
  const said = [interpretation.hint, interpretation.assumed].join(' ')
  const hasSlots = venues.some(({ slots }) => slots.length > 0)
  return (query.asks ?? []).map((field) => ({
    facet: 'asks' as const,
    got: hasSlots ? 'slots' : said,
    isRight: !hasSlots && (said.includes(field) || /\bis over\b/.test(said)),
  }))
}

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** The date of `today`, `today+2` or `friday` (the first after today); dates stay unchanged. */
export function dayOf(day: string, today: string): string {
  const from = Temporal.PlainDate.from(today)
  const weekday = WEEKDAYS.indexOf(day) + 1
  if (weekday > 0) {
    const days = (weekday - from.dayOfWeek + 7) % 7 || 7
    return from.add({ days }).toString()
  }
  if (!day.startsWith('today')) return day
  return from.add({ days: Number(day.slice('today'.length)) }).toString()
}
