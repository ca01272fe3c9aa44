import { readTable } from './read-table.ts'

const rows = readTable('stop-words.tsv', ([list = '', words = '']) => ({ list, words }))

type List =
  | 'filler'
  | 'vague'
  | 'phrase'
  | 'not'
  | 'between'
  | 'away'
  | 'home'
  | 'here'
  | 'no place'
const listOf = (wanted: List): readonly string[] =>
  rows.filter(({ list }) => list === wanted).map(({ words }) => words)

/** Words that add nothing to a query: they are ignored without a note. */
export const fillers: ReadonlySet<string> = new Set(listOf('filler'))

/** Words before what the guest does not want. */
export const negations: readonly string[] = listOf('not')

/** Words between a negation and what is not wanted. */
export const betweenNot: ReadonlySet<string> = new Set(listOf('between'))

/** Patterns of words for a place near the guest. */
export const nearGuestWords: readonly string[] = listOf('here')

/** Words before a place to be outside of; elsewhere, they mean other things. */
export const awayFrom: ReadonlySet<string> = new Set(listOf('away'))

/** Ordinary words that are also large towns: they are places only after "in". */
export const noPlaces: ReadonlySet<string> = new Set(listOf('no place'))

/** Words for being served at home, which no venue does. */
export const atHome: ReadonlySet<string> = new Set(listOf('home'))

/**
 * Words to ignore, in English and Indonesian. The vague ones may matter to the guest, but search
 * cannot weigh them: they are `dropped`. Words of time have already been read (visit.ts).
 */
export const stopWords: readonly string[] = [...fillers, ...listOf('vague'), ...negations]

/** Meaningless phrases whose words would mean something on their own. */
export const stopPhrases: readonly string[] = [
  ...[...listOf('phrase'), ...atHome],
  ...[...awayFrom].filter((words) => words.includes(' ')),
]
