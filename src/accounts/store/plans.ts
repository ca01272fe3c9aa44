import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { type Db, execute, queryOptionalRow, queryRows } from '../../platform/database/sql.ts'
import { type Invoice, type PlanChange, planChangers, tiers } from '../schema/plan.ts'
import type { AccountTier } from './accounts.ts'

const tierRow = z.object({ tier: z.enum(tiers) })

export type PlanMove = {
  accountId: string
  to: AccountTier
  by: (typeof planChangers)[number]
  /** what a month of the pro tier costs, in US cents */
  proMonthlyMinor: number
  at: Date
}

/**
 * Moves an account to a tier at once and records the change. A month in which the account was pro
 * at any time is invoiced once. Returns the tier before; undefined if there is no such account.
 */
export async function movePlan(db: Db, move: PlanMove): Promise<AccountTier | undefined> {
  const { accountId, to, by, proMonthlyMinor, at } = move
  const before = await queryOptionalRow(db, tierRow)`
    with before as materialized (
      select id, tier from account where id = ${accountId} for no key update
    ), moved as (
      update account a set tier = ${to} from before b where a.id = b.id and b.tier <> ${to}
      returning a.id, b.tier as from_tier
    ), noted as (
      insert into plan_change (id, account_id, from_tier, to_tier, made_by, created_at)
      select ${randomUUIDv7()}, id, from_tier, ${to}, ${by}, ${at} from moved
    ), invoiced as (
      insert into invoice (id, account_id, month, kind, amount_minor, currency, created_at)
      select ${randomUUIDv7()}, id, date_trunc('month', ${at}::timestamptz), 'pro',
        ${proMonthlyMinor}, 'USD', ${at} from moved
      on conflict (account_id, month, kind) do nothing
    )
    select tier from before`
  return before?.tier
}

/**
 * Invoices the month of `at` to up to `limit` pro accounts that have no invoice for it; returns how
 * many.
 */
export const insertInvoicesDue = (
  db: Db,
  { at, proMonthlyMinor, limit }: { at: Date; proMonthlyMinor: number; limit: number },
): Promise<number> =>
  execute(db)`
    insert into invoice (id, account_id, month, kind, amount_minor, currency, created_at)
    select gen_random_uuid(), id, date_trunc('month', ${at}::timestamptz), 'pro',
      ${proMonthlyMinor}, 'USD', ${at}
    from account a
    where tier = 'pro' and not exists (
      select from invoice i where i.account_id = a.id and i.kind = 'pro'
        and i.month = date_trunc('month', ${at}::timestamptz)::date)
    order by id limit ${limit}
    on conflict (account_id, month, kind) do nothing`

const changeRow = z
  .object({
    from_tier: z.enum(tiers),
    to_tier: z.enum(tiers),
    made_by: z.enum(planChangers),
    created_at: z.date(),
  })
  .transform(({ from_tier, to_tier, made_by, created_at }) => ({
    from: from_tier,
    to: to_tier,
    by: made_by,
    at: created_at.toISOString(),
  }))

/** The newest plan changes of an account. */
export const selectPlanChanges = (
  db: Db,
  accountId: string,
  limit: number,
): Promise<PlanChange[]> =>
  queryRows(db, changeRow)`
    select from_tier, to_tier, made_by, created_at from plan_change
    where account_id = ${accountId} order by id desc limit ${limit}`

const invoiceRow = z
  .object({
    id: z.uuid(),
    month: z.string(),
    kind: z.enum(['pro']),
    amount_minor: z.int(),
    currency: z.string(),
    created_at: z.date(),
  })
  .transform((row) => ({ ...row, created_at: row.created_at.toISOString() }))

/** The newest invoices of an account. */
export const selectInvoices = (db: Db, accountId: string, limit: number): Promise<Invoice[]> =>
  queryRows(db, invoiceRow)`
    select id, to_char(month, 'YYYY-MM') as month, kind, amount_minor, currency, created_at
    from invoice where account_id = ${accountId} order by month desc, id desc limit ${limit}`
