import { z } from 'zod'
import { isoTime } from '../../platform/database/columns.ts'
import { type Db, queryRowsUnprepared } from '../../platform/database/sql.ts'

const lineRow = z.object({
  id: z.uuid(),
  kind: z.enum(['accrual', 'reversal']),
  booking_id: z.uuid(),
  base_minor: z.int(),
  pct: z.number(),
  amount_minor: z.int(),
  currency: z.string(),
  is_demo: z.boolean(),
  created_at: isoTime,
  venue: z.string(),
  slot_time: z.string(),
  timezone: z.string(),
  party_size: z.int(),
})

type Span = { from: Date; until: Date }

/** The first fee entries of an account in a span of time, with what was booked. */
export const selectFeeLines = (db: Db, accountId: string, { from, until }: Span, limit: number) =>
  queryRowsUnprepared(db, lineRow)`
    with page as (
      select * from fee_entry
      where account_id = ${accountId} and created_at >= ${from} and created_at < ${until}
      order by created_at, id limit ${limit})
    select f.id, f.kind, f.booking_id, f.base_minor, f.pct::float8 as pct, f.currency, f.is_demo,
      case f.kind when 'reversal' then -f.amount_minor else f.amount_minor end as amount_minor,
      f.created_at, v.name as venue, b.slot_time, a.timezone, b.party_size
    from page f join booking b on b.id = f.booking_id join venue v on v.id = b.venue_id
      join area a on a.slug = v.area_slug
    order by f.created_at, f.id`
