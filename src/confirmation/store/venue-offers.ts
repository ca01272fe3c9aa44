import { z } from 'zod'
import type { ChangeTarget } from '../../bookings/hooks.ts'
import { type Db, query } from '../../platform/database/sql.ts'

/** Stores the offer for a booking: another time proposed by its venue. */
export const upsertVenueOffer = (tx: Db, bookingId: string, offer: ChangeTarget) =>
  query.execute(tx)`
    insert into venue_offer (booking_id, service_id, rule_version, slot_time, starts_at, ends_at,
      cancel_until)
    values (${bookingId}, ${offer.service_id}, ${offer.rule_version}, ${offer.slot_time},
      ${offer.starts_at}, ${offer.ends_at}, ${offer.cancel_until})
    on conflict (booking_id) do update set service_id = excluded.service_id,
      rule_version = excluded.rule_version, slot_time = excluded.slot_time,
      starts_at = excluded.starts_at, ends_at = excluded.ends_at,
      cancel_until = excluded.cancel_until`

/** Moves a booking to the offered time, whose inventory it holds; false if that time has begun. */
export const takeVenueOffer = (tx: Db, bookingId: string, at: Date): Promise<boolean> =>
  query.affectsRow(tx)`
    update booking b set service_id = o.service_id, rule_version = o.rule_version,
      slot_time = o.slot_time, starts_at = o.starts_at, ends_at = o.ends_at,
      cancel_until = o.cancel_until, changes = least(b.changes + 1, 50)
    from venue_offer o where b.id = ${bookingId} and o.booking_id = ${bookingId}
      and b.status = 'offered' and o.starts_at > ${at}`

/** Whether a booking is at the time that its venue offered. */
export const isAtOfferedTime = async (tx: Db, bookingId: string): Promise<boolean> =>
  (await query.optionalRow(tx, z.unknown())`
    select 1 from venue_offer o join booking b on b.id = o.booking_id
    where b.id = ${bookingId} and b.slot_time = o.slot_time`) !== undefined
