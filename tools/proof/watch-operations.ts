import { cancelWatch } from '../../src/waitlist/store/entries.ts'
import { command } from './commands.ts'
import type { KnownBooking } from './known-booking.ts'
import { actDue, hoursFromNow } from './operations.ts'
import {
  nothingToDo,
  type OperationResult,
  pick,
  type VenueOperation,
  type VenueTarget,
} from './venue-operation.ts'
import { holdOf, runWaitlistScan, watch, watchesAt } from './watches.ts'
import type { Outcome, World } from './world.ts'

/** Runs `act` on one of the holds offered to waitlist entries at this venue. */
const withOfferedHold =
  (act: (world: World, start: KnownBooking['start']) => Promise<Outcome>) =>
  async (world: World, { arena, which }: VenueTarget): Promise<OperationResult> => {
    const one = pick((await watchesAt(world, arena)).offered, which)
    const start = one && (await holdOf(world, one))
    if (!start) return nothingToDo
    const outcome = await act(world, start)
    return {
      outcome,
      bookings: outcome.startsWith('refused') ? [] : [knownBooking(start, outcome)],
    }
  }

const knownBooking = (start: KnownBooking['start'], outcome: Outcome) =>
  ({ start, status: outcome }) as KnownBooking

export const watchOperations: readonly VenueOperation[] = [
  {
    name: 'watch',
    weight: 32,
    run: async (world, target) => ({ outcome: await watch(world, target), bookings: [] }),
  },
  {
    name: 'confirm an offered hold',
    weight: 10,
    run: withOfferedHold((world, start) => command(world, start, 'confirm')),
  },
  {
    name: 'release an offered hold',
    weight: 4,
    run: withOfferedHold((world, start) => command(world, start, 'release')),
  },
  {
    name: 'cancel an offered hold',
    weight: 4,
    run: withOfferedHold((world, start) => command(world, start, 'cancel')),
  },
  {
    name: 'an offered hold expires',
    weight: 4,
    run: withOfferedHold((world, start) => actDue(world, start, hoursFromNow(1))),
  },
  {
    name: 'stop watching',
    weight: 4,
    async run(world, { arena, which }) {
      const one = pick((await watchesAt(world, arena)).watches, which)
      if (!one || !(await cancelWatch(world.db, one.id, new Date()))) return nothingToDo
      const start = await holdOf(world, one)
      if (start) await command(world, start, 'cancel')
      return { outcome: 'cancelled', bookings: [] }
    },
  },
  {
    name: 'scan the waitlist',
    weight: 2,
    async run(world) {
      await runWaitlistScan(world, hoursFromNow(0.1))
      return { outcome: 'scanned', bookings: [] }
    },
  },
]
