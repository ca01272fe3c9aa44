import { runCommands } from '../../src/bookings/steps/run-commands.ts'
import { selectBookingStart } from '../../src/bookings/store/booking-starts.ts'
import { venueProgram } from '../../src/commands/venue-program.ts'
import { runTyped } from '../../test/support/operator.ts'
import { stepDeps } from '../../test/support/terms.ts'
import { type Arena, LEADER, nameOf } from './arena.ts'
import type { OperationResult, VenueOperation, VenueTarget } from './venue-operation.ts'
import type { World } from './world.ts'

/** What the operator does to the sessions of a class, while agents book and its leaders teach. */
export const sessionOperations: readonly VenueOperation[] = [
  {
    name: 'schedule a session',
    weight: 3,
    run: (world, target) => {
      const leader = nameOf(LEADER, target.which % (target.arena.kind.stock[LEADER] ?? 1))
      return change(world, target, 'add', '--places', '5', '--with', leader)
    },
  },
  {
    name: 'cancel a session',
    weight: 2,
    async run(world, target) {
      const flags = ['--reason', 'Flu', '--cancel-bookings']
      const result = await change(world, target, 'cancel', ...flags)
      await runCancellations(world, target.arena)
      return result
    },
  },
]

/** Refusals that depend on who comes first. */
const refusals = ['is booked then', 'leads two at once', 'No session begins']

/** One change runs at a time, as imports do: the last of those that wait. */
let last: Promise<unknown> = Promise.resolve()

async function change(
  { db }: World,
  { arena, slotTime }: VenueTarget,
  verb: 'add' | 'cancel',
  ...others: string[]
): Promise<OperationResult> {
  const [date = '', clock = ''] = slotTime.split('T')
  const when = ['--date', date, '--start', clock.slice(0, 5)]
  const typed = ['session', verb, arena.slug, 'Arena class', ...when, ...others]
  const run = last.then(() => runTyped(venueProgram, typed, { db }))
  last = run.catch(() => {})
  try {
    await run
    return { outcome: 'done', bookings: [] }
  } catch (error) {
    const why = refusals.find((one) => String(error).includes(one))
    if (!why) throw error
    return { outcome: `refused: ${why}`, bookings: [] }
  }
}

/** Stands in for the sweep, which wakes bookings that have a command. */
async function runCancellations({ db }: World, { id }: Arena) {
  const { rows } = await db.query(
    `select distinct b.id from command c join booking b on b.id = c.booking_id
     where b.venue_id = $1 and c.answer is null and c.begun_at is null order by 1`,
    [id],
  )
  for (const { id } of rows) {
    const start = await selectBookingStart(db, id)
    await runCommands(db, start, stepDeps, { commandIds: [], at: new Date() })
  }
}
