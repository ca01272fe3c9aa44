import { z } from 'zod'
import { decidedStatuses } from '../model/venue-statements.ts'
import type { BookingStateStatement } from '../schema/venue-statements.ts'
import { type Db, execute, queryRows } from './sql.ts'

/** More than an honest venue ever says of one booking. */
const MOST_STATEMENTS = 200

/**
 * Writes a yes or no down under its webhook-id; what is undecided leaves no trace, and neither do the venue's own words, which
 * may name a guest. False when there was nothing new to write, or when the venue has said more than enough.
 */
export async function insertStatement(
  db: Db,
  message: { id: string; receivedAt: Date },
  statement: BookingStateStatement,
): Promise<boolean> {
  if (statement.status === 'pending' || statement.status === 'unknown') return false
  const inserted = await execute(
    db,
    `insert into venue_statement (booking_id, id, revision, status, answered_at, received_at)
     select $1, $2, $3, $4, $5, $6
     where (select count(*) from venue_statement where booking_id = $1) < $7::integer
     on conflict do nothing`,
    [
      statement.booking_id,
      message.id,
      statement.revision,
      statement.status,
      statement.answered_at,
      message.receivedAt,
      MOST_STATEMENTS,
    ],
  )
  return inserted === 1
}

const statementRow = z
  .object({
    id: z.string(),
    revision: z.int(),
    status: z.enum(decidedStatuses),
    answered_at: z.date(),
    received_at: z.date(),
  })
  .transform(({ answered_at, received_at, ...row }) => ({
    ...row,
    answeredAt: answered_at,
    receivedAt: received_at,
  }))
/** A statement that nobody has acted upon yet. */
export type OpenStatement = z.infer<typeof statementRow>

/**
 * What the venue said that has not been weighed, the latest by its own clock first: that one prevails. It was received when the
 * first like it was: a yes in time that is said again later is still in time.
 */
export const selectOpenStatements = (db: Db, bookingId: string): Promise<OpenStatement[]> =>
  queryRows(
    db,
    statementRow,
    `select id, revision, status, answered_at, received_at from (
       select id, revision, status, answered_at, effect,
         min(received_at) over (partition by revision, status) as received_at
       from venue_statement where booking_id = $1) s
     where effect is null order by answered_at desc, received_at, id`,
    [bookingId],
  )

/** Notes what a statement led to. */
export async function updateStatementEffect(
  tx: Db,
  bookingId: string,
  id: string,
  effect: string,
): Promise<void> {
  await execute(tx, 'update venue_statement set effect = $3 where booking_id = $1 and id = $2', [
    bookingId,
    id,
    effect,
  ])
}
