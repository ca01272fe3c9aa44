import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { aheadMs, aheadOf, onClock } from '../../platform/database/account-time.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { EndpointStart } from '../rules/endpoint-messages.ts'

const startRow = z
  .object({ endpointId: z.uuid(), accountId: z.uuid(), ahead: aheadMs })
  .transform(({ ahead, ...start }): EndpointStart => ({ ...start, ...onClock(ahead) }))

const starts = sql`
  select e.id as "endpointId", e.account_id as "accountId", ${aheadOf(sql`e.account_id`)} as ahead
  from endpoint e`

/** Arguments that start the workflows of an account's endpoints; `which` is a condition on `e`. */
export const selectEndpointStarts = (db: Db, accountId: string, which: Sql) =>
  query.rows(db, startRow)`${starts} where e.account_id = ${accountId} and ${which}`

/** The argument that starts an endpoint's workflow. */
export const selectEndpointStart = (db: Db, id: string): Promise<EndpointStart> =>
  query.row(db, startRow)`${starts} where e.id = ${id}`
