import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const EXPORTED = /^export (?:type|interface) (\w+)/gm

/** Reports names under which two files of `src` export different types, one per line. */
export const ambiguousTypes = (): string =>
  sharedNames(
    globSync('src/**/*.ts', { cwd: root })
      .toSorted()
      .map((file) => ({ file, text: readFileSync(resolve(root, file), 'utf8') })),
  ).join('\n')

/** The names of types that more than one file declares and exports. */
export function sharedNames(sources: readonly { file: string; text: string }[]): string[] {
  const types = sources.flatMap(({ file, text }) =>
    [...text.matchAll(EXPORTED)].map(([, name]) => ({ name, file })),
  )
  return [...Map.groupBy(types, ({ name }) => name)].flatMap(([name, them]) =>
    them.length > 1 ? [`${them.map(({ file }) => file).join(', ')}: each exports ${name}`] : [],
  )
}
