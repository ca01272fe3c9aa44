import { readFileSync } from 'node:fs'

// node tools/check/test-names.ts BEFORE.json AFTER.json compares two lists of `npx vitest list
// --json=FILE`: removed and added tests.

type Listed = { name: string; file: string }

const [before, after] = process.argv.slice(2).map((path) => {
  const listed: Listed[] = JSON.parse(readFileSync(path, 'utf8'))
  // `test.beforeAll(…)` has no name and is listed by its code.
  return listed.map(({ name }) => name).filter((name) => !name.startsWith('async ('))
})
if (!before || !after) throw new Error('usage: node tools/check/test-names.ts BEFORE AFTER')

/** Names in `all` that `others` lacks, each as often as it is missing. */
function missing(all: readonly string[], others: readonly string[]): string[] {
  const rest = Map.groupBy(others, (name) => name)
  return all.filter((name) => rest.get(name)?.pop() === undefined)
}

console.log(`${before.length} tests before, ${after.length} after`)
for (const name of missing(before, after)) console.log(`- ${name}`)
for (const name of missing(after, before)) console.log(`+ ${name}`)
