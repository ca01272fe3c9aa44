import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { aheadMs, aheadOf, onClock } from '../../platform/database/account-time.ts'
import { type Db, queryRows } from '../../platform/database/sql.ts'
import type { EndpointStart } from '../rules/endpoint-messages.ts'

const startRow = z
  .object({ endpointId: z.uuid(), accountId: z.uuid(), ahead: aheadMs })
  .transform(({ ahead, ...start }): EndpointStart => ({ ...start, ...onClock(ahead) }))

/** What the workflows of those endpoints `e` of an account start with. */
export const selectEndpointStarts = (db: Db, accountId: string, which: Sql) =>
  queryRows(db, startRow)`
    select e.id as "endpointId", e.account_id as "accountId",
      ${aheadOf(sql`e.account_id`)} as ahead
    from endpoint e where e.account_id = ${accountId} and ${which}`
