import type { GroupStart } from '../../src/itineraries/rules/group-messages.ts'
import { selectGroupStart } from '../../src/itineraries/store/group-progress.ts'
import { askToCancel } from '../../src/itineraries/store/groups.ts'
import { cancelWatch } from '../../src/waitlist/store/entries.ts'
import type { Arena } from './arena.ts'
import { command } from './commands.ts'
import { beginGroup, bookingsOf, turnGroup } from './groups.ts'
import type { Known } from './known.ts'
import { actDue, soonAfter } from './operations.ts'
import { holdOf, lookForPlaces, watch, watchesAt } from './watches.ts'
import type { Outcome, World } from './world.ts'

/** Where, for whom and what; `which` chooses among what there is. */
type Place = {
  arena: Arena
  /** another venue, which always has room */
  roomy: Arena
  accountId: string
  slotTime: string
  partySize: number
  which: number
}

/** What came of it, and bookings that others may act upon from now on. */
export type Seen = { outcome: string; seen: readonly Known[] }

/**
 * Something that agents do at a place rather than to a booking that they know: they wait for one,
 * or want several together. No model says what must become of it, as it depends on who comes first:
 * the questions afterwards do.
 */
export type PlaceOperation = {
  name: string
  weight: number
  run(world: World, place: Place): Promise<Seen>
}

const nothing: Seen = { outcome: 'nothing there', seen: [] }
const pick = <T>(from: readonly T[], which: number): T | undefined => from[which % from.length]

/** Does this to one of the holds that watchers have here. */
const withGiven =
  (act: (world: World, start: Known['start']) => Promise<Outcome>) =>
  async (world: World, { arena, which }: Place): Promise<Seen> => {
    const one = pick((await watchesAt(world, arena)).given, which)
    const start = one && (await holdOf(world, one))
    if (!start) return nothing
    const outcome = await act(world, start)
    return { outcome, seen: outcome.startsWith('refused') ? [] : [known(start, outcome)] }
  }

const known = (start: Known['start'], outcome: Outcome) => ({ start, status: outcome }) as Known

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

export const placeOperations: readonly PlaceOperation[] = [
  {
    name: 'watch',
    weight: 32,
    run: async (world, place) => ({ outcome: await watch(world, place), seen: [] }),
  },
  {
    name: 'confirm what a watch has brought',
    weight: 10,
    run: withGiven((world, start) => command(world, start, 'confirm')),
  },
  {
    name: 'release what a watch has brought',
    weight: 4,
    run: withGiven((world, start) => command(world, start, 'release')),
  },
  {
    name: 'cancel what a watch has brought',
    weight: 4,
    run: withGiven((world, start) => command(world, start, 'cancel')),
  },
  {
    name: 'the time of what a watch has brought ends',
    weight: 4,
    run: withGiven((world, start) => actDue(world, start, soonAfter(1))),
  },
  {
    name: 'stop watching',
    weight: 4,
    async run(world, { arena, which }) {
      const one = pick((await watchesAt(world, arena)).watches, which)
      if (!one || !(await cancelWatch(world.db, one.id, new Date()))) return nothing
      const start = await holdOf(world, one)
      if (start) await command(world, start, 'cancel')
      return { outcome: 'cancelled', seen: [] }
    },
  },
  {
    name: 'look for places that appeared',
    weight: 2,
    async run(world) {
      await lookForPlaces(world, soonAfter(0.1))
      return { outcome: 'looked', seen: [] }
    },
  },
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
