import { months, numberWords } from './calendar-lexicon.ts'
import { withPieces } from './phrase.ts'
import { listsOf, readTable } from './read-table.ts'

const readList = listsOf('party.tsv')
const numbers = readList('number', Number)
const tens = readList('tens', Number)
/** Indonesian words for a number of people together: "berdua" means two of us. */
export const together = readList('together', Number)
const relatives = readList('relative', Number)

const pieces = readList('piece', String)
const anyOf = (words: object) => `(?:${Object.keys(words).join('|')})`
const listed = (list: string) => anyOf(readList(list, String))
const pieceOf = (name: string): string => {
  if (name === 'unit') return anyOf(numberWords)
  return name === 'month' ? anyOf(months) : (pieces[name] ?? listed(name))
}

/** A pattern of `data/party.tsv`, in which `<name>` stands for a piece or a list of words. */
const inFull = (pattern: string): string => withPieces(pattern, pieceOf)

/**
 * What words say about a party. `total`: all of it; `sum`: the same, as "2+1"; `bare`: the same, if
 * others are mentioned with it; `friend` and `relative`: people of the guest; `some`: people who
 * are not counted; `aside`: some of the party, as in "one of us is vegan"; `away`: the guest does
 * not come; `left`: a number that nothing else explains.
 */
type Kind =
  | ('total' | 'sum' | 'bare' | 'couple' | 'adult' | 'child' | 'friend' | 'relative' | 'me')
  | ('some' | 'ages' | 'aside' | 'away' | 'left')
export type PartyWords = {
  kind: Kind
  size: number
  text: string
  start: number
  end: number
  isRange: boolean
}

const LEAD = '<lead>'
const lead = new RegExp(`${inFull(LEAD)}$`)

/** Of overlapping matches, that of the earlier pattern counts. `isLed`: with the words before. */
const patterns = readTable('party.tsv', ([list, pattern = '', kind]) => {
  const [isLed, isCount] = [pattern.startsWith(LEAD), pattern.includes('<count>')]
  const words = new RegExp(inFull(pattern.replace(LEAD, '')), 'g')
  return list === 'pattern' ? [{ kind: kind as Kind, words, isLed, isCount }] : []
}).flat()
const number = new RegExp(`\\d|\\b(?:${inFull('<amount>')})\\b`)

/** Everything in a plain text that says who comes, or only one kind, in the order of the text. */
export function partyWordsIn(text: string, only?: 'bare' | 'left'): PartyWords[] {
  const hasNumber = number.test(text)
  const found: PartyWords[] = []
  for (const { kind, words, isLed, isCount } of patterns) {
    if ((only ? kind !== only : kind === 'left') || (isCount && !hasNumber)) continue
    // `matchAll` copies the pattern, which takes longer than a search that finds nothing.
    if (text.search(words) < 0) continue
    const all = [...text.matchAll(words)].flatMap((match) => wordsOf(kind, match, isLed))
    found.push(
      ...all.filter((one) => !found.some(({ start, end }) => start < one.end && one.start < end)),
    )
  }
  return found.filter(({ kind }) => kind !== 'aside').sort((one, other) => one.start - other.start)
}

function wordsOf(kind: Kind, match: RegExpExecArray, isLed: boolean): PartyWords[] {
  const { 0: matched, index, input } = match
  const before = isLed ? (lead.exec(input.slice(0, index))?.[0].length ?? 0) : 0
  const [start, end] = [index - before, index + matched.length]
  const size = sizeIn(kind, match)
  const isRange = kind !== 'sum' && match.groups?.most !== undefined
  return size === undefined
    ? []
    : [{ kind, size, text: input.slice(start, end), start, end, isRange }]
}

/** The size that a match means, the larger of two; undefined if nobody can book for so many. */
function sizeIn(kind: PartyWords['kind'], { 0: text, groups }: RegExpExecArray) {
  const { least, most = least } = groups ?? {}
  if (least !== undefined) {
    const size = totalOf(kind, numberOf(least), numberOf(most ?? ''))
    return size >= 1 && size <= (kind === 'bare' ? MAX_BARE : MAX_SIZE) ? size : undefined
  }
  if (kind === 'couple') return 2
  if (kind === 'ages') return text.match(/\d+/g)?.length
  return sizeBy(kind === 'relative' ? relatives : together, text) ?? 1
}

/** A range means its larger number. */
const totalOf = (kind: Kind, one: number, other: number) =>
  kind === 'sum' ? one + other : Math.max(one, other) * (kind === 'couple' ? 2 : 1)

/** Without a noun, larger numbers are prices or minutes. */
const MAX_BARE = 100
const MAX_SIZE = 9_999

const sizeBy = (sizes: Readonly<Record<string, number>>, text: string) =>
  Object.entries(sizes).find(([words]) => new RegExp(`\\b(?:${words})`).test(text))?.[1]

const hundreds = new RegExp(`\\b${inFull('(?:<hundreds>)')}\\b`, 'g')
const inHundreds = /^(?:a |(?<many>.+?) )?(?:hundred|seratus|ratus)(?: and)?(?: (?<rest>.+))?$/

/** "One hundred and twenty" as 120. */
export const withHundreds = (text: string): string =>
  text.replace(hundreds, (said) => {
    const { many = '1', rest = '0' } = inHundreds.exec(said)?.groups ?? {}
    return String(100 * numberOf(many) + numberOf(rest))
  })

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
