import { randomUUIDv7 } from 'node:crypto'
import sql from 'sql-template-tag'
import { isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { NewEvent } from '../schema/event-bodies.ts'
import { event } from '../schema/events.ts'
import { enqueueDeliveries } from './outbox.ts'

type AccountEvent = NewEvent & {
  accountId: string
  at: Date
  /** deliver only to this endpoint, whatever types it subscribes to */
  onlyEndpointId?: string
}

/**
 * Writes an event that belongs to no booking, enqueues its deliveries and returns its id. Must come
 * last in a transaction that a compare-and-set keeps from running twice: it locks the account's
 * counter, so that numbers follow commit order without gaps.
 */
export async function insertAccountEvent(tx: Db, event: AccountEvent): Promise<string> {
  const id = randomUUIDv7()
  await enqueueDeliveries(tx, {
    ctes: sql`counter as (
        insert into event_counter (account_id, last) values (${event.accountId}, 1)
        on conflict (account_id) do update set last = event_counter.last + 1
        returning last
      ), written as (
        insert into event (account_id, number, id, type, data, created_at)
        select ${event.accountId}, counter.last, ${id}, ${event.type},
          ${JSON.stringify(event.data)}, ${event.at} from counter
        returning account_id, number, type
      )`,
    at: event.at,
    onlyEndpointId: event.onlyEndpointId,
  })
  return id
}

/** An entry in an account's event ledger. */
export const eventRow = event.extend({ timestamp: isoTime })
export const eventColumns = sql`id, number, type, created_at as timestamp, data`

export const selectOptionalEvent = (db: Db, accountId: string, id: string) =>
  query.optionalRow(db, eventRow)`
    select ${eventColumns} from event where account_id = ${accountId} and id = ${id}`
