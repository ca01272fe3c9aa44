import { randomUUIDv7 } from 'node:crypto'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Db, type Pool, query, together, transaction } from '../../platform/database/sql.ts'
import type { NewEvent } from '../../webhooks/schema/event-bodies.ts'
import { enqueueDeliveries } from '../../webhooks/store/outbox.ts'

/** A step of a booking that runs once; `transitionId` names it. */
export type Step = { accountId: string; bookingId: string; transitionId: string; at: Date }

/** The result of a step, and its events. */
export type Done<R> = { result: R; events: NewEvent[] }

/** Why a step's work was rolled back without an error. */
export type Undone<U> = { undone: U }

/** A step that has run in a transaction but is yet to be recorded in it. */
export type DoneStep = Step & { done: Done<unknown> }

const recorded = z.object({ result: z.unknown() })

/** Reads and writes to send together with the transaction's own statements. */
type Run<F, R> = {
  /** the first reads of the work, sent together with `begin`; read-only */
  read?: (tx: Db) => Promise<F>
  /** the last writes, sent with the step's record and the commit */
  write?: (tx: Db, result: R) => Promise<unknown>
}

/**
 * Runs one step of a booking exactly once: the writes of `work`, its result and its events commit
 * together under `(booking, step)`. A second run, whether concurrent or after a crash, cannot
 * commit and gets the first result. `work` may also return an earlier step (`before`) of the same
 * transaction to record, or the reason to undo everything.
 */
export function stepOnce<R, F = undefined>(
  pool: Pool,
  step: Step,
  work: (tx: Db, rows: F) => Promise<Done<R> & { before?: DoneStep }>,
  run?: Run<F, R>,
): Promise<R>
export function stepOnce<R, F, U>(
  pool: Pool,
  step: Step,
  work: (tx: Db, rows: F) => Promise<(Done<R> & { before?: DoneStep }) | Undone<U>>,
  run?: Run<F, R>,
): Promise<R | Undone<U>>
export async function stepOnce<R, F, U>(
  pool: Pool,
  step: Step,
  work: (tx: Db, rows: F) => Promise<(Done<R> & { before?: DoneStep }) | Undone<U>>,
  { read, write }: Run<F, R> = {},
): Promise<R | Undone<U>> {
  try {
    const done = await transaction(pool, work, {
      ...(read && { read }),
      isUndone: (done) => 'undone' in done,
      async write(tx, done) {
        if ('undone' in done) return
        const { before, ...own } = done
        const steps = [...(before ? [before] : []), { ...step, done: own }]
        const sent = write?.(tx, own.result)
        await together(sent ?? Promise.resolve(), insertTransitions(tx, steps))
      },
    })
    if (!('undone' in done)) return done.result
    return (await selectOptionalResult<R>(pool, step)) ?? done
  } catch (error) {
    const earlier = await selectOptionalResult<R>(pool, step)
    if (earlier !== undefined) return earlier
    throw error
  }
}

/** The result of a step that was recorded earlier. */
export async function selectOptionalResult<R>(db: Db, { bookingId, transitionId }: Step) {
  const row = await query.optionalRow(db, recorded)`
    select result from transition
    where booking_id = ${bookingId} and transition_id = ${transitionId}`
  return row?.result as R | undefined
}

/**
 * Runs one step for several bookings of an account in one transaction. `work` returns the steps
 * with their results. If it is repeated, it must see from the rows that they have already happened.
 */
export async function stepTogether<R>(
  pool: Pool,
  work: (tx: Db) => Promise<{ result: R; steps: readonly DoneStep[] }>,
): Promise<R> {
  const write = async (tx: Db, { steps }: { steps: readonly DoneStep[] }) =>
    steps.length > 0 && insertTransitions(tx, steps)
  const { result } = await transaction(pool, work, { write })
  return result
}

/**
 * Records steps of other bookings in the transaction of a step of this account. Locks the event
 * counters of all accounts in a fixed order, to avoid deadlocks.
 */
export async function recordSteps(tx: Db, accountId: string, steps: readonly DoneStep[]) {
  if (steps.length === 0) return
  await query.execute(tx)`
    insert into event_counter (account_id, last)
    select distinct id, 0
    from unnest(${[accountId, ...steps.map((step) => step.accountId)]}::uuid[]) as account (id)
    order by id
    on conflict (account_id) do update set last = event_counter.last`
  for (const step of steps) await insertTransitions(tx, [step])
}

/**
 * Records steps of one account, with their events in this order. Locks the account's event counter
 * last, so that event numbers follow the order of commits without gaps.
 */
export function insertTransitions(tx: Db, steps: readonly DoneStep[]): Promise<void> {
  const [{ accountId, at }] = steps as [DoneStep]
  const events = steps.flatMap(({ done, ...step }) =>
    done.events.map((event) => ({ ...step, ...event })),
  )
  return enqueueDeliveries(tx, {
    ctes: sql`step as (
        insert into transition (booking_id, transition_id, result, at)
        select * from unnest(${steps.map(({ bookingId }) => bookingId)}::uuid[],
          ${steps.map(({ transitionId }) => transitionId)}::text[],
          ${steps.map(({ done }) => JSON.stringify(done.result))}::jsonb[],
          ${steps.map((step) => step.at)}::timestamptz[])
      ), counter as (
        insert into event_counter (account_id, last)
        select ${accountId}::uuid, ${events.length}::bigint where ${events.length}::bigint > 0
        on conflict (account_id) do update set last = event_counter.last + excluded.last
        returning last
      ), written as (
        insert into event (account_id, number, id, type, booking_id, transition_id, data,
          created_at)
        select ${accountId}, counter.last - ${events.length}::bigint + e.position, e.id,
          e.type, e.booking_id, e.transition_id, e.data, ${at}
        from counter, unnest(${events.map(() => randomUUIDv7())}::uuid[],
          ${events.map(({ type }) => type)}::text[],
          ${events.map(({ bookingId }) => bookingId)}::uuid[],
          ${events.map(({ transitionId }) => transitionId)}::text[],
          ${events.map(({ data }) => JSON.stringify(data))}::jsonb[])
          with ordinality as e (id, type, booking_id, transition_id, data, position)
        returning account_id, number, type
      )`,
    at,
  })
}
