import type { Limits } from '../../bookings/rules/limits.ts'
import { deleteLimits, upsertLimits } from '../../bookings/store/limits.ts'
import type { Db } from '../../platform/database/sql.ts'
import { updateQuota } from '../store/account-state.ts'
import { type Act, accountOfAct, recordAct } from './act.ts'
import { readLimits } from './read-limits.ts'

/** Gives an account its own limits, or restores the usual ones. Omitted fields do not change. */
export async function changeLimitsOf(
  tx: Db,
  act: Act,
  to: Partial<Limits> | 'usual',
  usual: Limits,
): Promise<void> {
  const accountId = accountOfAct(act)
  const { isOwn, limits: from } = await readLimits(tx, accountId, usual)
  if (to === 'usual') {
    if (!isOwn) return
    await deleteLimits(tx, accountId)
    return void (await recordAct(tx, act, 'account.limits_changed', { details: { from, to } }))
  }
  const limits = { ...from, ...to }
  const isSame = limits.live === from.live && limits.perVenueDay === from.perVenueDay
  if (isOwn && isSame) return
  await upsertLimits(tx, accountId, limits)
  await recordAct(tx, act, 'account.limits_changed', { details: { from, to: limits } })
}

/** Sets an account's daily request limit; null restores its tier's. False if there is none. */
export async function changeQuotaOf(tx: Db, act: Act, to: number | null): Promise<boolean> {
  const before = await updateQuota(tx, accountOfAct(act), to)
  const from = before?.requests_per_day
  if (from !== undefined && from !== to) {
    await recordAct(tx, act, 'account.quota_changed', { details: { from, to } })
  }
  return before !== undefined
}
