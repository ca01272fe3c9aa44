import { z } from 'zod'
import type { Log } from '../telemetry/log.ts'
import { type Pool, queryRow } from './sql.ts'
import { isDatabaseUnavailable, isTransient } from './unavailable.ts'

/** Where to send reads that need not see the newest commits. */
export type Replica = {
  /** Runs a read on the replica, or on the primary if the replica fails or lags. */
  read<T>(work: (db: Pool) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * Uses a replica only if it has applied what the primary had written one check ago, so that data
 * read is at most two checks old.
 */
const CHECK_MS = 5_000

const primaryRow = z.object({ lsn: z.string() })
const replicaRow = z.object({ is_replica: z.boolean(), is_current: z.boolean() })

/**
 * Reads from a streaming replica while it keeps up. Each switch between replica and primary is
 * logged in one line. `close` ends the replica's pool, not the primary's.
 */
export function openReplica(primary: Pool, replica: Pool, log: Log, checkMs = CHECK_MS): Replica {
  let isUsed = false
  let earlier: string | undefined
  const use = (isUsable: boolean, why?: object) => {
    if (isUsable === isUsed) return
    isUsed = isUsable
    if (isUsable) log.info('searches and lists read the replica')
    else log.warn(why ?? {}, 'searches and lists read the primary')
  }

  const check = async () => {
    try {
      const { lsn } = await queryRow(primary, primaryRow)`select pg_current_wal_lsn()::text as lsn`
      const { is_replica, is_current } = await queryRow(replica, replicaRow)`
        select pg_is_in_recovery() as is_replica,
          coalesce(pg_last_wal_replay_lsn() >= ${earlier ?? lsn}::pg_lsn, false) as is_current`
      earlier = lsn
      use(is_current, { reason: is_replica ? 'the replica lags' : 'it is not a replica' })
    } catch (error) {
      use(false, { err: error })
    }
  }
  let checking = check()
  const timer = setInterval(() => {
    checking = checking.then(check)
  }, checkMs)
  timer.unref()

  return {
    async read(work) {
      if (!isUsed) return work(primary)
      try {
        return await work(replica)
      } catch (error) {
        // Applying a change may cancel a statement that still needs the old row.
        if (!isTransient(error)) throw error
        if (isDatabaseUnavailable(error)) use(false, { err: error })
        return work(primary)
      }
    },
    async close() {
      clearInterval(timer)
      await checking
      await replica.end()
    },
  }
}
