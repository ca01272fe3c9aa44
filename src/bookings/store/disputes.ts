import sql from 'sql-template-tag'
import { z } from 'zod'
import { withTexts } from '../../contract/twins.ts'
import { isoTime } from '../../platform/database/columns.ts'
import { type Db, execute, queryOptionalRow, queryRows } from '../../platform/database/sql.ts'
import { dispute } from '../schema/deposits.ts'
import { jsonTime } from './booking-view.ts'

const money = dispute.shape.deposit.overwrite(withTexts)
const row = dispute.extend({ opened_at: isoTime, decided_at: isoTime.nullable(), deposit: money })

const columns = sql`p.id, d.booking_id, p.reason, coalesce(p.decision, 'open') as status,
  p.decision_reason, p.opened_at, p.decided_at,
  json_build_object('kind', d.kind, 'per', d.per, 'amount_minor', d.amount_minor,
    'currency', d.currency) as deposit`

/** The dispute of an account about a booking. */
export const selectOptionalDispute = (db: Db, accountId: string, bookingId: string) =>
  queryOptionalRow(db, row)`
    select ${columns} from deposit_dispute p join deposit d on d.id = p.deposit_id
    where d.booking_id = ${bookingId} and p.account_id = ${accountId}`

type NewDispute = {
  id: string
  accountId: string
  bookingId: string
  reason: string
  evidence: unknown
  keptSince: Date
  at: Date
}

/** False without a deposit that was kept since then, or when it has been disputed. */
export const insertDispute = async (db: Db, given: NewDispute): Promise<boolean> =>
  (await execute(db)`
    insert into deposit_dispute (id, deposit_id, account_id, reason, evidence, opened_at)
    select ${given.id}, d.id, d.account_id, ${given.reason}, ${JSON.stringify(given.evidence)},
      ${given.at}
    from deposit d
    where d.booking_id = ${given.bookingId} and d.account_id = ${given.accountId}
      and d.status = 'kept' and d.settled_at >= ${given.keptSince}
    on conflict on constraint deposit_dispute_once do nothing`) === 1

const anyRow = row.extend({
  account_id: z.uuid(),
  account_name: z.string(),
  venue_name: z.string(),
  kept_because: z.string().nullable(),
  evidence: z.object({
    entries: z.array(z.object({ at: jsonTime, by: z.string(), what: z.string(), why: z.string() })),
  }),
})
export type AnyDispute = z.infer<typeof anyRow>

/** Disputes across all accounts, open ones first: for operators only. */
export const selectDisputes = (db: Db, limit: number) =>
  queryRows(db, anyRow)`
    select ${columns}, p.account_id, a.name as account_name, v.name as venue_name,
      d.reason as kept_because, p.evidence
    from deposit_dispute p join deposit d on d.id = p.deposit_id
      join account a on a.id = p.account_id
      join booking b on b.id = d.booking_id join venue v on v.id = b.venue_id
    order by (p.decision is null) desc, p.opened_at desc limit ${limit}`

const ofRow = z.object({ account_id: z.uuid(), booking_id: z.uuid() })

/** Whose booking a dispute is about. */
export const selectDisputed = (db: Db, id: string) =>
  queryOptionalRow(db, ofRow)`
    select p.account_id, d.booking_id
    from deposit_dispute p join deposit d on d.id = p.deposit_id where p.id = ${id}`

type Decided = { decision: 'kept' | 'returned'; by: string; reason: string; at: Date }

/** False if it has been decided. */
export const updateDecision = async (tx: Db, id: string, decided: Decided): Promise<boolean> =>
  (await execute(tx)`
    update deposit_dispute set decision = ${decided.decision}, decided_at = ${decided.at},
      decided_by = ${decided.by}, decision_reason = ${decided.reason}
    where id = ${id} and decision is null`) === 1
