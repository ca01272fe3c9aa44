import type { PlanContext } from '../../accounts/hooks.ts'
import { selectCalls } from '../../accounts/store/call-list.ts'
import { selectKeysOf, shownKey } from '../../accounts/store/keys.ts'
import {
  selectBookingCounts,
  selectCallCounts,
  selectOptionalUsed,
} from '../../accounts/store/usage.ts'
import { DAY_MS } from '../../base/durations.ts'
import { refuse } from '../../base/errors.ts'
import type { BookingServices } from '../../bookings/engine.ts'
import { spanOf } from '../../contract/fields.ts'
import { type AuditRow, selectAuditEntries } from '../../platform/database/audit-log.ts'
import { readLimits } from '../steps/read-limits.ts'
import * as store from '../store/accounts.ts'
import { readPaymentsOf } from './payments.ts'

const PAGE = 50
const LATEST = 20
const MAX_KEYS = 100
const CALL_DAYS = 7

type Reads = Pick<PlanContext, 'db' | 'settings'> & Pick<BookingServices, 'dryRunDeps'>

/** A page of accounts, newest first, and the id after which the next page starts. */
export async function listAccounts(
  { db }: Pick<Reads, 'db'>,
  filter: Omit<store.AccountFilter, 'limit'>,
  at: Date,
) {
  const rows = await store.selectAccounts(db, dayOf(at), { ...filter, limit: PAGE + 1 })
  const accounts = rows.slice(0, PAGE)
  return { accounts, next: rows.length > PAGE ? (accounts.at(-1)?.id ?? null) : null }
}

/** An account with everything that operators see on its page. Throws `page_not_found`. */
export async function readAccount({ db, settings, dryRunDeps }: Reads, id: string, at: Date) {
  const account = await store.selectAnyAccount(db, id)
  if (!account) throw refuse('page_not_found', 'There is no such account.')
  const since = dayOf(new Date(at.getTime() - (CALL_DAYS - 1) * DAY_MS))
  const calls = {
    keyId: null,
    door: null,
    operation: null,
    code: null,
    isRefused: false,
    statusClass: null,
    booking: null,
  }
  const span = { from: null, before: null, after: null }
  const month = at.toISOString().slice(0, 7)
  const [
    members,
    sandboxes,
    keys,
    endpoints,
    bookings,
    requests,
    used,
    days,
    counts,
    limits,
    changes,
    money,
  ] = await Promise.all([
    store.selectMembers(db, id),
    store.selectSandboxesOf(db, id, LATEST),
    selectKeysOf(db, id, { before: null, limit: MAX_KEYS }),
    store.selectEndpointsOf(db, id),
    store.selectLatestBookings(db, id, LATEST),
    selectCalls(db, { accountId: id, ...calls, ...span, limit: LATEST }),
    selectOptionalUsed(db, id, dayOf(at)),
    selectCallCounts(db, id, since),
    selectBookingCounts(db, id, spanOf(month)),
    readLimits(db, id, dryRunDeps.terms.limits),
    selectAuditEntries(db, { accountId: id, limit: LATEST }),
    readPaymentsOf({ db }, id),
  ])
  return {
    account,
    members,
    sandboxes,
    keys: keys.map((key) => shownKey(key, at)),
    endpoints,
    bookings,
    requests,
    usage: {
      used: used?.used ?? 0,
      limit: account.requests_per_day ?? settings.requestsPerDay[tierOf(account)],
      days: lastDays(days, at),
    },
    month: { month, counts },
    limits,
    changes: await withOperators(db, changes),
    ...money,
  }
}
const tierOf = ({ mode, tier }: store.AccountRow) => (mode === 'test' ? mode : tier)
export type AccountDetail = Awaited<ReturnType<typeof readAccount>>

/** Adds to entries the acting operator's email address, which the account does not see. */
async function withOperators(db: Reads['db'], entries: readonly AuditRow[]) {
  const ids = entries.flatMap(({ actor_kind, actor_id }) =>
    actor_kind === 'operator' && actor_id !== null ? [actor_id] : [],
  )
  const emails = ids.length > 0 ? await store.selectEmails(db, ids) : new Map<string, string>()
  return entries.map((entry) => ({
    ...entry,
    operator_email: emails.get(entry.actor_id ?? '') ?? null,
  }))
}

/** The calls on each of the last days, oldest day first. */
function lastDays(counts: Awaited<ReturnType<typeof selectCallCounts>>, at: Date) {
  const byDay = Map.groupBy(counts, ({ day }) => day)
  return Array.from({ length: CALL_DAYS }, (_, index) => {
    const day = dayOf(new Date(at.getTime() - (CALL_DAYS - 1 - index) * DAY_MS))
    const rows = byDay.get(day) ?? []
    const by_code = Object.fromEntries(rows.map(({ code, calls }) => [code, calls]))
    return { day, calls: rows.reduce((sum, { calls }) => sum + calls, 0), by_code }
  })
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)
