import { z } from 'zod'
import { int } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { dropInventory, type InventoryClaim, lockCounters, takeSeats } from './inventory.ts'

const allocationRow = z.object({
  venue_id: z.uuid(),
  resource_id: z.uuid(),
  during: z.string(),
})

/** Deletes a booking's allocations; other transactions see this only after the commit. */
const liftAllocations = (tx: Db, bookingId: string) =>
  query.rows(tx, allocationRow)`
    delete from allocation where booking_id = ${bookingId}
      returning venue_id, resource_id, during`

/**
 * Holds resources for a pending change, in addition to the booking's own; returns their ids, or
 * undefined if some are unavailable (roll back). `take` runs as if the booking had no resources, so
 * it may choose the booking's own, of which only the extra time is then held.
 */
export async function holdResources(
  tx: Db,
  { bookingId }: Pick<InventoryClaim, 'bookingId'>,
  take: () => Promise<boolean>,
): Promise<string[] | undefined> {
  const own = await liftAllocations(tx, bookingId)
  if (!(await take())) return undefined
  const allocations = await liftAllocations(tx, bookingId)
  await query.execute(tx)`
    with own as (
      select * from jsonb_to_recordset(${JSON.stringify(own)}) as o (venue_id uuid,
        resource_id uuid, during tstzrange)
    ), wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(allocations)}) as w (venue_id uuid,
        resource_id uuid, during tstzrange)
    )
    insert into allocation (booking_id, venue_id, resource_id, during, active, of_change)
    select ${bookingId}::uuid, venue_id, resource_id, during, true, false from own
    union all
    select ${bookingId}::uuid, w.venue_id, w.resource_id, beyond, true, true
    from wanted w cross join lateral unnest(tstzmultirange(w.during) - coalesce(
      (select range_agg(o.during) from own o where o.resource_id = w.resource_id), '{}')) as beyond`
  return allocations.map(({ resource_id }) => resource_id)
}

/** Holds additional places of a pooled slot; false if too few are left. */
export async function holdPlaces(tx: Db, claim: InventoryClaim): Promise<boolean> {
  const own = await query.optionalValue(tx, int)`
    select places from slot_count
    where booking_id = ${claim.bookingId} and service_id = ${claim.serviceId}
      and starts_at = ${claim.startsAt} and active`
  const more = claim.partySize - (own ?? 0)
  return more <= 0 || takeSeats(tx, { ...claim, partySize: more, ofChange: true })
}

/** Whether a change's session was cancelled meanwhile; if not, it can no longer be cancelled. */
export async function isChangeClosed(tx: Db, bookingId: string): Promise<boolean> {
  await lockCounters(tx, bookingId)
  return query.affectsRow(tx)`
    select from booking_change n
    join slot_counter c on c.service_id = n.service_id and c.starts_at = n.starts_at
    where n.booking_id = ${bookingId} and n.places > 0 and c.closed`
}

/** Replaces the booking's inventory with that of the change, once the venue has agreed. */
export async function applyHeldChange(tx: Db, bookingId: string): Promise<void> {
  await dropInventory(tx, bookingId)
  await query.execute(tx)`
    insert into allocation (booking_id, venue_id, resource_id, during, active)
    select c.booking_id, b.venue_id, unnest(c.resource_ids),
      tstzrange(c.starts_at, c.occupied_until), true
    from booking_change c join booking b on b.id = c.booking_id
    where c.booking_id = ${bookingId}`
  await query.execute(tx)`
    with taken as (
      insert into slot_count (booking_id, service_id, starts_at, places, active)
      select booking_id, service_id, starts_at, places, true from booking_change
      where booking_id = ${bookingId} and places > 0
      returning service_id, starts_at, places
    )
    update slot_counter c set used = c.used + t.places from taken t
    where c.service_id = t.service_id and c.starts_at = t.starts_at`
}

/** Releases a change's inventory once the change has ended. */
export async function releaseHeldChange(tx: Db, bookingId: string): Promise<void> {
  // Otherwise, a later step that offers the booking's own slot could deadlock with another booking.
  await lockCounters(tx, bookingId)
  await query.execute(tx)`delete from allocation where booking_id = ${bookingId} and of_change`
  await query.execute(tx)`
    with released as (
      delete from slot_count where booking_id = ${bookingId} and of_change and active
      returning service_id, starts_at, places
    )
    update slot_counter c set used = c.used - r.places from released r
    where c.service_id = r.service_id and c.starts_at = r.starts_at`
}
