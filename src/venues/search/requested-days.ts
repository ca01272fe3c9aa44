import type { DayPart } from './calendar-lexicon.ts'
import { timeWords } from './calendar-lexicon.ts'
import type { Day } from './day-lexicon.ts'
import { dateAlone, dayPattern } from './day-lexicon.ts'
import { blank, takeAll } from './patterns.ts'
import { phrase } from './phrase.ts'
import type { Unread } from './unread-time.ts'

/** A day, and the words for it. */
export type SaidDay = { day: Day; said: string }

/** The days in a text: the clearest, and others with what joins them to it. */
export type SaidDays = {
  main: SaidDay | null
  others: readonly (SaidDay & { join: 'range' | 'choice' | null })[]
  part: DayPart | null
  /** days that are said not to be meant, as in "not on Friday" */
  unread: readonly Unread[]
}

const MAX_DAYS = 3
/** Any day has one of these words: most queries have none, and 90 patterns take 40 µs. */
const hint = phrase('<dayHint>')
const notMeant = new RegExp(`\\b(?:${timeWords.apart.join('|')})(?:\\s+(?:on|in|the|hari))*\\s*$`)
const range = /^[\s,]*(?:-|–|\b(?:to|until|till|through|sampai|hingga)\b)\s*(?:the\s*)?$/
const choice = /^[\s,]*(?:\/|&|\b(?:or|and|atau|dan)\b)\s*(?:maybe |perhaps |even )?(?:the\s*)?$/

/** Before a day that others replace: "moved from the 3rd to the 4th". */
const moved = phrase('\\b<moved>\\b.*\\b(?:from|dari)\\s*$')
const negated = /^(?:but )?(?:not|no|never|bukan|jangan)\b/

/** Words before a day or time that will do if the first will not: "if full, then Wednesday". */
export const fallback = phrase('<fallback>', 'g')

/** "Minggu" is Sunday rather than a week next to these words. */
const sunday = new RegExp(
  '(?<=\\bhari )minggu\\b|' +
    '(?<=\\b(?:senin|selasa|rabu|kamis|jumat|sabtu)\\s*(?:-|dan|atau|sampai)\\s*)minggu\\b|' +
    '(?<!\\b(?:malam|\\d+|satu|dua|tiga|empat|setiap|tiap) )\\bminggu\\b' +
    '(?=,?\\s*(?:pagi|siang|sore|malam|besok|jam|pukul|pkl|tgl|tanggal|\\d))',
  'g',
)

/** Takes the days out of a text. */
export function takeDays(query: string): SaidDays & { rest: string } {
  const text = query.replace(sunday, 'sunday')
  const inWords = takeAll(text, hint.test(text) ? dayPattern : [], MAX_DAYS)
  const { all, rest } = inWords.all.length > 0 ? inWords : takeAll(text, dateAlone, 1)
  const saidAt = ({ start, end }: { start: number; end: number }) => query.slice(start, end).trim()
  const joinOf = (one: (typeof all)[number]) => {
    const before = all.filter(({ end }) => end <= one.start).at(-1)
    const next = all.find(({ start }) => start >= one.end)
    const gaps = [
      before && text.slice(before.end, one.start),
      next && text.slice(one.end, next.start),
    ].filter((gap) => gap !== undefined)
    if (gaps.some((gap) => range.test(gap))) return 'range'
    return gaps.some((gap) => choice.test(gap) || gap.search(fallback) >= 0) ? 'choice' : null
  }
  const leadOf = (one: (typeof all)[number]) =>
    joinOf(one) === null ? notMeant.exec(rest.slice(0, one.start))?.[0] : undefined
  const [meant, other] = [true, false].map((isMeant) =>
    all.filter((one) => (leadOf(one) === undefined) === isMeant),
  ) as [typeof all, typeof all]
  // Of days that are joined, the first in the text; else the clearest.
  const isJoined = meant.some((one) => joinOf(one) !== null)
  const inOrder = isJoined ? meant.toSorted((a, b) => a.start - b.start) : meant
  const isMoved = isJoined && moved.test(text.slice(0, inOrder[0]?.start))
  const [main, ...others] = isMoved ? inOrder.slice(1) : inOrder
  const isOneDay = main !== undefined && !['week', 'weekend', 'month'].includes(main.found.day.is)
  const unread = other.map((one): Unread => {
    const start = one.start - (leadOf(one)?.length ?? 0)
    const words = saidAt({ start, end: one.end })
    return { words, about: 'date', isAside: isOneDay && negated.test(words) }
  })
  const part = all.map((one) => one.found.part).find((one) => one !== undefined)
  return {
    main: main ? { day: main.found.day, said: saidAt(main) } : null,
    others: others.map((one) => ({ day: one.found.day, said: saidAt(one), join: joinOf(one) })),
    part: part ?? null,
    unread,
    rest: all.reduce((left, one) => {
      const before = all.filter(({ end }) => end <= one.start).map(({ end }) => end)
      const gap = Math.max(...before, 0)
      const isRange = before.length > 0 && range.test(text.slice(gap, one.start))
      const start = isRange ? gap : one.start - (leadOf(one)?.length ?? 0)
      return blank(left, start, one.start)
    }, rest),
  }
}
