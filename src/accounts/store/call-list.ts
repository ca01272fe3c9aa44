import type { z } from 'zod'
import { type Db, queryRows } from '../../platform/database/sql.ts'
import { loggedCallRow } from '../schema/usage.ts'

export type CallFilter = {
  accountId: string
  keyId: string | null
  door: string | null
  operation: string | null
  /** one code, or every code but `ok` */
  code: string | null
  isRefused: boolean
  from: Date | null
  before: Date | null
}

/** The call that a page ends with. */
export type CallPosition = { at: Date; requestId: string }

/** The calls of an account that are still kept, newest first. */
export async function selectCalls(
  db: Db,
  filter: CallFilter,
  page: { after: CallPosition | null; limit: number },
): Promise<z.output<typeof loggedCallRow>[]> {
  const values: unknown[] = [filter.accountId]
  const value = (one: unknown) => `$${values.push(one)}`
  const conditions = [
    'account_id = $1',
    ...(filter.keyId === null ? [] : [`key_id = ${value(filter.keyId)}`]),
    ...(filter.door === null ? [] : [`door = ${value(filter.door)}`]),
    ...(filter.operation === null ? [] : [`operation = ${value(filter.operation)}`]),
    ...(filter.code === null ? [] : [`code = ${value(filter.code)}`]),
    // In the text, so that the planner knows which rows these are.
    ...(filter.isRefused ? [`code <> 'ok'`] : []),
    ...(filter.from === null ? [] : [`at >= ${value(filter.from)}`]),
    ...(filter.before === null ? [] : [`at < ${value(filter.before)}`]),
    ...(page.after === null
      ? []
      : [`(at, request_id) < (${value(page.after.at)}, ${value(page.after.requestId)}::uuid)`]),
  ]
  return queryRows(
    db,
    loggedCallRow,
    `select at, request_id, key_id, door, operation, code, ms, from_agent, calls
     from request_log where ${conditions.join(' and ')}
     order by at desc, request_id desc limit ${value(page.limit)}`,
    values,
  )
}
