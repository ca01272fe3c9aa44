import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** Reports migrations' constraints that would lock everyone out during a scan, one per line. */
export const lockingMigrations = (): string =>
  globSync('src/platform/database/migrations/*.sql', { cwd: root })
    .toSorted()
    .flatMap((file) =>
      lockingConstraints(readFileSync(resolve(root, file), 'utf8')).map((one) => `${file}: ${one}`),
    )
    .join('\n')

const CREATED = /\bcreate table (?:if not exists )?(\w+)/g
const ALTERED = /^alter table (?:only )?(?:if exists )?(\w+)/
const ADDED = /\badd constraint (\w+)\s+(?:check|foreign key)\b(?:(?!\badd\b|\bvalidate\b).)*/g
const VALIDATED = /\bvalidate constraint (\w+)/g

/**
 * The constraints that a migration checks on existing rows under a table lock. Such a constraint
 * belongs in two migrations, as a migration is a transaction and keeps its locks until it ends.
 */
export function lockingConstraints(migration: string): string[] {
  const text = migration.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').toLowerCase()
  const created = new Set([...text.matchAll(CREATED)].map(([, table]) => table))
  const added = text
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => {
      const [, table] = ALTERED.exec(statement) ?? []
      return table && !created.has(table)
    })
    .flatMap((statement) => [...statement.matchAll(ADDED)])
  const validated = new Set([...text.matchAll(VALIDATED)].map(([, name]) => name))
  return added.flatMap(([clause, name]) => {
    if (!clause.includes('not valid')) return [`add ${name} \`not valid\`, and validate it later`]
    return validated.has(name) ? [`validate ${name} in the next migration`] : []
  })
}
