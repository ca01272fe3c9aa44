import { EXAMPLE, type HoursRule, rulesOf } from './hours-parser.ts'
import { tokensOf } from './hours-tokens.ts'

type Rules = { rules: HoursRule[]; notes: string[]; isGuess: boolean } | { problem: string }

const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|' +
  'sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])'
const date = `(?:20\\d\\d ?)?(?:${month} ?\\d\\d?|\\d\\d? ?${month})(?![\\d:])`
const dates = `(?:${date}|easter(?: [+-]\\d+ days?)?)(?: ?- ?(?:${date}|\\d\\d?(?![\\d:])))?`
const clock = '\\d\\d?(?:[:.]\\d\\d)?'
const times = `${clock} ?- ?${clock}(?: ?, ?${clock} ?- ?${clock})*`
/** A rule for single dates, such as `Dec 24,25 off`. */
const dated = new RegExp(
  `(^|[;,] ?| )${dates}(?: ?, ?(?:${dates}|\\d\\d?(?![\\d:])))* ?:? ?` +
    `(?:off|closed|${times})(?= ?(?:[;,]|$))`,
  'g',
)

/** A rule for holidays alone, whatever its hours. */
const onHolidays = /(^|;) ?[ps]h(?: ?, ?[ps]h)*:? [^;,]*(?=;|$)/g

const OPEN_END = 'has an open end or an unknown time; give both times'
const UNSTABLE = 'is not the same every week; use the hours of an ordinary week'
/** Expressions that cannot be imported, with the reason; the most helpful reason comes first. */
const reasons: readonly [RegExp, string][] = [
  [/\b(?:sunrise|sunset|dawn|dusk)\b/, 'follows the sun; use clock times'],
  [/^[[{]/, `is JSON; write them as in ${EXAMPLE}`],
  [/\d ?\+|\|\||["“”]|\bunknown\b|\bby appointment\b|\blate\b|- ?clos(?:e|ing)\b/, OPEN_END],
  [/\[|\bweek ?\d|\beaster\b|^20\d\d\b(?!\s*-\s*\d{4}$)/, UNSTABLE],
  [new RegExp(`(?<![a-z])${month}`), UNSTABLE],
  [/\(/, 'has a remark in brackets; leave it out'],
]

/** Reads a text of opening hours as rules, most of them by weekday. */
export function readRules(text: string): Rules {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‐-―−~〜]/g, '-')
    .replace(/[^\S\n]+/g, ' ')
    .trim()
    .replace(/\b(off|closed|open) ?"[^"]*"/g, '$1')
    .replace(/\b([ps]h) [+-]\d+ days?/g, '$1')
  const ordinary = plain.replace(onHolidays, '$1')
  const weekly = ordinary.replace(dated, (rule, before) => (isSeason(rule) ? rule : before))
  const reason = reasons.find(([pattern]) => pattern.test(weekly))
  if (reason) return { problem: reason[1] }
  const split = tokensOf(weekly)
  if ('unknown' in split) return { problem: notUnderstood(split.unknown) }
  const read = rulesOf(split.tokens)
  if ('problem' in read) return read
  const notes = [
    ...(read.hasHolidays || ordinary !== plain ? ['public and school holidays are ignored'] : []),
    ...(weekly === ordinary
      ? []
      : ['single dates are ignored; `npm run venues -- close` closes them']),
  ]
  if (read.rules.length === 0) return { problem: 'says nothing about ordinary days' }
  return { rules: read.rules, notes, isGuess: split.isGuess || read.isGuess }
}

const monthNumbers = 'janfebmaraprmayjunjulaugsepoctnovdec'
/** Whether dates span more than about a month, which makes them a season and not an exception. */
function isSeason(rule: string): boolean {
  return [...rule.matchAll(new RegExp(`(${date}) ?- ?(${date})`, 'g'))].some(([, from, to]) => {
    const [one, other] = [from, to].map((text = '') => {
      const name = new RegExp(month).exec(text)?.[0].slice(0, 3) ?? 'jan'
      const day = /(?<!\d)\d\d?(?!\d)/.exec(text)?.[0] ?? 1
      return (monthNumbers.indexOf(name) / 3) * 30 + Number(day)
    })
    return ((other ?? 0) - (one ?? 0) + 360) % 360 > 31
  })
}

const notUnderstood = (part: string) =>
  `has "${part.slice(0, 40)}", which cannot be read; write them as in ${EXAMPLE}`
