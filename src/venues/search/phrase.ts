import {
  feasts,
  guardedWeekdays,
  minuteWords,
  months,
  numberWords,
  ordinals,
  shortWeekdays,
  weekdays,
} from './calendar-lexicon.ts'
import { readTable } from './read-table.ts'

/** Alternatives for a pattern, the longest first. */
const oneOf = (words: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(words).sort((one, other) => other.length - one.length)

const short = oneOf(shortWeekdays).map((name) => guardedWeekdays[name] ?? name)
const pieces = new Map<string, string>([
  ...readTable('pieces.tsv', ([name = '', pattern = '']) => [name, pattern] as const),
  ['numbers', oneOf(numberWords).join('|')],
  ['weekdays', [...oneOf(weekdays), ...short].join('|')],
  ['months', oneOf(months).join('|')],
  ['ordinals', oneOf(ordinals).join('|')],
  ['minutes', oneOf(minuteWords).join('|')],
  ['feasts', oneOf(feasts).join('|')],
])

/** Compiles a pattern of `data/`, in which `<name>` stands for the piece of that name. */
export const phrase = (pattern: string, flags?: string): RegExp =>
  new RegExp(
    withPieces(pattern, (name) => pieces.get(name) ?? ''),
    flags,
  )

/** A pattern in which each `<name>` is replaced by its piece, whose own names are, too. */
export const withPieces = (pattern: string, pieceOf: (name: string) => string): string =>
  pattern.replace(/(?<!\(\?|\\k|\$)<([a-z][\w ]*)>/gi, (_, name: string) =>
    withPieces(pieceOf(name), pieceOf),
  )
