import { z } from 'zod'
import {
  type Db,
  type Pool,
  queryOptionalRow,
  queryRow,
  transaction,
} from '../../platform/database/sql.ts'
import type { EndpointStatus } from '../rules/webhooks.ts'
import { giveUpAt } from './outbox.ts'

/** A step takes so many, so that none takes long. */
const STEP = 1_000

/** An endpoint that holds its deliveries, and why: once it is in another status, what waits there is nobody's to release or discard. */
export type Holding = {
  id: string
  status: Exclude<EndpointStatus, 'active'> | 'deleted'
  at: Date
}

/** What ends the holding: done in one with the last step, while nobody else changes the endpoint. */
export type EndHolding = (tx: Db) => Promise<unknown>

/** What is held is due now, with a whole schedule before it; answers how much that is. Repeated after a crash it goes on. */
export const releaseHeld = (db: Pool, holding: Holding, end?: EndHolding): Promise<number> =>
  inSteps(db, holding, end, (tx, after) =>
    queryRow(
      tx,
      stepRow,
      `with step as (
         select id from delivery
         where endpoint_id = $1 and status = 'pending' and event_number > $2
         order by event_number limit $3
       ), released as (
         update delivery d set due_at = $4, give_up_at = $5, tries = 0, updated_at = $4
         from step where d.id = step.id and d.status = 'pending'
         returning event_number
       )
       select (select count(*) from step) as looked, count(*), max(event_number)::text as last from released`,
      [holding.id, after, STEP, holding.at, giveUpAt(holding.at)],
    ),
  )

/** What is held is never sent, and stays readable as that; answers how much it is. */
export const discardHeld = (db: Pool, holding: Holding, end?: EndHolding): Promise<number> =>
  inSteps(db, holding, end, (tx, after) =>
    queryRow(
      tx,
      stepRow,
      `with step as (
         select id from delivery
         where endpoint_id = $1 and status = 'pending' and event_number > $2
         order by event_number limit $3
       ), discarded as (
         update delivery d set status = 'discarded', due_at = null, updated_at = $4
         from step where d.id = step.id and d.status = 'pending'
         returning event_number
       )
       select (select count(*) from step) as looked, count(*), max(event_number)::text as last from discarded`,
      [holding.id, after, STEP, holding.at],
    ),
  )

const stepRow = z.object({ looked: z.int(), count: z.int(), last: z.string().nullable() })

/** The row of the endpoint is locked in each step, before those of its deliveries, as everybody locks them. */
async function inSteps(
  db: Pool,
  holding: Holding,
  end: EndHolding | undefined,
  step: (tx: Db, after: string) => Promise<z.infer<typeof stepRow>>,
): Promise<number> {
  let total = 0
  for (let after: string | null = '0'; after !== null; ) {
    const from: string = after
    after = await transaction(db, async (tx) => {
      if (!(await lockHolding(tx, holding))) return null
      const { looked, count, last } = await step(tx, from)
      total += count
      if (looked === STEP) return last ?? from
      await end?.(tx)
      return null
    })
  }
  return total
}

const lockedRow = z.object({ id: z.uuid() })

const lockHolding = (tx: Db, { id, status }: Holding) =>
  queryOptionalRow(
    tx,
    lockedRow,
    `select id from endpoint
     where id = $1 and case when deleted_at is null then status else 'deleted' end = $2
     for no key update`,
    [id, status],
  )
