import { cancelWatch } from '../../src/waitlist/store/entries.ts'
import { command } from './commands.ts'
import type { Known } from './known.ts'
import { actDue, soonAfter } from './operations.ts'
import { nothing, type Place, type PlaceOperation, pick, type Seen } from './place.ts'
import { holdOf, lookForPlaces, watch, watchesAt } from './watches.ts'
import type { Outcome, World } from './world.ts'

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

export const watchOperations: readonly PlaceOperation[] = [
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
]
