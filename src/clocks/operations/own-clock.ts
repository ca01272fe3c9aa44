import { randomUUIDv7 } from 'node:crypto'
import { refuse } from '../../base/errors.ts'
import { accountOf, type Context } from '../../contract/operation.ts'
import type { Db } from '../../platform/database/sql.ts'
import { shownClock, type TestClock } from '../schema/test-clocks.ts'
import { type Clock, selectOptionalClockOf } from '../store/clocks.ts'

export const newUuid = (): string => randomUUIDv7()

type Caller = Pick<Context, 'account'> & { db: Db }

/** A clock of the caller's account; throws `clock_not_found`. */
export async function ownClock(ctx: Caller, id: string): Promise<Clock> {
  const clock = await selectOptionalClockOf(ctx.db, accountOf(ctx).id, id)
  if (!clock) throw refuse('clock_not_found')
  return clock
}

/** A clock of the caller's account, in its public form; throws `clock_not_found`. */
export const shownOwnClock = async (ctx: Caller, id: string): Promise<TestClock> =>
  shownClock(await ownClock(ctx, id), new Date())
