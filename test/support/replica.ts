import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { choosePort } from '../../src/local/ports.ts'
import { accepts, startPostgres } from '../../src/local/postgres.ts'
import { postgresBinaries, postgresUser } from '../../src/local/postgres-programs.ts'
import { runTool } from '../../src/local/programs.ts'
import { startServer } from '../../src/local/server-process.ts'

/** A test's own PostgreSQL server with a streaming replica, both on loopback. */
export async function openReplicated() {
  const folder = mkdtempSync(join(tmpdir(), 'venue-network-replica-'))
  chmodSync(folder, 0o755)
  const primary = await startPostgres(folder, { throwaway: true })
  const client = new pg.Client({ connectionString: primary.url })
  await client.connect()
  const data = join(folder, 'replica')
  await copyRunning(client, data)
  // PostgreSQL opens it for writing.
  const signal = join(data, 'standby.signal')
  writeFileSync(signal, '')
  const url = new URL(primary.url)
  url.port = `${await choosePort()}`
  const { hostname, port, username, password } = new URL(primary.url)
  const user = postgresUser()
  if (user)
    for (const file of [signal, join(data, 'backup_label')]) chownSync(file, user.uid, user.gid)
  const settings = [
    `port=${url.port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    `primary_conninfo=host=${hostname} port=${port} user=${username} password=${password}`,
  ]
  const replica = await startServer({
    name: 'The replica',
    command: join(postgresBinaries(user), 'postgres'),
    args: ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    logFile: join(folder, 'replica.log'),
    user,
    stopSignal: 'SIGINT',
    killSignal: 'SIGQUIT',
    isReady: () => accepts(url.href),
  })
  const onReplica = new pg.Client({ connectionString: url.href })
  onReplica.on('error', () => {})
  await onReplica.connect()
  return {
    url: primary.url,
    replicaUrl: url.href,
    /** Stops or resumes the replay of changes: connections stay, and answers become outdated. */
    pause: () => onReplica.query('select pg_wal_replay_pause()'),
    resume: () => onReplica.query('select pg_wal_replay_resume()'),
    stopReplica: () => replica.stop(),
    async close() {
      await onReplica.end().catch(() => {})
      await client.end()
      await replica.stop()
      await primary.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A base backup by hand: PostgreSQL's npm package comes without `pg_basebackup`. */
async function copyRunning(client: pg.Client, to: string): Promise<void> {
  const { rows } = await client.query('show data_directory')
  await client.query("select pg_backup_start('replica', true)")
  // As root, this keeps the ownership of the server's user. Files come and go meanwhile.
  await runTool('cp', ['-a', rows[0].data_directory, to])
  const stopped = await client.query('select labelfile from pg_backup_stop(false)')
  writeFileSync(join(to, 'backup_label'), stopped.rows[0].labelfile)
  rmSync(join(to, 'postmaster.pid'), { force: true })
}
