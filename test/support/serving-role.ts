import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openPool } from '../../src/platform/database/sql.ts'
import { loadDemoVenues } from '../../src/venues/demo/load.ts'
import { databaseAt } from './servers.ts'

const script = resolve(import.meta.dirname, '../../deploy/postgres/create-databases.sh')

/** The script's statements for the network's roles and database, under another name. */
function statementsFor(name: string, password: string): string[][] {
  const [, sql = ''] = /<<'SQL'\n([\s\S]*)\nSQL\n/.exec(readFileSync(script, 'utf8')) ?? []
  return sql.split('\\connect venue_network\n').map((part) =>
    part
      .split(/;\n?/)
      .filter((statement) => statement.includes('venue_network'))
      .map((statement) =>
        statement
          .replaceAll('venue_network', name)
          .replaceAll(/:'(owner|network)_password'/g, pg.escapeLiteral(password)),
      ),
  )
}

/**
 * A database with demo venues and the two roles from the compose file: one migrated it, the other
 * serves and is in `url`.
 */
export async function createServedDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const password = randomUUID()
  const adminUrl = inject('databaseUrl')
  const run = async (url: string, statements: string[]) => {
    const db = openPool(url, 1, () => {})
    try {
      for (const statement of statements) await db.query(statement)
    } finally {
      await db.end()
    }
  }
  const urlOf = (role: string) => {
    const url = new URL(databaseAt(adminUrl, name))
    url.username = role
    url.password = password
    return url.href
  }
  const [before = [], inside = []] = statementsFor(name, password)
  await run(adminUrl, before)
  await run(databaseAt(adminUrl, name), inside)
  await migrate(urlOf(`${name}_owner`))
  const url = urlOf(name)
  const db = openPool(url, 1, () => {})
  await loadDemoVenues(db, new Date())
  await db.end()
  return {
    url,
    drop: () =>
      run(adminUrl, [
        `drop database ${name} with (force)`,
        `drop role ${name}`,
        `drop role ${name}_owner`,
      ]),
  }
}
