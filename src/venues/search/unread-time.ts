import { timeWords } from './calendar-lexicon.ts'
import type { Day } from './day-lexicon.ts'
import { kindPhrases } from './kinds.ts'
import { blank } from './patterns.ts'
import { phrase } from './phrase.ts'

/** Words about time that were not understood, and which field of a request replaces them. */
export type Unread = {
  words: string
  about: 'date' | 'time' | 'either'
  /** other words that were understood differently */
  beside?: string
  /** whether a clear day or time makes them an occasion, as "year-end" on 17 December */
  isAside?: boolean
}

const count = '(?:(?:\\b\\d{1,3}|\\b(?:a few|several|few|some|every|each|<numbers>))[\\s-]*)?'
const anyOf = (words: readonly string[]) => `${count}\\b(?:${words.join('|')})\\b`
const net = (about: Unread['about'], ...patterns: readonly string[]) => ({
  net: phrase(patterns.join('|'), 'g'),
  about,
})

const nets = {
  always: [
    net('date', ...timeWords.dateDigits, anyOf(timeWords.date)),
    net('time', ...timeWords.timeDigits, anyOf(timeWords.time)),
  ],
  nextToDay: net('time', ...timeWords.nextToDay),
  noClock: net('time', anyOf(timeWords.vagueTime)),
  noDay: net('date', anyOf(timeWords.vagueDate)),
  neither: net('either', anyOf([...timeWords.vagueDate, ...timeWords.vagueTime])),
}

/** Phrases for kinds that contain words about time, such as "happy hour". */
const kinds = kindPhrases
  .map(({ phrase }) => phrase)
  .filter((words) => nets.always.some((one) => words.search(one.net) >= 0))
const none = new RegExp(`\\b(?:${[...timeWords.none, ...kinds].join('|')})\\b`, 'g')

/** Words that would change a day or time that is clear without them. */
const changes = phrase(
  '\\d|\\w{4}ly\\b|\\b(?:every|each|few|several|some|next|this|last|ago|following|another|other|' +
    'same|not|after|\\w+days|setiap|tiap|lain|ini|depan|mingguan|<numbers>)\\b',
)

/** How long a journey lasts, which is not when to come. */
const stay = phrase('^(?:\\d+|a|a few|several|few|some|<numbers>) (?:day|night|week|month)s?$')

/** Takes the words about time that are left after a visit has been read. */
export function takeUnread(
  text: string,
  { day, hasClock }: { day: Day | null; hasClock: boolean },
): { unread: Unread[]; rest: string } {
  const hasDay = day !== null
  const isClear = {
    date: day?.is === 'date' || day?.is === 'instant',
    time: hasClock,
    either: false,
  }
  const unread: Unread[] = []
  let rest = text
  // What is masked stays where it is in the text.
  let left = text.replace(none, (words) => '\u0000'.repeat(words.length))
  for (const { net, about } of [
    ...nets.always,
    ...(hasDay && !hasClock ? [nets.nextToDay, nets.noClock] : []),
    ...(!hasDay ? [hasClock ? nets.noDay : nets.neither] : []),
  ]) {
    left = left.replace(net, (words, start: number) => {
      const isAside = isClear[about] && !changes.test(words.trim().replace(stay, ''))
      unread.push({ words: words.trim(), about, isAside })
      rest = blank(rest, start, start + words.length)
      return ' '.repeat(words.length)
    })
  }
  return { unread, rest }
}
