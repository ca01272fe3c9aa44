import { z } from 'zod'
import { boolean, idRow, int, uuid } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { type CommandAnswer, type CommandKind, commandKinds } from '../rules/booking-messages.ts'
import { type GuestDetails, guestRow, isKnown } from './guests.ts'

/**
 * A command as stored before it runs. `guest` is only for the venue, and is stored until the
 * command has run.
 */
export type NewCommand = {
  id: string
  accountId: string
  bookingId: string
  kind: CommandKind
  input: Record<string, unknown>
  idempotencyKey: string | null
  bodyHash: Buffer
  guest: GuestDetails['details'] | null
  door: string
  fromAgent: string | null
  at: Date
}

/**
 * Stores a command and returns its id or, if the venue is already deciding about an equal command,
 * the id of that command; undefined if the idempotency key was used before.
 */
export async function insertCommand(db: Db, command: NewCommand): Promise<string | undefined> {
  const { id, bookingId, idempotencyKey: key, at } = command
  const guest = command.guest && JSON.stringify(command.guest)
  const input = JSON.stringify(command.input)
  const row = await query.optionalRow(db, idRow)`
    with begun as (
      select id from command
      where booking_id = ${bookingId} and kind = ${command.kind} and input = ${input}::jsonb
        and begun_at is not null and answer is null
        and ${isKnown(bookingId, command.guest ?? {})}
      order by begun_at limit 1
    ), used as (
      insert into idempotency_key (account_id, key, operation, subject_id, body_hash, created_at)
      select ${command.accountId}, ${key}::text, 'command',
        coalesce((select id from begun), ${id}::uuid), ${command.bodyHash}, ${at}
      where ${key}::text is not null
      on conflict do nothing
      returning key
    ), written as (
      insert into command (id, booking_id, kind, input, guest, door, from_agent, created_at)
      select ${id}::uuid, ${bookingId}::uuid, ${command.kind}::text, ${input}::jsonb,
        ${guest}::jsonb, ${command.door}::text, ${command.fromAgent}::text, ${at}::timestamptz
      where (${key}::text is null or exists (select from used)) and not exists (select from begun)
      returning id
    )
    select id from written
    union all
    select id from begun where ${key}::text is null or exists (select from used)`
  return row?.id
}

/** Blocks new commands for a booking until the transaction ends. */
export const lockCommands = (tx: Db, bookingId: string) =>
  query.execute(tx)`
    select pg_advisory_xact_lock(hashtextextended('command ' || ${bookingId}::text, 0))`

const countsRow = z.object({ open: z.int(), recent: z.int(), oldest: z.date().nullable() })

/**
 * How many of a booking's commands are unanswered, and how many were given after `since`, the first
 * at `oldest`. Counts commands that end the booking separately, so that it can always be ended.
 */
export const selectCommandCounts = (
  tx: Db,
  bookingId: string,
  { isEnding, since }: { isEnding: boolean; since: Date },
) =>
  query.row(tx, countsRow)`
    select count(*) filter (where answer is null)::int as open,
      count(*) filter (where created_at > ${since})::int as recent,
      min(created_at) filter (where created_at > ${since}) as oldest
    from command
    where booking_id = ${bookingId} and (kind in ('cancel', 'release')) = ${isEnding}::boolean`

const answerValue = z.custom<CommandAnswer>().nullable()

/** The stored answer to a command; null while it runs. */
export const selectOptionalCommandAnswer = async (db: Db, id: string) =>
  (await query.optionalValue(db, answerValue)`select answer from command where id = ${id}`) ?? null

const openRow = z.object({
  id: z.uuid(),
  kind: z.enum(commandKinds),
  input: z.record(z.string(), z.unknown()),
  guest: guestRow.nullable(),
  given_at: z.date(),
})
/** A command that has not run. */
export type OpenCommand = z.infer<typeof openRow>

const openPage = z.looseObject({ id: z.uuid() })

/**
 * A booking's commands that have not run, oldest first. Each is parsed only when it runs, so that
 * an unreadable one does not hide the others.
 */
export const selectOpenCommands = (db: Db, bookingId: string) =>
  query.rows(db, openPage)`
    select id, kind, input, guest, created_at as given_at from command
    where booking_id = ${bookingId} and answer is null and begun_at is null order by created_at, id`

/** Parses a row of `selectOpenCommands`; throws if its contents are unexpected. */
export const readOpenCommand = (row: { id: string }): OpenCommand => openRow.parse(row)

const submittedRow = openRow.pick({ id: true, kind: true, input: true })

/** A command for this booking, whether or not it has run. */
export const selectSubmittedCommand = (db: Db, bookingId: string, id: string) =>
  query.optionalRow(db, submittedRow)`
    select id, kind, input from command where booking_id = ${bookingId} and id = ${id}`

/** A booking's last command that was abandoned after failures on our side. */
export const selectGivenUpCommand = (db: Db, bookingId: string) =>
  query.optionalRow(db, submittedRow.extend({ created_at: z.date() }))`
    select id, kind, input, created_at from command
    where booking_id = ${bookingId} and failures > 0
      and answer #>> '{refusal,code}' = 'internal_error'
    order by created_at desc, id desc limit 1`

/** Whether any command given before `deadline` has yet to run. */
export const hasOpenCommand = (db: Db, bookingId: string, deadline: Date): Promise<boolean> =>
  query.value(db, boolean)`
    select exists (select from command where booking_id = ${bookingId} and answer is null
      and begun_at is null and created_at < ${deadline}) as open`

const answeredRow = z.object({ id: z.uuid(), answer: z.custom<CommandAnswer>() })

/** The answers so far to these commands for a booking, by id. */
export async function selectCommandAnswers(db: Db, bookingId: string, ids: readonly string[]) {
  if (ids.length === 0) return {}
  const rows = await query.rows(db, answeredRow)`
    select id, answer from command
    where booking_id = ${bookingId} and id = any(${ids}::uuid[]) and answer is not null`
  return Object.fromEntries(rows.map(({ id, answer }) => [id, answer]))
}

/** Stores the answer for repeated requests, unless one is already stored. */
export const updateCommandAnswer = (tx: Db, id: string, answer: CommandAnswer) =>
  query.execute(tx)`
    update command set answer = ${JSON.stringify(answer)}, guest = null
    where id = ${id} and answer is null`

/** Counts a failed attempt at a command; returns the number of failures. */
export const countFailure = (db: Db, id: string): Promise<number> =>
  query.value(db, int)`
    update command set failures = failures + 1 where id = ${id} returning failures`

/** Marks a command that the venue is deciding on. */
export const markBegun = (tx: Db, id: string, at: Date) =>
  query.execute(tx)`update command set begun_at = ${at}, guest = null where id = ${id}`

/** The command that confirmed a hold: the first that was not refused. */
export const selectConfirmer = (db: Db, bookingId: string) =>
  query.optionalValue(db, uuid)`
    select id from command
    where booking_id = ${bookingId} and kind = 'confirm'
      and (answer is null or not answer ? 'refusal')
    order by created_at, id limit 1`

/** Answers the commands that a booking's venue has now decided. */
export const answerBegunCommands = (tx: Db, bookingId: string, answer: CommandAnswer) =>
  query.execute(tx)`
    update command set answer = ${JSON.stringify(answer)}
    where booking_id = ${bookingId} and begun_at is not null and answer is null`

/** Whether the venue is deciding on a change that the guest wants. */
export const isChangeOfGuest = (tx: Db, bookingId: string): Promise<boolean> =>
  query.affectsRow(tx)`
    select from command where booking_id = ${bookingId} and kind = 'amend' and door = 'guest'
      and begun_at is not null and answer is null`

/** Why an operator cancelled a booking or hold, if one did. */
export const selectOptionalOperatorsReason = (db: Db, bookingId: string) =>
  query.optionalValue(db, z.string())`
    select input ->> 'reason' from command
    where booking_id = ${bookingId} and kind = 'cancel' and input ->> 'by' = 'operator'
    order by created_at limit 1`
