import { z } from 'zod'
import { type Db, execute, queryOptionalRow, queryRows } from '../../platform/database/sql.ts'
import { lockCounters, releaseInventory, takeSeats } from './inventory.ts'
import type { InventoryClaim } from './inventory-claim.ts'

const allocationRow = z.object({
  offering_id: z.uuid(),
  resource_id: z.uuid(),
  during: z.string(),
})

/** Takes the allocations of a booking out, to be put back in the same transaction: nobody else can have them meanwhile. */
const liftAllocations = (tx: Db, bookingId: string) =>
  queryRows(tx, allocationRow)`
    delete from allocation where booking_id = ${bookingId}
      returning offering_id, resource_id, during`

/**
 * Keeps resources for what a booking is to become, beside what it has; answers which ones, undefined when they cannot be had (roll
 * back). `take` takes them as if the booking had nothing, so they may be its own: then only the time beyond its own is taken.
 */
export async function keepResources(
  tx: Db,
  { bookingId }: Pick<InventoryClaim, 'bookingId'>,
  take: () => Promise<boolean>,
): Promise<string[] | undefined> {
  const own = await liftAllocations(tx, bookingId)
  if (!(await take())) return undefined
  const wanted = await liftAllocations(tx, bookingId)
  await execute(tx)`
    with own as (
      select * from jsonb_to_recordset(${JSON.stringify(own)}) as o (offering_id uuid,
        resource_id uuid, during tstzrange)
    ), wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(wanted)}) as w (offering_id uuid,
        resource_id uuid, during tstzrange)
    )
    insert into allocation (booking_id, offering_id, resource_id, during, active, of_change)
    select ${bookingId}::uuid, offering_id, resource_id, during, true, false from own
    union all
    select ${bookingId}::uuid, w.offering_id, w.resource_id, beyond, true, true
    from wanted w cross join lateral unnest(tstzmultirange(w.during) - coalesce(
      (select range_agg(o.during) from own o where o.resource_id = w.resource_id), '{}')) as beyond`
  return wanted.map(({ resource_id }) => resource_id)
}

const takeRow = z.object({ places: z.int() })

/** The same for places of a pooled slot: of its own slot only those beyond the ones that it has; false when too few are left. */
export async function keepSeats(tx: Db, claim: InventoryClaim, cap: number): Promise<boolean> {
  const own = await queryOptionalRow(tx, takeRow)`
    select places from slot_take
    where booking_id = ${claim.bookingId} and offering_id = ${claim.offeringId}
      and starts_at = ${claim.startsAt} and active`
  const more = claim.partySize - (own?.places ?? 0)
  return more <= 0 || takeSeats(tx, { ...claim, partySize: more, ofChange: true }, cap)
}

/** The venue has said yes: what was kept for the change becomes the booking's, and what it had is free. */
export async function takeKept(tx: Db, bookingId: string): Promise<void> {
  await lockCounters(tx, bookingId)
  await releaseInventory(tx, bookingId)
  await execute(tx)`delete from allocation where booking_id = ${bookingId}`
  await execute(tx)`delete from slot_take where booking_id = ${bookingId}`
  await execute(tx)`
    insert into allocation (booking_id, offering_id, resource_id, during, active)
    select booking_id, offering_id, unnest(resource_ids), tstzrange(starts_at, occupied_until),
      true
    from booking_change where booking_id = ${bookingId}`
  await execute(tx)`
    with taken as (
      insert into slot_take (booking_id, offering_id, starts_at, places, active)
      select booking_id, offering_id, starts_at, places, true from booking_change
      where booking_id = ${bookingId} and places > 0
      returning offering_id, starts_at, places
    )
    update slot_counter c set used = c.used + t.places from taken t
    where c.offering_id = t.offering_id and c.starts_at = t.starts_at`
}

/** The change is off: what was kept for it is free, and the booking has what it had. */
export async function letGoOfKept(tx: Db, bookingId: string): Promise<void> {
  await execute(tx)`delete from allocation where booking_id = ${bookingId} and of_change`
  await execute(tx)`
    with released as (
      delete from slot_take where booking_id = ${bookingId} and of_change and active
      returning offering_id, starts_at, places
    )
    update slot_counter c set used = c.used - r.places from released r
    where c.offering_id = r.offering_id and c.starts_at = r.starts_at`
}
