import { plainWords } from '../../base/plain-text.ts'
import type { Lexicon } from './lexicon.ts'
import { negations } from './stop-lexicon.ts'

const titles =
  '(?:(?:therapist|teacher|instructor|coach|trainer|terapis|guru|pelatih|ibu|bu|pak|bli|mbak|mas|' +
  'ms|mr)\\s+)?'
const not = `(?:${negations.join('|')})`
const withWord = '(?:with|by|dengan|bersama|sama|oleh)'
const withPerson = new RegExp(
  `(?<!\\b${not}\\s+)\\b${withWord}\\s+${titles}(\\p{L}{2,}(?:\\s+\\p{L}{2,})?)`,
  'gu',
)

/** Words that may be the name of a person whom the guest wishes for. */
export const peopleIn = (text: string): string[][] =>
  [...text.matchAll(withPerson)].map(([, words = '']) => plainWords(words))

const introduced =
  /(?:\b(?:for|with|by|named|called|me and|untuk|dengan|bersama|nama)|&)\s+(\p{Lu}\p{Ll}+)/gu
const apart = /\b(\p{Lu}\p{Ll}+)(?=(?:\s+(?:and|&|dan)\s+(?:I|me|my|saya|aku)\b|['’]s\b))/gu

/** Capitalised words of a query that are names of people where they stand: they are no typos. */
export const namesOfPeople = (query: string): string[] =>
  [introduced, apart].flatMap((pattern) =>
    [...query.matchAll(pattern)].flatMap(([, name = '']) => plainWords(name)),
  )

const anyoneBut =
  '(?:anyone|anybody|someone|any (?:therapist|teacher|instructor|coach|trainer)|' +
  'siapa (?:saja|pun)) ' +
  '(?:but|except|other than|not|selain|kecuali|bukan)'
const withoutPerson = new RegExp(
  `\\b(?:(?:${withWord} )?${anyoneBut}|(?:but )?${not}\\s+${withWord})\\s+${titles}(\\p{L}{2,})`,
  'gu',
)

/** Reads "not with Made" as a note: a booking can wish for people, but not avoid them. */
export function readUnwished(text: string, { words }: Lexicon): { notes: string[]; rest: string } {
  const notes: string[] = []
  const rest = text.replace(withoutPerson, (said, name: string) => {
    if (words.has(name)) return said
    notes.push(`not with ${name.replace(/^./, (letter) => letter.toUpperCase())}`)
    return ' '
  })
  return { notes, rest }
}
