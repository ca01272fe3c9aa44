import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The rows of a file in `data/`, whose first line names the columns. */
export const readTable = <R>(name: string, rowOf: (columns: string[]) => R): readonly R[] =>
  readFileSync(resolve(import.meta.dirname, 'data', name), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => rowOf(line.split('\t')))
