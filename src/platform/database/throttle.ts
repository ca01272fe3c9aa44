import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Db, execute, queryRow } from './sql.ts'

const triesRow = z.object({ tries: z.int(), ends_at: z.date() })

/**
 * Counts one attempt of `subject`; returns the attempts in its window, which the first one opened.
 */
export async function countAttempt(
  db: Db,
  subject: string,
  windowSeconds: number,
  at: Date,
): Promise<z.infer<typeof triesRow>> {
  return queryRow(
    db,
    triesRow,
    `insert into try_window as w (subject, tries, ends_at)
     values ($1, 1, $2::timestamptz + $3 * interval '1 second')
     on conflict (subject) do update set
       tries = case when w.ends_at <= $2 then 1 else w.tries + 1 end,
       ends_at = case when w.ends_at <= $2 then excluded.ends_at else w.ends_at end
     returning tries, ends_at`,
    [hashOf(subject), at, windowSeconds],
  )
}

/** Resets the count of `subject`. */
export async function clearThrottle(db: Db, subject: string): Promise<void> {
  await execute(db, 'delete from try_window where subject = $1', [hashOf(subject)])
}

const hashOf = (subject: string): Buffer => createHash('sha256').update(subject).digest()
