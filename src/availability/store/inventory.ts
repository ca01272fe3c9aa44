import sql, { empty, raw } from 'sql-template-tag'
import { z } from 'zod'
import { attempt, type Db, query } from '../../platform/database/sql.ts'
import type { Requirement } from '../rules/rules.ts'
import type { Lead } from '../rules/sessions.ts'
import { tableCombination } from '../rules/table-combinations.ts'

/** A claim on a service from `startsAt` to `until` (buffer included). */
export type InventoryClaim = {
  bookingId: string
  /** the id is that of a walk-in, not of a booking */
  isWalkIn?: boolean
  venueId: string
  serviceId: string
  /**
   * the resources that can serve it at that time, even if taken; for a pooled slot, its leaders,
   * who must be free
   */
  resourceIds: readonly string[]
  /** the sessions that these resources led when the rules were read */
  leads: Readonly<Record<string, readonly Lead[]>>
  /** for a pooled slot */
  places: number
  startsAt: Date
  until: Date
  partySize: number
  /** for places in addition to the booking's own, during a pending change */
  ofChange?: boolean
}

type Holder = Pick<InventoryClaim, 'isWalkIn'>
const holderOf = ({ isWalkIn }: Holder) => raw(isWalkIn ? 'walk_in_id' : 'booking_id')

const allocationCounts = z.object({ free: z.number(), taken: z.number() })

/**
 * Takes every required resource: the smallest that fits, or a combination if no single one is free;
 * false if one is missing (roll back). The constraint `allocation_no_overlap` decides between
 * rivals: `on conflict do nothing` waits for a rival's commit; a plain insert would deadlock.
 */
export async function allocate(
  tx: Db,
  claim: InventoryClaim,
  requirements: readonly Requirement[],
): Promise<boolean> {
  for (const { kind, per, max_joined = 1, wished = null } of requirements) {
    const isPerGuest =
      per === 'guest'
        ? await takeAll(tx, claim, { kind, fitting: 1, count: claim.partySize, wished })
        : await takeAll(tx, claim, { kind, fitting: claim.partySize, count: 1, wished })
    if (isPerGuest) continue
    const isJoined = per === 'party' && max_joined > 1 && wished === null
    if (!isJoined || !(await takeTableCombination(tx, claim, kind, max_joined))) return false
  }
  return true
}

type KindClaim = { kind: string; fitting: number; count: number; wished: string | null }

/**
 * If a rival has a resource, a savepoint releases those already taken, so that the two never
 * deadlock. The first attempt skips resources that rivals are taking: waiting for them would be in
 * vain, and a rush for one time would queue for each table in turn.
 */
async function takeAll(tx: Db, claim: InventoryClaim, requirement: KindClaim): Promise<boolean> {
  for (let isFirst = true; ; isFirst = false) {
    let free = 0
    const take = async () => {
      const counts = await takeResources(tx, claim, requirement, isFirst)
      free = counts.free
      return counts.taken === requirement.count ? true : undefined
    }
    if (requirement.count === 1 ? await take() : await attempt(tx, take)) return true
    if (free < requirement.count) return false
  }
}

const takeResources = (
  tx: Db,
  claim: InventoryClaim,
  { kind, fitting, count, wished }: KindClaim,
  passesOver: boolean,
) =>
  query.row(tx, allocationCounts)`
    with free as materialized (
      select r.id from resource r
      where ${isFree(claim, kind)} and ${fitting} between r.party_min and r.party_max
      order by r.id = ${wished}::uuid desc, r.party_max, cardinality(r.can) nulls last, r.id
    ), candidate as (
      select id from free ${passesOver ? ifUncontested(claim.startsAt) : empty} limit ${count}
    ), locked as (
      select r.id from candidate join resource r using (id)
      where ${leadsTheSame(claim)} order by r.id for share of r
    ), taken as (
      insert into allocation (${holderOf(claim)}, venue_id, resource_id, during, active)
      select ${claim.bookingId}, ${claim.venueId}, id, tstzrange(${claim.startsAt},
        ${claim.until}), true from locked
      where ${wished}::uuid is null or ${wished} in (select id from locked)
      order by id
      on conflict do nothing
      returning resource_id
    )
    select (select count(*) from taken) as taken, (select count(*) from free
      where ${wished}::uuid is null or ${wished} in (select id from free)) as free`

/**
 * An SQL condition: a resource still leads what it led when the rules were read. On a row locked
 * for sharing this is final, because scheduling a session waits for the lock.
 */
const leadsTheSame = ({ leads }: InventoryClaim) =>
  sql`r.leads is not distinct from (${JSON.stringify(leads)}::jsonb -> r.id::text)`

const idsOf = ({ resourceIds }: InventoryClaim) => sql`${`{${resourceIds.join()}}`}::uuid[]`

/** An SQL condition for the free resources of a kind. Ids travel as one text, to reuse plans. */
const isFree = (claim: InventoryClaim, kind: string) => sql`
  r.venue_id = ${claim.venueId} and r.kind = ${kind} and r.retired_at is null
  and r.id = any(${idsOf(claim)}) and ${leadsTheSame(claim)}
  and r.id not in (
    select a.resource_id from allocation a
    where a.venue_id = ${claim.venueId} and a.active
      and upper(a.during) > ${claim.startsAt}
      and lower(a.during) > ${claim.startsAt}::timestamptz - interval '1 day'
      and lower(a.during) < ${claim.until})`

/** The list must be materialized: otherwise PostgreSQL locks whatever it filters. */
const ifUncontested = (startsAt: Date) =>
  sql`where pg_try_advisory_xact_lock(
    hashtextextended('resource ' || id, extract(epoch from ${startsAt}::timestamptz)::bigint))`

const joinable = z.object({ id: z.string(), party_max: z.int(), joins: z.string() })
type Joinable = z.infer<typeof joinable>

/**
 * Takes the smallest combination of at most `most` resources; false if there is none. A savepoint
 * prevents deadlocks, as in `takeAll`.
 */
async function takeTableCombination(
  tx: Db,
  claim: InventoryClaim,
  kind: string,
  most: number,
): Promise<boolean> {
  for (;;) {
    const set = setOf(await selectFree(tx, claim, kind), claim.partySize, most)
    if (!set) return false
    const isAllocated = await attempt(tx, async () => {
      const inserted = await insertAllocations(tx, claim, set)
      return inserted === set.length ? true : undefined
    })
    if (isAllocated) return true
  }
}

function setOf(free: readonly Joinable[], partySize: number, most: number) {
  const groups = free.map(({ joins, party_max }) => ({ joins, party_max, count: 1 }))
  const set = tableCombination(groups, partySize, most)
  if (!set) return undefined
  const remaining = free.filter(({ joins }) => joins === set.joins)
  return set.seats.map((seats) => {
    const index = remaining.findIndex(({ party_max }) => party_max === seats)
    return remaining.splice(index, 1)[0]?.id ?? ''
  })
}

const selectFree = (tx: Db, claim: InventoryClaim, kind: string) =>
  query.rows(tx, joinable)`
    select r.id, r.party_max, r.joins from resource r
    where ${isFree(claim, kind)} and r.joins is not null and r.party_max < ${claim.partySize}
    order by r.id`

const insertAllocations = (tx: Db, claim: InventoryClaim, ids: readonly string[]) =>
  query.execute(tx)`
    insert into allocation (${holderOf(claim)}, venue_id, resource_id, during, active)
    select ${claim.bookingId}, ${claim.venueId}, r.id, tstzrange(${claim.startsAt},
      ${claim.until}), true from resource r
    where r.id = any(${ids}::uuid[]) and ${leadsTheSame(claim)} order by r.id for share
    on conflict do nothing`

/**
 * Takes places in a pooled slot; false if too few are left (`slot_counter_not_oversold`), the
 * session was cancelled meanwhile, or its leader is booked.
 */
export async function takeSeats(tx: Db, claim: InventoryClaim): Promise<boolean> {
  const cap = claim.places
  const count = await query.execute(tx)`
    with counted as (
      insert into slot_counter as c (service_id, starts_at, cap, used)
      select ${claim.serviceId}::uuid, ${claim.startsAt}::timestamptz, ${cap}::integer,
        ${claim.partySize}::integer where ${claim.partySize}::integer <= ${cap}::integer
          and not exists (select from allocation a where a.resource_id = any(${idsOf(claim)})
            and a.active and a.during && tstzrange(${claim.startsAt}, ${claim.until}))
      on conflict (service_id, starts_at) do update set used = c.used + excluded.used
      where not c.closed and c.used + excluded.used <= least(c.cap, excluded.cap)
      returning service_id, starts_at
    )
    insert into slot_count (${holderOf(claim)}, service_id, starts_at, places, active, of_change)
    select ${claim.bookingId}, service_id, starts_at, ${claim.partySize}, true,
      ${claim.ofChange ?? false} from counted`
  return count === 1
}

/** Stops selling places in a slot whose session is cancelled. */
export const closeCounter = (tx: Db, serviceId: string, startsAt: Date) =>
  query.execute(tx)`
    insert into slot_counter (service_id, starts_at, cap, used, closed)
    values (${serviceId}, ${startsAt}, 0, 0, true)
    on conflict (service_id, starts_at) do update set closed = true`

type Target = Pick<InventoryClaim, 'serviceId' | 'startsAt'>

/** Deletes a booking's inventory, so that the booking can take something that overlaps it. */
export async function dropInventory(tx: Db, bookingId: string, next?: Target) {
  await lockCounters(tx, bookingId, next)
  await releaseInventory(tx, bookingId)
  await query.execute(tx)`delete from allocation where booking_id = ${bookingId}`
  await query.execute(tx)`delete from slot_count where booking_id = ${bookingId}`
}

/** Locks the counters of the old and new slots in a fixed order, to avoid deadlocks. */
export const lockCounters = (tx: Db, bookingId: string, next?: Target) =>
  query.execute(tx)`
    select from slot_counter c
    where (c.service_id, c.starts_at) in (
      select t.service_id, t.starts_at from slot_count t where t.booking_id = ${bookingId}
      union all select ${next?.serviceId ?? null}::uuid, ${next?.startsAt ?? null}::timestamptz)
    order by c.service_id, c.starts_at for update`

/** Releases the inventory of a booking or walk-in; repeating it changes nothing. */
export async function releaseInventory(tx: Db, id: string, holder: Holder = {}): Promise<void> {
  const isHeld = sql`${holderOf(holder)} = ${id} and active`
  await query.execute(tx)`update allocation set active = false where ${isHeld}`
  await query.execute(tx)`
    with released as (
      update slot_count set active = false where ${isHeld}
      returning service_id, starts_at, places
    )
    update slot_counter c set used = c.used - r.places
    from (select service_id, starts_at, sum(places)::integer as places from released
      group by 1, 2) r
    where c.service_id = r.service_id and c.starts_at = r.starts_at`
}
