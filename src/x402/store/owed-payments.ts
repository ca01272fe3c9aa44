import { z } from 'zod'
import { type Db, queryOptionalRow, queryRows } from '../../platform/database/sql.ts'
import { columns, paymentRow } from './payments.ts'

/** The payment with this id, which pays what an account owes. */
export const selectOptionalOwed = (db: Db, id: string) =>
  queryOptionalRow(db, paymentRow)`
    select ${columns} from x402_payment where id = ${id} and booking_id is null`

/** Writes down that a payment is about to be settled. Undefined when its outcome is known. */
export const beginSettlingOwed = (db: Db, id: string, at: Date) =>
  queryOptionalRow(db, paymentRow)`
    update x402_payment set state = 'settling', attempts = attempts + 1, updated_at = ${at}
    where id = ${id} and booking_id is null and state in ('verified', 'settling', 'unknown')
    returning ${columns}`

const lostRow = z.object({ id: z.uuid(), price_minor: z.int(), currency: z.string() })

/** Payments for what accounts owe that nothing was heard of since `before`, by their ids. */
export const selectLostOwed = (
  db: Db,
  before: Date,
  { after, limit }: { after: string | null; limit: number },
) =>
  queryRows(db, lostRow)`
    select id, price_minor, currency from x402_payment
    where booking_id is null and state in ('verified', 'settling', 'unknown')
      and updated_at < ${before} and (${after}::uuid is null or id > ${after})
    order by id limit ${limit}`
