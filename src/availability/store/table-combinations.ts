import { z } from 'zod'
import { attempt, type Db, execute, queryRows } from '../../platform/database/sql.ts'
import { tableCombination } from '../rules/table-combinations.ts'
import type { InventoryClaim } from './inventory-claim.ts'

const joinable = z.object({ id: z.string(), party_max: z.int(), joins: z.string() })
type Joinable = z.infer<typeof joinable>

/**
 * Takes the smallest set of at most `most` resources that can be joined for a party too large for any one of them; false when there is
 * none. In the order of their ids, and back to a savepoint when a rival has one of them: so nobody waits for a rival while
 * holding what that rival wants.
 */
export async function takeTableCombination(
  tx: Db,
  claim: InventoryClaim,
  kind: string,
  most: number,
): Promise<boolean> {
  for (;;) {
    const set = setOf(await selectFree(tx, claim, kind), claim.partySize, most)
    if (!set) return false
    const taken = await attempt(tx, async () => {
      const inserted = await insertAllocations(tx, claim, set)
      return inserted === set.length ? true : undefined
    })
    if (taken) return true
  }
}

function setOf(
  free: readonly Joinable[],
  partySize: number,
  most: number,
): Joinable['id'][] | undefined {
  const groups = free.map(({ joins, party_max }) => ({ joins, party_max, count: 1 }))
  const set = tableCombination(groups, partySize, most)
  if (!set) return undefined
  const left = free.filter(({ joins }) => joins === set.joins)
  return set.seats.map((seats) => {
    const [found] = left.splice(
      left.findIndex(({ party_max }) => party_max === seats),
      1,
    )
    return found?.id ?? ''
  })
}

function selectFree(tx: Db, claim: InventoryClaim, kind: string): Promise<Joinable[]> {
  return queryRows(tx, joinable)`
    select r.id, r.party_max, r.joins from resource r
    where r.offering_id = ${claim.offeringId} and r.kind = ${kind} and r.joins is not null
      and r.party_max < ${claim.partySize}
      and r.retired_at is null
      and r.id not in (
        select a.resource_id from allocation a
        where a.offering_id = ${claim.offeringId} and a.active
          and upper(a.during) > ${claim.startsAt}
          and lower(a.during) > ${claim.startsAt}::timestamptz - interval '1 day'
            and lower(a.during) < ${claim.until})
    order by r.id`
}

const insertAllocations = (
  tx: Db,
  claim: InventoryClaim,
  ids: readonly string[],
): Promise<number> =>
  execute(tx)`
    insert into allocation (booking_id, offering_id, resource_id, during, active)
    select ${claim.bookingId}, ${claim.offeringId}, id, tstzrange(${claim.startsAt},
      ${claim.until}), true from unnest(${ids}::uuid[]) as id order by id
    on conflict do nothing`
