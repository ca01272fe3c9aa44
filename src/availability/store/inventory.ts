import { z } from 'zod'
import { attempt, type Db, execute, queryRow } from '../../platform/database/sql.ts'
import type { Requirement } from '../rules/rules.ts'
import type { InventoryClaim } from './inventory-claim.ts'
import { takeTableCombination } from './table-combinations.ts'

const found = z.object({ candidates: z.number(), taken: z.number() })

/**
 * Takes every resource that the requirements name, smallest fitting first, joined ones where no single one is left; false when one
 * cannot be had (roll back).
 * `allocation_no_overlap` decides: `on conflict do nothing` waits for a rival's commit and then takes the next candidate,
 * where a plain insert deadlocks under contention.
 */
export async function allocate(
  tx: Db,
  claim: InventoryClaim,
  requirements: readonly Requirement[],
): Promise<boolean> {
  for (const { kind, per, max_joined = 1 } of requirements) {
    const taken =
      per === 'guest'
        ? await takeAll(tx, claim, { kind, fitting: 1, count: claim.partySize })
        : await takeAll(tx, claim, { kind, fitting: claim.partySize, count: 1 })
    if (taken) continue
    const isJoined = per === 'party' && max_joined > 1
    if (!isJoined || !(await takeTableCombination(tx, claim, kind, max_joined))) return false
  }
  return true
}

type Wanted = { kind: string; fitting: number; count: number }

/**
 * All of them in the order of their ids, or back to a savepoint and anew when a rival has one: so nobody waits for a rival while
 * holding what that rival wants.
 */
async function takeAll(tx: Db, claim: InventoryClaim, wanted: Wanted): Promise<boolean> {
  for (;;) {
    let candidates = 0
    const take = async () => {
      const found = await takeResources(tx, claim, wanted)
      candidates = found.candidates
      return found.taken === wanted.count ? true : undefined
    }
    if (wanted.count === 1 ? await take() : await attempt(tx, take)) return true
    if (candidates < wanted.count) return false
  }
}

async function takeResources(tx: Db, claim: InventoryClaim, { kind, fitting, count }: Wanted) {
  return queryRow(tx, found)`
    with candidate as (
      select r.id from resource r
      where r.offering_id = ${claim.offeringId} and r.kind = ${kind}
        and ${fitting} between r.party_min and r.party_max
        and r.retired_at is null
        and r.id not in (
          select a.resource_id from allocation a
          where a.offering_id = ${claim.offeringId} and a.active
            and upper(a.during) > ${claim.startsAt}
            and lower(a.during) > ${claim.startsAt}::timestamptz - interval '1 day'
              and lower(a.during) < ${claim.until})
      order by r.party_max, r.id
      limit ${count}
    ), taken as (
      insert into allocation (booking_id, offering_id, resource_id, during, active)
      select ${claim.bookingId}, ${claim.offeringId}, id, tstzrange(${claim.startsAt},
        ${claim.until}), true from candidate
      on conflict do nothing
      returning resource_id
    )
    select (select count(*) from candidate) as candidates, (select count(*) from taken) as taken`
}

/** Takes `partySize` of `cap` places of a pooled slot; false when too few are left. `slot_counter_not_oversold` is the guarantee. */
export async function takeSeats(tx: Db, claim: InventoryClaim, cap: number): Promise<boolean> {
  const taken = await execute(tx)`
    with counted as (
      insert into slot_counter as c (offering_id, starts_at, cap, used)
      select ${claim.offeringId}::uuid, ${claim.startsAt}::timestamptz, ${cap}::integer,
        ${claim.partySize}::integer where ${claim.partySize}::integer <= ${cap}::integer
      on conflict (offering_id, starts_at) do update set used = c.used + excluded.used
      where c.used + excluded.used <= least(c.cap, excluded.cap)
      returning offering_id, starts_at
    )
    insert into slot_take (booking_id, offering_id, starts_at, places, active, of_change)
    select ${claim.bookingId}, offering_id, starts_at, ${claim.partySize}, true,
      ${claim.ofChange ?? false} from counted`
  return taken === 1
}

/**
 * Lets go of what a booking holds so that it can take something else, in the same transaction, that may overlap it. The counters of
 * its old and of its new time are locked in one order, so that two bookings that change places do not wait for each other.
 */
export async function letGo(
  tx: Db,
  bookingId: string,
  next: Pick<InventoryClaim, 'offeringId' | 'startsAt'>,
) {
  await lockCounters(tx, bookingId, next)
  await releaseInventory(tx, bookingId)
  await execute(tx)`delete from allocation where booking_id = ${bookingId}`
  await execute(tx)`delete from slot_take where booking_id = ${bookingId}`
}

/** Locks the counters of what a booking has, and of what it wants, in the one order in which everybody locks several. */
export async function lockCounters(
  tx: Db,
  bookingId: string,
  next?: Pick<InventoryClaim, 'offeringId' | 'startsAt'>,
): Promise<void> {
  await execute(tx)`
    select from slot_counter c
    where (c.offering_id, c.starts_at) in (
      select t.offering_id, t.starts_at from slot_take t where t.booking_id = ${bookingId}
      union all select ${next?.offeringId ?? null}::uuid, ${next?.startsAt ?? null}::timestamptz)
    order by c.offering_id, c.starts_at for update`
}

/** Gives back whatever the booking holds; a second call changes nothing. */
export async function releaseInventory(tx: Db, bookingId: string): Promise<void> {
  await execute(tx)`update allocation set active = false where booking_id = ${bookingId} and active`
  await execute(tx)`
    with released as (
      update slot_take set active = false where booking_id = ${bookingId} and active
      returning offering_id, starts_at, places
    )
    update slot_counter c set used = c.used - r.places
    from (select offering_id, starts_at, sum(places)::integer as places from released
      group by 1, 2) r
    where c.offering_id = r.offering_id and c.starts_at = r.starts_at`
}
