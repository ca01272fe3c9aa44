import words from './hours-words.json' with { type: 'json' }

/** A part of a text of opening hours. `of` is the day (1 is Monday) or the minute of the day. */
export type Token =
  | { is: 'day'; of: readonly number[] }
  | Time
  | { is: 'holiday' | 'off' | 'always' | '-' | ',' | ';' | ':' }

/** How surely a time uses the 24-hour clock: 09:00 and 21 do, 10:00 and 9:00 may, 9 does not. */
type Clock = 'sure' | 'likely' | 'loose' | 'bare'

export type Time = { is: 'time'; of: number; clock: Clock; meridiem?: 'am' | 'pm' | undefined }

/** The tokens, and whether reading them needed a guess; or the first word that is not a token. */
type Tokens = { tokens: Token[]; isGuess: boolean } | { unknown: string }

const canonical = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su']
const english = ['mon', 'tue|tues', 'wed|weds', 'thu|thur|thurs', 'fri', 'sat', 'sun']
const languages = 'en id ms th vi de fr es it nl pt ja ko zh fil'.split(' ')

/** The days of each name in a language. */
const namesIn = (language: string): [name: string, day: number][] =>
  (['long', 'short'] as const).flatMap((weekday) => {
    const format = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' })
    return week.map((day): [string, number] => {
      const name = format.format(Date.UTC(2024, 0, 7 + day))
      return [name.toLowerCase().replace(/\.$/, ''), day]
    })
  })

const week = [1, 2, 3, 4, 5, 6, 7]

/** Maps names to days. Omits names with two letters, names of several days, and "mar" (March). */
function dayNames(): Map<string, readonly number[]> {
  const known = Map.groupBy(languages.flatMap(namesIn), ([name]) => name)
  const foreign = [...known].flatMap(([name, all]): [string, number[]][] => {
    const days = [...new Set(all.map(([, day]) => day))]
    return days.length > 1 || /\d|^(?:[a-z]{1,2}|mar)$/.test(name) ? [] : [[name, days]]
  })
  const plurals = namesIn('en').slice(0, 7)
  return new Map<string, readonly number[]>([
    ...foreign,
    ...plurals.map(([name, day]): [string, number[]] => [`${name}s`, [day]]),
    ...english.flatMap((all, at) => all.split('|').map((name) => [name, [at + 1]] as const)),
    ...words.daily.map((name) => [name, week] as const),
    ...words.weekdays.map((name) => [name, [1, 2, 3, 4, 5]] as const),
    ...words.weekends.map((name) => [name, [6, 7]] as const),
    ...canonical.map((name, at) => [name, [at + 1]] as const),
  ])
}

const meanings = new Map<string, Token | undefined>([
  ...[...dayNames()].map(([name, of]) => [name, { is: 'day', of }] as const),
  ...(['off', 'always', 'holiday'] as const).flatMap((is) =>
    words[is].map((word) => [word, { is }] as const),
  ),
  ...words.to.map((word) => [word, { is: '-' }] as const),
  ...words.and.map((word) => [word, { is: ',' }] as const),
  ...words.noise.map((word) => [word, undefined] as const),
  ['noon', { is: 'time', of: 720, clock: 'sure' }],
  ['midnight', { is: 'time', of: 0, clock: 'sure' }],
])
const isCanonical = new Set([...canonical, 'off', 'closed', 'open', '24/7', 'ph', 'sh'])

const escaped = (text: string) => text.replaceAll('.', '\\.').replace(/^\/$/, '/(?!\\d)')
const names = [...meanings.keys()].sort((one, other) => other.length - one.length).map(escaped)
const word = new RegExp(`(?:${names.join('|')})(?![a-zà-ɏạ-ỹ])\\.?`, 'y')
const time =
  /(\d{1,2})(?:[:.h](\d\d)(?::\d\d)?|(\d\d))?(?![\d:]|\.\d)(?:\s*([ap])\.?m\b\.?|\s*h\b)?/y
const marks: Record<string, Token> = {
  '-': { is: '-' },
  ',': { is: ',' },
  ':': { is: ':' },
  ';': { is: ';' },
  '|': { is: ';' },
  '\n': { is: ';' },
  '.': { is: ';' },
}

/** Splits a text of opening hours; `text` is in lower case, with plain digits and dashes. */
export function tokensOf(text: string): Tokens {
  const tokens: Token[] = []
  let isGuess = false
  for (let at = 0; at < text.length; ) {
    const next = wordAt(text, at) ?? timeAt(text, at) ?? markAt(text, at)
    if (!next) return { unknown: /^[^\s,;]*/.exec(text.slice(at))?.[0] || text.slice(at, at + 1) }
    if (next.token) tokens.push(next.token)
    isGuess ||= next.isGuess === true
    at += next.length
  }
  return { tokens, isGuess }
}

type Next = { token?: Token | undefined; length: number; isGuess?: boolean } | undefined

function wordAt(text: string, at: number): Next {
  word.lastIndex = at
  const match = word.exec(text)?.[0]
  if (match === undefined) return undefined
  // The point of a long word ends a sentence, not an abbreviation.
  const name = match.replace(/^(.{6,})\.$/, '$1')
  const known = meanings.has(name) ? name : name.replace(/\.$/, '')
  return { token: meanings.get(known), length: name.length, isGuess: !isCanonical.has(name) }
}

function timeAt(text: string, at: number): Next {
  time.lastIndex = at
  const match = time.exec(text)
  const token = match && timeOf(match)
  if (!token) return undefined
  const isGuess = token.meridiem !== undefined || /[h.]/.test(match[0])
  return { token, length: match[0].length, isGuess }
}

function markAt(text: string, at: number): Next {
  const mark = text[at] ?? ''
  if (mark === '.' && /\S/.test(text[at + 1] ?? ' ')) return undefined
  if (mark === ' ') return { length: 1 }
  return marks[mark] && { token: marks[mark], length: 1 }
}

/** 12 a.m. is midnight. */
function timeOf([, hours = '', minutes, tail, letter]: RegExpExecArray) {
  const minute = Number(minutes ?? tail ?? 0)
  const hour = Number(hours)
  if (minute > 59 || hour > (letter ? 12 : 48) || (letter && hour === 0)) return undefined
  const meridiem = letter === undefined ? undefined : letter === 'a' ? 'am' : 'pm'
  const of = (letter ? (hour % 12) + (letter === 'p' ? 12 : 0) : hour) * 60 + minute
  return { is: 'time', of, clock: clockOf(hours, hour, minutes ?? tail), meridiem } as const
}

function clockOf(hours: string, hour: number, minutes: string | undefined): Clock {
  if (hours.startsWith('0') || hour > 12) return 'sure'
  if (minutes === undefined) return 'bare'
  return hour < 10 ? 'loose' : 'likely'
}
