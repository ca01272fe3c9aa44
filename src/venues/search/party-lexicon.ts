import { months, numberWords } from './calendar-lexicon.ts'
import { notMinus } from './patterns.ts'
import { listsOf } from './read-table.ts'

type Numbers = 'number' | 'tens' | 'together' | 'relative'
type Nouns = 'person' | 'adult' | 'friend' | 'child' | 'one child' | 'some' | 'group'
const readList = listsOf<Numbers | Nouns>('party.tsv')
const anyOf = (words: object) => `(?:${Object.keys(words).join('|')})`
const nouns = (list: Nouns) => anyOf(readList(list, String))

const numbers = readList('number', Number)
const tens = readList('tens', Number)
/** Indonesian words for a number of people together: "berdua" means two of us. */
export const together = readList('together', Number)
const relatives = readList('relative', Number)

const person = nouns('person')
const [adult, friend, child] = [nouns('adult'), nouns('friend'), nouns('child')]
const unit = anyOf(numberWords)
const amount =
  `\\d{1,4}|${anyOf(numbers)}|${unit} (?:belas|puluh(?: ${unit})?)|` +
  `${anyOf(tens)}(?:[ -]${unit})?|${unit}`
const upTo = '(?:[-–/]|\\s+(?:to|or|sampai|hingga|atau)\\s+)'
const count =
  `(?<![\\d.:/])${notMinus}\\b(?<least>${amount})` +
  `(?:(?:\\s*-\\s*|${upTo})(?<most>${amount}))?(?:\\s?(?:\\+|-?ish|an))?(?![a-z\\d])`
const notGuests =
  '(?:[/:.]|a\\.?m\\b|p\\.?m\\b|st\\b|nd\\b|rd\\b|th\\b|(?:hour|hr|minute|min|day|night|week|' +
  'month|year|yr|course)s?\\b|jam\\b|menit|hari|malam|minggu|bulan|tahun|o.?clock|' +
  `${anyOf(months)}\\b)`
const otherwise = `(?!(?:\\s*|${upTo}(?:${amount})[\\s-]*)${notGuests})`
const lead =
  '(?:\\b(?:for|untuk|buat)\\s+)?' +
  '(?:\\b(?:just|only|about|around|roughly|maybe|at least|up to|(?:no|not) more than|sekitar|hanya|cuma)\\s+)?' +
  '(?:\\b(?:the|all|us|kami|kita)\\s+)*'
const withWord = '(?:with|dengan|sama|bersama|bareng)'
const whose = '(?:my|our|a|an|the|his|her|seorang)'
const old = '\\d{1,2}[\\s-]*(?:(?:years?|yrs?|months?)[\\s-]*olds?|y\\/?o)\\b'
const ofAge = '(?:anak|balita|bayi)(?: umur| usia)? \\d{1,2} (?:tahun|thn|bulan)\\b'
const notKids =
  '(?! (?:menu|area|corner|club|room|zone|play|pool|birthday|party|friendly|chair|seat|stroller|' +
  'meal|food|shower|massage|class|yoga)s?\\b)'
const ages = '\\d{1,2}(?:\\s*(?:,|&|-|\\/|\\b(?:and|dan|to)\\b)+\\s*\\d{1,2})*'

/**
 * What words say about a party. `total`: all of it; `bare`: the same, if others are mentioned with
 * it; `friend` and `relative`: people of the guest; `some`: people who are not counted.
 */
export type PartyWords = {
  kind: keyof typeof sources
  size: number
  text: string
  start: number
  end: number
  isRange: boolean
}

/** Of overlapping matches, that of the earlier kind counts, and of the earlier pattern in it. */
const sources = {
  ages: [
    `\\b(?:age[ds]?|umur|usia|berumur|berusia) ${ages}(?: (?:years?(?: old)?|tahun))?`,
    `(?<=\\(\\s*)${ages}(?=\\s*\\))`,
  ],
  child: [
    `${lead}(?:${count}\\s+|\\b${whose}\\s+)?\\b(?:${old}(?! (?:whisk|rum|wine|single|malt))` +
      `(?: ${child}\\b)?|${ofAge})`,
    `${lead}${count}[\\s-]+(?:(?:small|young|little) )?${child}\\b${notKids}`,
    `${lead}\\b${whose} (?:(?:small|young|little) )?${nouns('one child')}\\b${notKids}`,
  ],
  couple: [
    `${lead}${count} couples\\b`,
    '\\b(?:(?:for|as|with) )?(?:a|the|one|another) couple\\b(?! of| massage| spa| treatment)',
    '\\bcouple(?= (?:plus|and|with)\\b|\\s*\\+)|\\b(?:untuk )?sepasang\\b',
  ],
  adult: [
    `${lead}(?:${count}[\\s-]+${adult}|\\ban adult)\\b`,
    `(?:\\bplus|\\+)\\s*(?:one|1|a guest|satu)\\b(?!\\s*${notGuests})`,
  ],
  friend: [`(?:\\b${withWord} |${lead})(?:\\bmy )?${count} (?:(?:other|best|close) )?${friend}\\b`],
  total: [
    '\\b(?:party|group|family|rombongan|keluarga)(?: size)?(?: of| for| untuk| buat| isi|:)? ' +
      `${count}${otherwise}(?:[\\s-]*${person}\\b| of us\\b)?`,
    `\\bus ${count}(?= (?:in|at|on|for|tomorrow|tonight)\\b|$)`,
    `\\b(?:we are|were|we will be|well be|there (?:are|will be)) ${count}${otherwise}` +
      `(?: of us\\b| ${person}\\b)?`,
    `${lead}\\b${anyOf(together)}(?: orang)?\\b`,
    `${lead}${count}(?: of (?:us|them)|[\\s-]*${person})\\b`,
    '\\b(?:(?:just|only) (?:for )?me|for (?:me only|myself|one)|by myself|on my own|solo|' +
      'sendiri|sendirian)\\b',
  ],
  relative: [
    `(?:${lead}\\b(?:(?:my|our|the) )?|\\b${withWord} (?:${whose} )?|\\b${whose} )` +
      `\\b${anyOf(relatives)}(?:ku)?\\b(?: saya| aku| kami)?(?! (?:night|massage|spa)\\b)`,
  ],
  some: [
    `(?:\\bfor )?\\bminus (?:${amount})[\\s-]*${person}\\b`,
    `\\b${nouns('group')}\\b(?!:)`,
    `(?:\\b(?:${withWord}|my|our|dan|and|plus|&|bawa) )(?:(?:my|our|the) )?${nouns('some')}\\b${notKids}`,
  ],
  me: ['\\b(?:me|i|saya|aku|gue|gw|kami)\\b'],
  bare: [`\\b(?:for|untuk|buat)\\s+${count}${otherwise}`],
}

const patterns = Object.entries(sources).flatMap(([kind, all]) =>
  all.map((one) => [kind as PartyWords['kind'], new RegExp(one, 'g')] as const),
)

/** Everything in a plain text that says who comes, or only totals, in the order of the text. */
export function partyWordsIn(text: string, only?: 'bare'): PartyWords[] {
  const words: PartyWords[] = []
  for (const [kind, pattern] of patterns) {
    if (only && kind !== only) continue
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length]
      const isTaken = words.some((one) => start < one.end && one.start < end)
      const size = isTaken ? undefined : sizeIn(kind, match)
      if (size === undefined) continue
      const isRange = match.groups?.most !== undefined
      words.push({ kind, size, text: match[0], start, end, isRange })
    }
  }
  return words.sort((one, other) => one.start - other.start)
}

/** The size that a match means, the larger of two; undefined if nobody can book for so many. */
function sizeIn(kind: PartyWords['kind'], { 0: text, groups }: RegExpExecArray) {
  const { least, most = least } = groups ?? {}
  if (least !== undefined) {
    const size = Math.max(numberOf(least), numberOf(most ?? '')) * (kind === 'couple' ? 2 : 1)
    return size >= 1 && size <= (kind === 'bare' ? MAX_BARE : MAX_SIZE) ? size : undefined
  }
  if (kind === 'couple') return 2
  if (kind === 'ages') return text.match(/\d+/g)?.length
  if (kind === 'relative') return sizeBy(relatives, text)
  return sizeBy(together, text) ?? 1
}

/** Without a noun, larger numbers are prices or minutes. */
const MAX_BARE = 100
const MAX_SIZE = 9_999

const sizeBy = (sizes: Readonly<Record<string, number>>, text: string) =>
  Object.entries(sizes).find(([words]) => new RegExp(`\\b(?:${words})`).test(text))?.[1]

function numberOf(text: string): number {
  const known = numberWords[text] ?? tens[text]
  if (known !== undefined) return known
  const [first = '', second = '', third = ''] = text.split(/[ -]/)
  const unitOf = (word: string) => numberWords[word] ?? 0
  if (second === 'belas') return 10 + unitOf(first)
  if (second === 'puluh') return 10 * unitOf(first) + unitOf(third)
  if (tens[first] !== undefined) return tens[first] + unitOf(second)
  const listed = Object.entries(numbers).find(([words]) => new RegExp(`^(?:${words})$`).test(text))
  return listed?.[1] ?? Number(text)
}
