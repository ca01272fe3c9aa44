import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Db, execute, queryRow } from './sql.ts'

const triesRow = z.object({ tries: z.int(), ends_at: z.date() })

/** Counts an attempt; returns the attempts in the window that the first one opened. */
export const countAttempt = (db: Db, subject: string, windowSeconds: number, at: Date) =>
  queryRow(db, triesRow)`
    insert into try_window as w (subject, tries, ends_at)
    values (${hashOf(subject)}, 1, ${at}::timestamptz + ${windowSeconds} * interval '1 second')
    on conflict (subject) do update set
      tries = case when w.ends_at <= ${at} then 1 else w.tries + 1 end,
      ends_at = case when w.ends_at <= ${at} then excluded.ends_at else w.ends_at end
    returning tries, ends_at`

export const clearThrottle = (db: Db, subject: string) =>
  execute(db)`delete from try_window where subject = ${hashOf(subject)}`

const hashOf = (subject: string): Buffer => createHash('sha256').update(subject).digest()
