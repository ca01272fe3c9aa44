import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** Marks a file that needs the servers of `global-setup.ts`, or starts programs. */
const NEEDS = /\binject\(|from 'node:(child_process|worker_threads)'|\bspawn\(/
const IMPORT = /\b(?:from|import) '(\.[^']+\.ts)'/g

const needy = new Map<string, boolean>()

/** Whether a test file, or a test module it imports, needs servers or programs. */
function isNeedy(file: string): boolean {
  const known = needy.get(file)
  if (known !== undefined) return known
  needy.set(file, false)
  const text = readFileSync(file, 'utf8')
  const imported = [...text.matchAll(IMPORT)].map(([, path = '']) => resolve(dirname(file), path))
  const ours = imported.filter((path) => path.startsWith(`${root}/test/`) && existsSync(path))
  const found = NEEDS.test(text) || ours.some(isNeedy)
  needy.set(file, found)
  return found
}

/** The test files that need no server, so that every change is checked within a minute. */
export const unitFiles = (): string[] =>
  globSync('test/**/*.test.ts', { cwd: root, exclude: ['test/browser/**', '**/*.nightly.test.ts'] })
    .map((file) => resolve(root, file))
    .filter((file) => !isNeedy(file))
    .map((file) => relative(root, file))
    .sort()
