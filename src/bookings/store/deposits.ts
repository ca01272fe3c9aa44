import { z } from 'zod'
import type { DepositTerms } from '../../availability/rules/deposit.ts'
import { depositKinds, depositUnits } from '../../contract/rules/deposits.ts'
import { idRow } from '../../platform/database/columns.ts'
import { type Db, execute, queryOptionalRow, queryRows } from '../../platform/database/sql.ts'
import { type DepositReason, type DepositStatus, depositStatuses } from '../rules/deposits.ts'

const depositRow = z.object({
  id: z.uuid(),
  booking_id: z.uuid(),
  account_id: z.uuid(),
  kind: z.enum(depositKinds),
  per: z.enum(depositUnits),
  amount_minor: z.int(),
  currency: z.string(),
  is_demo: z.boolean(),
  status: z.enum(depositStatuses),
})
export type Deposit = z.infer<typeof depositRow>

type DepositMove = {
  from: DepositStatus
  to: DepositStatus
  reason: DepositReason | null
  at: Date
}

/** Moves a deposit from one status to another; undefined if it is not in that status. */
export const updateDeposit = (tx: Db, bookingId: string, { from, to, reason, at }: DepositMove) =>
  queryOptionalRow(tx, depositRow)`
    update deposit set status = ${to}, reason = ${reason},
      taken_at = case when ${to} = 'taken' then ${at}::timestamptz else taken_at end,
      settled_at = case when ${to} in ('kept', 'returned') then ${at}::timestamptz end
    where booking_id = ${bookingId} and status = ${from}
    returning id, booking_id, account_id, kind, per, amount_minor, currency, is_demo, status`

type Owed = { id: string; account_id: string; currency: string; is_demo: boolean }

/** What a booking owes that has changed before its deposit was taken; null for nothing. */
export const replaceDueDeposit = (tx: Db, booking: Owed, terms: DepositTerms | null, at: Date) =>
  execute(tx)`
    with gone as (
      delete from deposit
      where booking_id = ${booking.id} and status = 'due' and ${terms === null}
    )
    insert into deposit (id, booking_id, account_id, kind, amount_minor, per, currency, is_demo,
      status, created_at)
    select gen_random_uuid(), ${booking.id}, ${booking.account_id}, ${terms?.kind},
      ${terms?.amount_minor}::bigint, ${terms?.per}, ${booking.currency}, ${booking.is_demo}, 'due',
      ${at}::timestamptz
    where ${terms !== null}
    on conflict on constraint deposit_of_booking do update
      set kind = excluded.kind, amount_minor = excluded.amount_minor, per = excluded.per
      where deposit.status = 'due'`

/** Bookings that are over and kept, whose deposit nobody has settled; the oldest first. */
export const selectDepositsToReturn = (db: Db, endedBefore: Date, limit: number) =>
  queryRows(db, idRow.extend({ account_id: z.uuid() }))`
    select b.id, b.account_id from deposit d join booking b on b.id = d.booking_id
    where d.status = 'taken' and b.status = 'completed' and b.ends_at < ${endedBefore}
      and not exists (
        select from venue_statement s where s.booking_id = b.id and s.effect is null)
    order by b.ends_at limit ${limit}`
