import { type Db, execute } from '../../platform/database/sql.ts'

/** Another time that a venue proposed for a booking. */
export type VenueOffer = {
  bookingId: string
  offeringId: string
  ruleVersion: number
  slotTime: string
  startsAt: Date
  endsAt: Date
  cancelUntil: Date
}

/** Notes the offer that a booking has now. */
export async function upsertVenueOffer(tx: Db, offer: VenueOffer): Promise<void> {
  await execute(tx)`
    insert into venue_offer (booking_id, offering_id, rule_version, slot_time, starts_at, ends_at,
      cancel_until)
    values (${offer.bookingId}, ${offer.offeringId}, ${offer.ruleVersion}, ${offer.slotTime},
      ${offer.startsAt}, ${offer.endsAt}, ${offer.cancelUntil})
    on conflict (booking_id) do update set offering_id = excluded.offering_id,
      rule_version = excluded.rule_version, slot_time = excluded.slot_time,
      starts_at = excluded.starts_at, ends_at = excluded.ends_at,
      cancel_until = excluded.cancel_until`
}

/** Gives the booking the time that it was offered, which its inventory is for already. */
export async function takeVenueOffer(tx: Db, bookingId: string): Promise<void> {
  await execute(tx)`
    update booking b set offering_id = o.offering_id, rule_version = o.rule_version,
      slot_time = o.slot_time, starts_at = o.starts_at, ends_at = o.ends_at,
      cancel_until = o.cancel_until, changes = least(b.changes + 1, 50)
    from venue_offer o where b.id = ${bookingId} and o.booking_id = ${bookingId}
      and b.status = 'offered'`
}
