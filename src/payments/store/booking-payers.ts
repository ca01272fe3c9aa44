import { z } from 'zod'
import { boolean } from '../../platform/database/columns.ts'
import { type Db, queryRow } from '../../platform/database/sql.ts'

const payerRow = z.object({
  has_plan: boolean,
  has_card: boolean,
  brand: z.string().nullable(),
  last4: z.string().nullable(),
})

/** What can pay for an account's bookings. A debt that ended pro comes before any card. */
export const selectBookingPayer = (db: Db, accountId: string) =>
  queryRow(db, payerRow)`
    select a.tier = 'pro' or a.mode = 'test' as has_plan, c.card_brand as brand,
      c.card_last4 as last4,
      c.method_id is not null and not exists (select from dunning d where d.account_id = a.id
        and d.pro_ended_at is not null and d.paid_at is null) as has_card
    from account a left join lateral (
      select method_id, card_brand, card_last4 from payment_customer
      where account_id = a.id and method_id is not null order by updated_at desc limit 1
    ) c on true
    where a.id = ${accountId}`
