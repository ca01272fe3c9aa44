import { chownSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../../src/local/postgres.ts'
import { postgresUser } from '../../src/local/postgres-programs.ts'
import { signedCertificate } from '../platform/certificates.ts'
import { makeScratchFolder } from './scratch-folder.ts'
import { databaseAt } from './servers.ts'

const guide = resolve(import.meta.dirname, '../../docs/operate/managed-services.md')

/** The statements that the guide gives to operators, block by block. */
const statementsOfGuide = (password: string): string[][] =>
  [...readFileSync(guide, 'utf8').matchAll(/```sql\n([\s\S]*?)```/g)].map(([, block = '']) =>
    block
      .replaceAll("password '…'", `password '${password}'`)
      .split(/;\n/)
      .filter((statement) => statement.trim() !== ''),
  )

/**
 * PostgreSQL as a provider sells it: TLS with a certificate from its own authority, and an
 * administrator without superuser rights who has set up everything in the guide.
 */
export async function openManagedPostgres() {
  const folder = makeScratchFolder('venue-network-managed-')
  const server = await startPostgres(folder, { throwaway: true })
  const files = { key: join(folder, 'server.key'), certificate: join(folder, 'server.pem') }
  const authority = join(folder, 'authority.pem')
  writeFileSync(files.key, signedCertificate.key, { mode: 0o600 })
  writeFileSync(files.certificate, signedCertificate.certificate)
  writeFileSync(authority, signedCertificate.authority)
  const user = postgresUser()
  if (user) chownSync(files.key, user.uid, user.gid)
  const password = 'of-the-guide'
  await runAll(server.url, [
    `alter system set ssl_cert_file = '${files.certificate}'`,
    `alter system set ssl_key_file = '${files.key}'`,
    'alter system set ssl = on',
    'select pg_reload_conf()',
    `create role admin login createdb createrole password '${password}'`,
  ])
  const urlOf = (role: string, database: string) => {
    const url = new URL(databaseAt(server.url, database))
    url.username = role
    url.password = password
    url.searchParams.set('sslmode', 'verify-full')
    url.searchParams.set('sslrootcert', authority)
    return url.href
  }
  const [before = [], inside = []] = statementsOfGuide(password)
  await runAll(urlOf('admin', 'postgres'), before)
  await runAll(urlOf('admin', 'venue_network'), inside)
  return {
    owner: urlOf('venue_network_owner', 'venue_network'),
    serving: urlOf('venue_network', 'venue_network'),
    async close() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function runAll(connectionString: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
