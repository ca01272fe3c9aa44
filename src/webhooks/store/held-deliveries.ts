import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { type Db, type Pool, query, transaction } from '../../platform/database/sql.ts'
import type { EndpointStatus } from '../rules/statuses.ts'
import { giveUpAt } from './outbox.ts'

/** Deliveries per transaction, to keep each short. */
const STEP = 1_000

/** An endpoint that holds deliveries. Once its status changes, its deliveries stay unchanged. */
export type Holding = {
  id: string
  status: Exclude<EndpointStatus, 'active'> | 'deleted'
  at: Date
}

/** Changes the locked endpoint in the last step's transaction. */
type EndHolding = (tx: Db) => Promise<unknown>

/** Makes held deliveries due now, with a full retry schedule. Safe to repeat after a crash. */
export function releaseHeld(db: Pool, holding: Holding, end?: EndHolding): Promise<number> {
  const { at } = holding
  return inSteps(db, holding, sql`due_at = ${at}, give_up_at = ${giveUpAt(at)}, tries = 0`, end)
}

/** Discards held deliveries: they are never sent but remain readable. */
export const discardHeld = (db: Pool, holding: Holding, end?: EndHolding) =>
  inSteps(db, holding, sql`status = 'discarded', due_at = null`, end)

const stepRow = z.object({ scanned: z.int(), count: z.int(), last: z.string().nullable() })

/** Returns the number of deliveries changed. Locks the endpoint's row first, as everywhere. */
async function inSteps(db: Pool, { id, status, at }: Holding, change: Sql, end?: EndHolding) {
  let total = 0
  for (let after: string | null = '0'; after !== null; ) {
    const from: string = after
    after = await transaction(db, async (tx) => {
      const locked = await query.execute(tx)`
        select from endpoint
        where id = ${id}
          and case when deleted_at is null then status else 'deleted' end = ${status}
        for no key update`
      if (locked === 0) return null
      const { scanned, count, last } = await query.row(tx, stepRow)`
        with step as (
          select id from delivery
          where endpoint_id = ${id} and status = 'pending' and event_number > ${from}
          order by event_number limit ${STEP}
        ), changed as (
          update delivery d set ${change}, updated_at = ${at}
          from step where d.id = step.id and d.status = 'pending'
          returning event_number
        )
        select (select count(*) from step) as scanned, count(*), max(event_number)::text as last
        from changed`
      total += count
      if (scanned === STEP) return last ?? from
      await end?.(tx)
      return null
    })
  }
  return total
}
