import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The rows of a file in `data/`, whose first line names the columns. */
export const readTable = <R>(name: string, rowOf: (columns: string[]) => R): readonly R[] =>
  readFileSync(resolve(import.meta.dirname, 'data', name), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => rowOf(line.split('\t')))

/** Reads one list from a file with the columns list, words and meaning: each word's meaning. */
export function listsOf<L extends string>(name: string) {
  const entries = readTable(name, ([list = '', words = '', meaning = '']) => ({
    list,
    words,
    meaning,
  }))
  return <T>(list: L, read: (meaning: string) => T): Readonly<Record<string, T>> => {
    const ofList = entries.filter((entry) => entry.list === list)
    return Object.fromEntries(ofList.map(({ words, meaning }) => [words, read(meaning)]))
  }
}
