import { randomUUIDv7 } from 'node:crypto'
import sql from 'sql-template-tag'
import { z } from 'zod'
import {
  type Db,
  type Durability,
  execute,
  type Pool,
  queryOptionalRow,
  transaction,
} from '../../platform/database/sql.ts'
import { enqueueDeliveries } from '../../webhooks/store/outbox.ts'

/** A step of a booking, run once: `transitionId` names it. */
export type Step = { accountId: string; bookingId: string; transitionId: string; at: Date }

/** An event of a booking; `data` is what its owner may see. */
export type NewEvent = { type: string; data: Record<string, unknown> }

/** The result of a step and the events that it publishes. */
export type Done<R> = { result: R; events: NewEvent[] }

/** A step that has run in a transaction and is still to be recorded there. */
export type DoneStep = Step & { done: Done<unknown> }

const recorded = z.object({ result: z.unknown() })

/**
 * Runs one step of a booking exactly once: what `work` writes, its result and its events commit
 * together under `(booking, step)`. A second run, at the same moment or after a crash, cannot
 * commit and gets the first result.
 */
export async function stepOnce<R>(
  pool: Pool,
  step: Step,
  work: (tx: Db) => Promise<Done<R>>,
  durable?: Durability,
): Promise<R> {
  const run = async (tx: Db) => {
    const done = await work(tx)
    await insertTransition(tx, step, done)
    return done.result
  }
  try {
    return await transaction(pool, run, durable)
  } catch (error) {
    const earlier = await queryOptionalRow(pool, recorded)`
      select result from transition where booking_id = ${step.bookingId}
        and transition_id = ${step.transitionId}`
    if (earlier) return earlier.result as R
    throw error
  }
}

/**
 * Runs one step of several bookings of an account in one transaction. `work` answers the steps with
 * their results; run again, it must see in the rows that it has happened.
 */
export async function stepTogether<R>(
  pool: Pool,
  work: (tx: Db) => Promise<{ result: R; steps: readonly DoneStep[] }>,
): Promise<R> {
  return transaction(pool, async (tx) => {
    const { result, steps } = await work(tx)
    for (const { done, ...step } of steps) await insertTransition(tx, step, done)
    return result
  })
}

/**
 * Records steps of other bookings in the transaction of a step of this account. The event counters
 * of all accounts are locked in one order, so that no two transactions wait for each other.
 */
export async function recordSteps(tx: Db, accountId: string, steps: readonly DoneStep[]) {
  if (steps.length === 0) return
  await execute(tx)`
    insert into event_counter (account_id, last)
    select distinct id, 0
    from unnest(${[accountId, ...steps.map((step) => step.accountId)]}::uuid[]) as account (id)
    order by id
    on conflict (account_id) do update set last = event_counter.last`
  for (const { done, ...step } of steps) await insertTransition(tx, step, done)
}

/** Locks the account's event counter last, so that numbers follow commits without gaps. */
export const insertTransition = (tx: Db, step: Step, { result, events }: Done<unknown>) =>
  enqueueDeliveries(tx, {
    ctes: sql`step as (
        insert into transition (booking_id, transition_id, result, at)
        values (${step.bookingId}, ${step.transitionId}, ${JSON.stringify(result)}, ${step.at})
      ), counter as (
        insert into event_counter (account_id, last)
        select ${step.accountId}::uuid, ${events.length}::bigint where ${events.length}::bigint > 0
        on conflict (account_id) do update set last = event_counter.last + excluded.last
        returning last
      ), written as (
        insert into event (account_id, number, id, type, booking_id, transition_id, data,
          created_at)
        select ${step.accountId}, counter.last - ${events.length}::bigint + e.position, e.id,
          e.type, ${step.bookingId}, ${step.transitionId}, e.data, ${step.at}
        from counter, unnest(${events.map(() => randomUUIDv7())}::uuid[],
          ${events.map(({ type }) => type)}::text[],
          ${events.map(({ data }) => JSON.stringify(data))}::jsonb[])
          with ordinality as e (id, type, data, position)
        returning account_id, number, type
      )`,
    at: step.at,
  })
