import { randomUUIDv7 } from 'node:crypto'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { withTexts } from '../../contract/local-times.ts'
import { isoTime } from '../../platform/database/columns.ts'
import type { DueRows } from '../../platform/database/continue-pass.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { invoice, planChange, type planChangers, tiers } from '../schema/plan.ts'

export type PlanMove = {
  accountId: string
  to: (typeof tiers)[number]
  by: (typeof planChangers)[number]
  /** the monthly price of the pro tier, in US cents */
  proMonthlyMinor: number
  at: Date
}

const tier = z.enum(tiers)

/**
 * Moves an account to a tier immediately and records the change. Every month with pro is invoiced
 * exactly once. Returns the previous tier; undefined if there is no such account.
 */
export const movePlan = (db: Db, { accountId, to, by, proMonthlyMinor, at }: PlanMove) =>
  query.optionalValue(db, tier)`
    with before as materialized (
      select id, tier from account
      where id = ${accountId} and deleted_at is null for no key update
    ), moved as (
      update account a set tier = ${to} from before b where a.id = b.id and b.tier <> ${to}
      returning a.id, b.tier as from_tier
    ), noted as (
      insert into plan_change (id, account_id, from_tier, to_tier, made_by, created_at)
      select ${randomUUIDv7()}, id, from_tier, ${to}, ${by}, ${at} from moved
    ), invoiced as (
      insert into plan_period (id, account_id, month, kind, amount_minor, currency, created_at)
      select ${randomUUIDv7()}, id, date_trunc('month', ${at}::timestamptz), 'pro',
        ${proMonthlyMinor}, 'USD', ${at} from moved
      on conflict (account_id, month, kind) do nothing
    )
    select tier from before`

/** Pro accounts not yet invoiced for the month of `at`. */
export const accountsToInvoice = (at: Date, proMonthlyMinor: number): DueRows => ({
  from: 'account',
  id: 'id',
  where: sql`tier = 'pro' and mode = 'live' and not exists (
    select from plan_period i where i.account_id = account.id and i.kind = 'pro'
      and i.month = date_trunc('month', ${at}::timestamptz)::date)`,
  order: 'id',
  change: (ids) => sql`
    insert into plan_period (id, account_id, month, kind, amount_minor, currency, created_at)
    select gen_random_uuid(), id, date_trunc('month', ${at}::timestamptz), 'pro',
      ${proMonthlyMinor}, 'USD', ${at}
    from (${ids}) as a on conflict (account_id, month, kind) do nothing`,
})

/** An account's newest plan changes. */
export const selectPlanChanges = (db: Db, accountId: string, limit: number) =>
  query.rows(db, planChange.extend({ at: isoTime }))`
    select from_tier as "from", to_tier as "to", made_by as "by", created_at as at
    from plan_change where account_id = ${accountId} order by id desc limit ${limit}`

/** An account's newest invoices. */
export const selectInvoices = (db: Db, accountId: string, limit: number) =>
  query.rows(db, invoice.extend({ created_at: isoTime }).overwrite(withTexts))`
    select id, to_char(month, 'YYYY-MM') as month, kind, amount_minor, currency, created_at
    from plan_period where account_id = ${accountId}
    order by month desc, id desc limit ${limit}`
