import type { GroupStart } from '../../src/itineraries/rules/group-messages.ts'
import { selectGroupStart } from '../../src/itineraries/store/group-progress.ts'
import { askToCancel } from '../../src/itineraries/store/groups.ts'
import { beginGroup, bookingsOf, turnGroup } from './groups.ts'
import { hoursFromNow } from './operations.ts'
import {
  nothingToDo,
  type OperationResult,
  pick,
  type VenueOperation,
  type VenueTarget,
} from './venue-operation.ts'
import type { World } from './world.ts'

async function groupAt(
  { db }: World,
  { arena, which }: VenueTarget,
): Promise<GroupStart | undefined> {
  const { rows } = await db.query(
    `select g.id from booking_group g
     join group_member m on m.group_id = g.id and m.position = 1
     where m.venue_id = $1 and g.next_action_at is not null order by g.id`,
    [arena.id],
  )
  const one = pick(rows as { id: string }[], which)
  return one && selectGroupStart(db, one.id)
}

/**
 * Creates a group with one slot at this venue and one at the never-full venue, and runs `turns` of
 * its workflow.
 */
const create =
  (kind: GroupStart['kind'], turns: number) =>
  async (world: World, target: VenueTarget): Promise<OperationResult> => {
    const group = await beginGroup(world, target, kind, [target.arena, target.roomy])
    if (!group) return { outcome: 'refused: itinerary_limit', bookings: [] }
    for (let done = 1; done < turns; done += 1) await turnGroup(world, group)
    return turn(world, target, group)
  }

async function turn(
  world: World,
  target: VenueTarget,
  group: GroupStart,
  at?: Date,
): Promise<OperationResult> {
  const outcome = await turnGroup(world, group, at)
  const bookings = await bookingsOf(world, group)
  return { outcome, bookings: bookings.filter(({ start }) => start.venueId === target.arena.id) }
}

export const groupOperations: readonly VenueOperation[] = [
  { name: 'create alternatives', weight: 10, run: create('any_of', 1) },
  { name: 'create an itinerary', weight: 10, run: create('itinerary', 3) },
  {
    name: 'continue a group',
    weight: 32,
    async run(world, target) {
      const group = await groupAt(world, target)
      return group ? turn(world, target, group) : nothingToDo
    },
  },
  {
    name: 'cancel an itinerary',
    weight: 3,
    async run(world, target) {
      const group = await groupAt(world, target)
      if (group?.kind !== 'itinerary') return nothingToDo
      const { groupId: id, accountId } = group
      await askToCancel(world.db, { id, accountId, by: 'agent', at: new Date() })
      return turn(world, target, group)
    },
  },
  {
    name: 'an itinerary times out',
    weight: 3,
    async run(world, target) {
      const group = await groupAt(world, target)
      return group?.kind === 'itinerary' ? turn(world, target, group, hoursFromNow(1)) : nothingToDo
    },
  },
]
