import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { type Db, queryOptionalRow, queryRows } from '../../platform/database/sql.ts'
import type { EventType } from '../rules/webhooks.ts'
import { dueEndpoint, giveUpAt, noteDueEndpoints, putUp } from './put-up.ts'

/** Something that happened to an account, and to none of its bookings. */
export type AccountEvent = {
  accountId: string
  type: EventType
  data: Record<string, unknown>
  at: Date
  /** the one endpoint that is to get it, whatever types it wants */
  only?: string
}

/**
 * Writes an event that is about no booking and puts it up for delivery; answers its id. Last in its transaction, which a compare-and-set
 * keeps from happening twice: the account's counter is locked here, so that number order is commit order, without gaps.
 */
export async function insertAccountEvent(tx: Db, event: AccountEvent): Promise<string> {
  const id = randomUUIDv7()
  const due = await queryRows(
    tx,
    dueEndpoint,
    `with counter as (
       insert into event_counter (account_id, last) values ($1, 1)
       on conflict (account_id) do update set last = event_counter.last + 1
       returning last
     ), written as (
       insert into event (account_id, number, id, type, data, created_at)
       select $1, counter.last, $2, $3, $4, $5 from counter
       returning account_id, number, type
     )
     ${putUp({ at: '$5', giveUpAt: '$6', only: '$7' })}`,
    [
      event.accountId,
      id,
      event.type,
      JSON.stringify(event.data),
      event.at,
      giveUpAt(event.at),
      event.only ?? null,
    ],
  )
  noteDueEndpoints(tx, due)
  return id
}

/** One entry of an account's ledger of events. */
export const eventRow = z.object({
  id: z.uuid(),
  number: z.int(),
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
  created_at: z.coerce.date(),
})
export type EventRow = z.infer<typeof eventRow>

/** One event of an account. */
export const selectOptionalEvent = (
  db: Db,
  accountId: string,
  id: string,
): Promise<EventRow | undefined> =>
  queryOptionalRow(
    db,
    eventRow,
    'select id, number, type, data, created_at from event where account_id = $1 and id = $2',
    [accountId, id],
  )
