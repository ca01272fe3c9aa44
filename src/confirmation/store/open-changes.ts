import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ChangeTarget } from '../../bookings/hooks.ts'
import { type Db, execute, queryOptionalRow } from '../../platform/database/sql.ts'

const changeRow = z
  .object({
    offering_id: z.uuid(),
    rule_version: z.int(),
    slot_time: z.string(),
    starts_at: z.date(),
    ends_at: z.date(),
    cancel_until: z.date(),
    party_size: z.int(),
    spend_per_guest_minor: z.int(),
    is_sent: z.boolean(),
  })
  .transform(
    (row): OpenChange => ({
      offeringId: row.offering_id,
      ruleVersion: row.rule_version,
      slotTime: row.slot_time,
      startsAt: row.starts_at,
      endsAt: row.ends_at,
      cancelUntil: row.cancel_until,
      partySize: row.party_size,
      spendPerGuestMinor: row.spend_per_guest_minor,
      isSent: row.is_sent,
    }),
  )

/** What a booking is to become with the yes of its venue; `isSent` when the venue may know of it. */
export type OpenChange = ChangeTarget & { isSent: boolean }

/** What is to be taken then: resources, or places of a pooled slot, until `occupiedUntil`. */
export type Kept = { resourceIds: readonly string[]; places: number; occupiedUntil: Date }

const columns = sql`c.offering_id, c.rule_version, c.slot_time, c.starts_at, c.ends_at, c.cancel_until,
  c.party_size, (o.rules ->> 'spend_per_guest_minor')::bigint as spend_per_guest_minor, c.is_sent`

/** The change that the venue of a booking is asked for, if there is one. */
export const selectOptionalChange = (db: Db, bookingId: string): Promise<OpenChange | undefined> =>
  queryOptionalRow(db, changeRow)`
    select ${columns} from booking_change c
    join offering_rules o on o.offering_id = c.offering_id and o.version = c.rule_version
    where c.booking_id = ${bookingId}`

/** Notes what a booking is to become, and what is kept for it. */
export async function insertChange(
  tx: Db,
  bookingId: string,
  change: Omit<OpenChange, 'spendPerGuestMinor' | 'isSent'>,
  { resourceIds, places, occupiedUntil }: Kept,
): Promise<void> {
  await execute(tx)`
    insert into booking_change (booking_id, offering_id, rule_version, slot_time, starts_at,
      ends_at,
      occupied_until, cancel_until, party_size, resource_ids, places)
    values (${bookingId}, ${change.offeringId}, ${change.ruleVersion}, ${change.slotTime},
      ${change.startsAt}, ${change.endsAt}, ${occupiedUntil}, ${change.cancelUntil},
        ${change.partySize}, ${resourceIds}, ${places})`
}

/** Forgets the change; answers what it was, and whether the venue may know of it. */
export const deleteChange = (tx: Db, bookingId: string): Promise<OpenChange | undefined> =>
  queryOptionalRow(tx, changeRow)`
    with c as (delete from booking_change where booking_id = ${bookingId} returning *)
    select ${columns} from c
    join offering_rules o on o.offering_id = c.offering_id and o.version = c.rule_version`

/** Notes, before the first byte goes out, that the venue may know of the change; false when that was noted before. */
export async function markChangeSent(db: Db, bookingId: string): Promise<boolean> {
  const marked = await execute(db)`
    update booking_change set is_sent = true where booking_id = ${bookingId} and not is_sent`
  return marked === 1
}
