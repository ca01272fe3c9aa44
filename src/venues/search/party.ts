import { numberWords } from './calendar-lexicon.ts'
import { type PartyWords, partyWordsIn } from './party-lexicon.ts'
import { blank } from './patterns.ts'
import { fillers } from './stop-lexicon.ts'
import { editDistance } from './typo-candidates.ts'
import { isWord } from './world-places.ts'

/** How many people come, as far as a text says. */
export type Party = {
  size: number | null
  /** a note on an ambiguous reading */
  assumed: string | null
  /** words about people who are not counted */
  uncounted: string | null
  rest: string
}

/**
 * Reads who comes: "2 adults and a toddler", "me and my wife", "family of five (two adults, three
 * kids)". People mentioned together are added up; the largest of several parties counts. A number
 * on its own, as in "for 4", may be a time or a price: it is read with `only`, after those.
 */
export function readParty(whole: string, only?: 'bare'): Party {
  const { text, all, isAway } = comingIn(whole, only)
  const companies = companiesOf(all, text).filter((one) => only || !isBare(one))
  const counts = companies.map((words) => ({ words, ...countOf(words, text, isAway) }))
  const [best] = counts
    .filter(({ size }) => size > 0)
    .sort((one, other) => Number(isWhole(other)) - Number(isWhole(one)) || other.size - one.size)
  const unclear = counts.find(({ isUnclear }) => isUnclear)
  const isClear = best && !best.isUnclear && (isWhole(best) || !unclear)
  const missing = isClear ? undefined : (unclear ?? best)
  const said = (words: readonly PartyWords[]) =>
    text.slice(words[0]?.start, words.at(-1)?.end).trim()
  return {
    size: isClear ? best.size : null,
    assumed:
      isClear && best.isAssumed ? `${said(best.words)} is read as ${best.size} guests.` : null,
    uncounted: missing ? said(missing.words) : null,
    rest: without(text, isClear ? best.words : (missing?.words ?? [])),
  }
}

/** The words about people and, if the guest does not come, the text without the words for that. */
function comingIn(whole: string, only?: 'bare') {
  const words = partyWordsIn(whole, only)
  const away = words.filter(({ kind }) => kind === 'away')
  return {
    text: away.reduce((text, { start, end }) => blank(text, start, end), whole),
    all: words.filter((one) => !away.includes(one)),
    isAway: away.length > 0,
  }
}

/** "Couples massage" also names the thing wanted, so it stays in the text. */
const couples = /\bcouples\b|\bcouple (?:massage|spa|treatment)|\bpijat pasangan\b/

/** The party with a number that stands alone in what is left of the text, as in "for 4". */
export function withBare(party: Party, rest: string): Party {
  if (party.size !== null) return { ...party, rest }
  const bare = readParty(rest, 'bare')
  if (bare.size !== null) return bare
  return { ...party, size: couples.test(rest) && !/\bx couples/.test(rest) ? 2 : null, rest }
}

/** A number, perhaps of people, that nothing has explained: one of the unknown words. */
export function numberLeft(text: string, unknown: readonly string[]) {
  const misspelt = [...text.matchAll(besidePeople)].find(([, after, before]) =>
    isMisspeltNumber(after ?? before ?? '', unknown),
  )
  if (misspelt) {
    const { index, 0: said } = misspelt
    return { said: said.trim(), rest: blank(text, index, index + said.length) }
  }
  const [left] = partyWordsIn(text, 'left')
  const [number = ''] = left?.text.split(' ') ?? []
  if (!left || !(unknown.includes(number) || fillers.has(number))) return null
  const rest = blank(text, left.start, left.end)
  return rest.trim() ? { said: left.text.trim(), rest } : null
}

const besidePeople = new RegExp(
  '\\b(?:for|untuk|buat)\\s+(\\p{L}{3,8})\\b|' +
    '\\b(\\p{L}{3,8})(?=\\s+(?:people|persons?|pax|guests?|orang)\\b)',
  'gu',
)

/** "Foru people", "for sevn": no word of either language, but nearly one for a number. */
const isMisspeltNumber = (word: string, unknown: readonly string[]): boolean =>
  unknown.includes(word) &&
  !isWord(word) &&
  Object.keys(numberWords).some(
    (number) => number.length >= 3 && editDistance(word, number, 1) !== undefined,
  )

/** Words that follow each other, apart from those that connect them. */
function companiesOf(all: readonly PartyWords[], text: string): PartyWords[][] {
  const companies: PartyWords[][] = []
  for (const words of all) {
    const last = companies.at(-1)
    const before = last?.at(-1)
    const gap = before ? text.slice(before.end, words.start) : '|'
    // "Give me 2 seats" is not about three.
    const isApart = before?.kind === 'me' && !/\S/.test(gap) && !opening.test(words.text)
    if (last && connection.test(gap) && !isApart) last.push(words)
    else companies.push([words])
  }
  return companies
}

const opening = /^(?:and|plus|tambah|dan|n|with|dengan|sama|bersama|[&+])/
/** "4 people from Jakarta and 2 from here": where somebody comes from. */
const origin = /\b(?:from|dari|dr) \p{L}+/u
const connection = new RegExp(
  `^(?:[\\s,(&+:.-]|${origin.source}|` +
    '\\b(?:and|plus|tambah|dan|n|with|w|dengan|sama|sm|bersama|including|incl|includes|' +
    'termasuk|also|juga|for|my|our|the|of them|yaitu)\\b)*$',
  'u',
)

const isTotal = ({ kind }: PartyWords) => kind === 'total' || kind === 'sum' || kind === 'bare'
const isBare = (words: readonly PartyWords[]) => words.every(({ kind }) => kind === 'bare')
const isWhole = ({ words }: { words: readonly PartyWords[] }) => words.some(isTotal)

type Count = { size: number; isUnclear?: boolean; isAssumed?: boolean }

/** How many people some words mean; 0 if they are about nobody. */
function countOf(words: readonly PartyWords[], text: string, isAway: boolean): Count {
  const counted = withAges(words)
  const total = counted.find(isTotal)
  const parts = counted.filter((one) => one !== total)
  return total ? countWith(total, parts, text) : countParts(parts, text, isAway)
}

/** "Kids aged 4 and 7" are two; the ages of counted children mean nobody else. */
function withAges(words: readonly PartyWords[]): PartyWords[] {
  return words.flatMap((one, index): PartyWords[] => {
    const next = words[index + 1]
    if (one.kind === 'ages') return []
    const isCounted = one.kind === 'some' && next?.kind === 'ages'
    return [isCounted ? { ...one, kind: 'child', size: next.size } : one]
  })
}

const sum = (words: readonly PartyWords[]) =>
  words.reduce((all, { kind, size }) => all + (kind === 'some' ? 0 : size), 0)
const isSome = ({ kind }: PartyWords) => kind === 'some'
const aboutChildren = /\b(?:kids|children|anak|bab(?:y|ies))\b/
const isChild = ({ kind }: PartyWords) => kind === 'child'

/** A total together with people who may be part of it. */
function countWith(total: PartyWords, parts: readonly PartyWords[], text: string): Count {
  const [first] = parts
  const size = sum(parts)
  const isAssumed = total.isRange
  if (!first) return { size: total.size, isAssumed }
  const between = text.slice(Math.min(total.end, first.end), Math.max(total.start, first.end))
  const link = between.replace(origin, '')
  if (/\(|:|\b(?:incl|termasuk)/.test(link)) return { size: Math.max(total.size, size) }
  if (/^[\s,]*(?:(?:and|plus|tambah|dan)\b|[&+])/.test(link)) {
    return { size: total.size + size, isUnclear: parts.some(isSome), isAssumed }
  }
  if (size === total.size) return { size, isAssumed }
  const children = sum(parts.filter(isChild))
  if (children === 0) return { size: Math.max(total.size, size), isAssumed }
  // "4 people with 2 kids" are four, but "2 with a toddler" are three, with two adults.
  const isWithin = /^\s*(?:with|dengan|sama)\b/.test(link) && total.size - children >= 2
  return { size: isWithin ? total.size : total.size + children, isAssumed: true }
}

/** Whether whoever speaks comes, too. */
const isOwn = ({ kind, text }: PartyWords) =>
  kind === 'relative' ||
  (kind === 'friend' && /^(?:with|my|dengan|sama|sm|bersama|bareng)\b/.test(text)) ||
  (kind === 'child' && /^with my\b/.test(text))

/** People who are mentioned without a total: whoever says "with my wife" comes, too. */
function countParts(parts: readonly PartyWords[], text: string, isAway: boolean): Count {
  const size = sum(parts)
  if (parts.some(isSome)) return { size, isUnclear: true }
  if (parts.every(({ kind }) => kind === 'me')) return { size: 0 }
  const [only, second] = parts
  const isOnlyChildren = parts.every(isChild) && !parts.some(isOwn)
  if (isOnlyChildren || (!second && /^(?:with .* couple$|plus|\+)/.test(only?.text ?? '')))
    return { size, isUnclear: true }
  const isMeSaid = parts.some(({ kind }) => ['me', 'adult', 'couple'].includes(kind))
  const isPair = size === 2 && couples.test(text)
  if (isMeSaid || isAway || isPair || !parts.some(isOwn)) return { size }
  if (second) return { size: size + 1, isAssumed: true }
  const isWith = /^(?:with|dengan|sama|sm|bersama|bareng|brg)\b/.test(only?.text ?? '')
  if (isWith) return { size: size + 1 }
  return /^(?:for|my|our|untuk|buat)\b/.test(only?.text ?? '')
    ? { size, isUnclear: true }
    : { size: 0 }
}

/** The text without these words and what connects them; children and diets stay, as facts. */
function without(text: string, words: readonly PartyWords[]): string {
  const [start, end] = [words[0]?.start ?? 0, words.at(-1)?.end ?? 0]
  const children = words.some((one) => isChild(one) || aboutChildren.test(one.text)) ? 'kids' : ''
  const facts = [children, ...(text.slice(start, end).match(/\b(?:vegans|vegetarians)\b/g) ?? [])]
  return end > 0 ? `${text.slice(0, start)} ${facts.join(' ')} ${text.slice(end)}` : text
}
