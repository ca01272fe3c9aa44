import type { GroupStart } from '../../src/itineraries/rules/group-messages.ts'
import { selectGroupStart } from '../../src/itineraries/store/group-progress.ts'
import { askToCancel } from '../../src/itineraries/store/groups.ts'
import { beginGroup, bookingsOf, turnGroup } from './groups.ts'
import { soonAfter } from './operations.ts'
import { nothing, type Place, type PlaceOperation, pick, type Seen } from './place.ts'
import type { World } from './world.ts'

async function groupAt({ db }: World, { arena, which }: Place): Promise<GroupStart | undefined> {
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
 * Begins a group of a place here and one at the venue that has room, and takes it as many turns.
 */
const begins =
  (kind: GroupStart['kind'], turns: number) =>
  async (world: World, place: Place): Promise<Seen> => {
    const group = await beginGroup(world, place, kind, [place.arena, place.roomy])
    if (!group) return { outcome: 'refused: itinerary_limit', seen: [] }
    for (let done = 1; done < turns; done += 1) await turnGroup(world, group)
    return turn(world, place, group)
  }

async function turn(world: World, place: Place, group: GroupStart, at?: Date): Promise<Seen> {
  const outcome = await turnGroup(world, group, at)
  const bookings = await bookingsOf(world, group)
  return { outcome, seen: bookings.filter(({ start }) => start.venueId === place.arena.id) }
}

export const groupOperations: readonly PlaceOperation[] = [
  { name: 'begin alternatives', weight: 10, run: begins('any_of', 1) },
  { name: 'begin an itinerary', weight: 10, run: begins('itinerary', 3) },
  {
    name: 'go on with a group',
    weight: 32,
    async run(world, place) {
      const group = await groupAt(world, place)
      return group ? turn(world, place, group) : nothing
    },
  },
  {
    name: 'cancel an itinerary',
    weight: 3,
    async run(world, place) {
      const group = await groupAt(world, place)
      if (group?.kind !== 'itinerary') return nothing
      const { groupId: id, accountId } = group
      await askToCancel(world.db, { id, accountId, by: 'agent', at: new Date() })
      return turn(world, place, group)
    },
  },
  {
    name: 'the time of an itinerary ends',
    weight: 3,
    async run(world, place) {
      const group = await groupAt(world, place)
      return group?.kind === 'itinerary' ? turn(world, place, group, soonAfter(1)) : nothing
    },
  },
]
