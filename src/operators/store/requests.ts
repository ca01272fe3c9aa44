import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'

const requestRow = z.object({
  request_id: z.uuid(),
  at: z.date(),
  account_id: z.uuid(),
  account_name: z.string(),
  key_id: z.uuid().nullable(),
  key_name: z.string().nullable(),
  door: z.string(),
  operation: z.string(),
  code: z.string(),
  ms: z.number(),
  from_agent: z.string().nullable(),
})
export type RequestDetail = z.infer<typeof requestRow>

/** A logged call by any account. The log is long, so only part of it is searched. */
export const selectRequestDetail = (db: Db, id: string, span: { from: Date; until: Date }) =>
  query.optionalRow(db, requestRow)`
    select l.request_id, l.at, l.account_id, a.name as account_name, l.key_id,
      k.name as key_name, l.door, l.operation, l.code, round(l.ms::numeric, 1)::float as ms,
      l.from_agent
    from request_log l join account a on a.id = l.account_id
    left join api_key k on k.id = l.key_id
    where l.at >= ${span.from} and l.at < ${span.until} and l.request_id = ${id} limit 1`
