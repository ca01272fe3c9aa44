import { readTable } from './read-table.ts'

const rows = readTable('stop-words.tsv', ([list = '', words = '']) => ({ list, words }))

const listOf = (wanted: 'filler' | 'vague' | 'phrase'): readonly string[] =>
  rows.filter(({ list }) => list === wanted).map(({ words }) => words)

/** Words without which a query says the same: nothing is lost, so nobody is told. */
export const fillers: ReadonlySet<string> = new Set(listOf('filler'))

/**
 * Words to ignore, in English and Indonesian. A guest may have meant the vague ones, but search
 * cannot weigh them: they are `dropped`. Words of time are read before (visit.ts).
 */
export const stopWords: readonly string[] = [...fillers, ...listOf('vague')]

/** Phrases without meaning whose words would mean something by themselves. */
export const stopPhrases = listOf('phrase')
