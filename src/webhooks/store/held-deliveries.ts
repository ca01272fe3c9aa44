import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import {
  type Db,
  type Pool,
  queryOptionalRow,
  queryRow,
  transaction,
} from '../../platform/database/sql.ts'
import type { EndpointStatus } from '../rules/statuses.ts'
import { giveUpAt } from './outbox.ts'

/** Deliveries per transaction, so that none takes long. */
const STEP = 1_000

/** An endpoint that holds deliveries. Once its status is another, its deliveries are left alone. */
export type Holding = {
  id: string
  status: Exclude<EndpointStatus, 'active'> | 'deleted'
  at: Date
}

/** Ends the holding, in the transaction of the last step, while the endpoint is locked. */
export type EndHolding = (tx: Db) => Promise<unknown>

/**
 * Makes held deliveries due now, each with a whole retry schedule; returns how many. Repeating it
 * after a crash resumes it.
 */
export const releaseHeld = (db: Pool, holding: Holding, end?: EndHolding): Promise<number> =>
  inSteps(
    db,
    holding,
    sql`due_at = ${holding.at}, give_up_at = ${giveUpAt(holding.at)}, tries = 0`,
    end,
  )

/** Discards held deliveries: they are never sent and stay readable. Returns how many. */
export const discardHeld = (db: Pool, holding: Holding, end?: EndHolding): Promise<number> =>
  inSteps(db, holding, sql`status = 'discarded', due_at = null`, end)

const stepRow = z.object({ looked: z.int(), count: z.int(), last: z.string().nullable() })

/** Each step locks the endpoint's row before those of its deliveries, as everything else does. */
async function inSteps(
  db: Pool,
  holding: Holding,
  change: Sql,
  end: EndHolding | undefined,
): Promise<number> {
  let total = 0
  for (let after: string | null = '0'; after !== null; ) {
    const from: string = after
    after = await transaction(db, async (tx) => {
      if (!(await lockHolding(tx, holding))) return null
      const { looked, count, last } = await queryRow(tx, stepRow)`
        with step as (
          select id from delivery
          where endpoint_id = ${holding.id} and status = 'pending' and event_number > ${from}
          order by event_number limit ${STEP}
        ), changed as (
          update delivery d set ${change}, updated_at = ${holding.at}
          from step where d.id = step.id and d.status = 'pending'
          returning event_number
        )
        select (select count(*) from step) as looked, count(*), max(event_number)::text as last
        from changed`
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
  queryOptionalRow(tx, lockedRow)`
    select id from endpoint
    where id = ${id} and case when deleted_at is null then status else 'deleted' end = ${status}
    for no key update`
