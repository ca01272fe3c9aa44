import sql from 'sql-template-tag'
import { z } from 'zod'
import type { FeeTerms } from '../../availability/rules/service-terms.ts'
import type { ChangeTarget } from '../../bookings/hooks.ts'
import { feeTerms } from '../../bookings/store/bookings.ts'
import { type Db, query } from '../../platform/database/sql.ts'

const changeRow = z.object({
  service_id: z.uuid(),
  rule_version: z.int(),
  slot_time: z.string(),
  starts_at: z.date(),
  ends_at: z.date(),
  cancel_until: z.date(),
  party_size: z.int(),
  session: z.string().nullable(),
  leader_id: z.uuid().nullable(),
  fee_terms: z.custom<FeeTerms>(),
  is_late: z.boolean(),
  /** the venue may know of the change */
  is_sent: z.boolean(),
})

/** The inventory of a change: resources, or places of a pooled slot, until `occupiedUntil`. */
type KeptInventory = { resourceIds: readonly string[]; places: number; occupiedUntil: Date }

const columns = sql`c.service_id, c.rule_version, c.slot_time, c.starts_at, c.ends_at,
  c.cancel_until, c.party_size, c.session, c.leader_id, c.is_late, c.is_sent,
  ${feeTerms(sql`o.rules`)} as fee_terms`

/** The change, if any, for which the booking's venue is being asked. */
export const selectOptionalChange = (db: Db, bookingId: string) =>
  query.optionalRow(db, changeRow)`
    select ${columns} from booking_change c
    join service_rules o on o.service_id = c.service_id and o.version = c.rule_version
    where c.booking_id = ${bookingId}`

/** Stores the target of a change to a booking, and the inventory reserved for it. */
export const insertChange = (
  tx: Db,
  bookingId: string,
  change: ChangeTarget,
  { resourceIds, places, occupiedUntil }: KeptInventory,
) =>
  query.execute(tx)`
    insert into booking_change (booking_id, service_id, rule_version, slot_time, starts_at,
      ends_at, occupied_until, cancel_until, party_size, session, leader_id, resource_ids,
      places, is_late)
    values (${bookingId}, ${change.service_id}, ${change.rule_version}, ${change.slot_time},
      ${change.starts_at}, ${change.ends_at}, ${occupiedUntil}, ${change.cancel_until},
      ${change.party_size}, ${change.session}, ${change.leader_id}, ${resourceIds}, ${places},
      ${change.is_late})`

/** Deletes a booking's change and returns it. */
export const deleteChange = (tx: Db, bookingId: string) =>
  query.optionalRow(tx, changeRow)`
    with c as (delete from booking_change where booking_id = ${bookingId} returning *)
    select ${columns} from c
    join service_rules o on o.service_id = c.service_id and o.version = c.rule_version`

/** Marks that the venue may know of the change, before it is sent; false if already marked. */
export const markChangeSent = (db: Db, bookingId: string): Promise<boolean> =>
  query.affectsRow(db)`
    update booking_change set is_sent = true where booking_id = ${bookingId} and not is_sent`
