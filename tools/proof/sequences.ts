import fc from 'fast-check'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { type Arena, addArena, arenaKinds } from './arena.ts'
import { type Model, type ModelBooking, newBooking, resourcesOf } from './model.ts'
import { fits, type Operation, operations } from './operations.ts'
import type { RequestedSlot } from './predictions.ts'
import { openAccount, request, type World } from './world.ts'

/** Totals, and the first sequence that differed from the model, shrunk. */
export type SequenceResult = { sequences: number; operations: number; failure: string | null }

export type SequenceOptions = { sequences: number; seed: number; deadline: number }

const MAX_OPERATIONS = 60

type Real = {
  world: World
  arena: Arena
  accountId: string
  starts: BookingStart[]
  ran: () => void
}
type Choice = { slot: number; partySize: number; which: number; service: number }
type Command = fc.AsyncCommand<Model, Real>

/**
 * Random sequences of operations, each alone at its own venue, so that the model predicts every
 * outcome. The rows left behind are compared at the end.
 */
export async function sequence(world: World, options: SequenceOptions): Promise<SequenceResult> {
  const count = { sequences: 0, operations: 0 }
  const property = fc.asyncProperty(
    fc.constantFrom(...arenaKinds),
    fc.commands(operations.map(commandsOf), { maxCommands: MAX_OPERATIONS, size: 'max' }),
    async (kind, commands) => {
      const arena = await addArena(world.db, kind)
      const accountId = await openAccount(world.db)
      const model: Model = { arena, bookings: [] }
      const starts: BookingStart[] = []
      const ran = () => {
        count.operations += 1
      }
      await fc.asyncModelRun(
        () => ({ model, real: { world, arena, accountId, starts, ran } }),
        commands,
      )
      await compareWhatIsLeft(world, model, starts)
      count.sequences += 1
    },
  )
  const result = await fc.check(property, {
    numRuns: options.sequences,
    seed: options.seed,
    interruptAfterTimeLimit: Math.max(0, options.deadline - performance.now()),
  })
  const failure = result.failed ? fc.defaultReportMessage(result) : null
  return { ...count, failure: failure ?? null }
}

const choice: fc.Arbitrary<Choice> = fc.record({
  slot: fc.nat(2),
  partySize: fc.integer({ min: 1, max: 3 }),
  which: fc.nat(20),
  service: fc.nat(2),
})

const commandsOf = (operation: Operation): fc.Arbitrary<Command> =>
  choice.map((picked) =>
    operation.on === 'request'
      ? requestCommand(operation, picked)
      : actionCommand(operation, picked),
  )

const slotIn = ({ arena }: Model, { slot }: Choice) => arena.slotTimes[slot] ?? ''

const described = ({ name }: Operation, { slot, partySize, which, service }: Choice) =>
  `${name} (slot ${slot}, party of ${partySize}, booking ${which}, service ${service})`

/** The service that is asked for; none if the venue has a single one, or for the last number. */
const serviceIn = ({ arena: { serviceIds } }: Model, { service }: Choice) =>
  serviceIds.length > 1 && service < serviceIds.length ? service : undefined

function requestCommand(operation: Operation, picked: Choice): Command {
  return {
    check: () => true,
    toString: () => described(operation, picked),
    async run(model, real) {
      const slotTime = slotIn(model, picked)
      const { partySize } = picked
      const { accountId } = real
      const { purpose } = operation
      const service = serviceIn(model, picked)
      const booking = newBooking(model, { slotTime, partySize, service })
      const requestedBooking = {
        slotTime,
        partySize,
        service,
        accountId,
        ...(purpose && { purpose }),
      }
      const start = await request(real.world.db, real.arena, requestedBooking)
      real.starts.push(start)
      await runAndCompare(operation, { model, booking, real, start }, { slotTime, partySize })
    },
  }
}

function actionCommand(operation: Operation, picked: Choice): Command {
  const fitting = ({ arena, bookings }: Readonly<Model>) =>
    bookings.filter(({ status }) => fits(operation, arena.kind.confirmMode, status))
  return {
    check: (model) => fitting(model).length > 0,
    toString: () => described(operation, picked),
    async run(model, real) {
      const candidates = fitting(model)
      const booking = candidates[picked.which % candidates.length]
      const start = booking && real.starts[model.bookings.indexOf(booking)]
      const requested = { slotTime: slotIn(model, picked), partySize: picked.partySize }
      if (start) await runAndCompare(operation, { model, booking, real, start }, requested)
    },
  }
}

type Step = { model: Model; booking: ModelBooking; real: Real; start: BookingStart }

async function runAndCompare(
  operation: Operation,
  { model, booking, real: { world, ran }, start }: Step,
  requested: RequestedSlot,
) {
  const before = booking.status
  const expected = operation.predict(model, booking, requested)
  const outcome = await operation.run(world, start, requested)
  ran()
  if (outcome === expected) return
  throw new Error(`${operation.name}, from ${before}: ${outcome} instead of ${expected}`)
}

/** Compares the stored rows of each booking with the model. */
async function compareWhatIsLeft({ db }: World, { bookings }: Model, starts: BookingStart[]) {
  const { rows } = await db.query(
    `select r.booking_id as id, coalesce(b.status, 'refused') as status,
       (select count(*) from allocation a where a.booking_id = b.id and a.active) as resources,
       coalesce((select sum(places) from slot_count t where t.booking_id = b.id
         and t.active), 0) as places,
       (select count(*) from fee_entry f where f.booking_id = b.id
         and f.kind = 'accrual') as accrued,
       (select count(*) from fee_entry f where f.booking_id = b.id
         and f.kind = 'reversal') as reversed
     from request r left join booking b on b.id = r.booking_id
     where r.booking_id = any($1::uuid[])`,
    [starts.map(({ bookingId }) => bookingId)],
  )
  const rest = new Map(rows.map(({ id, ...row }) => [id, JSON.stringify(row)]))
  for (const [index, booking] of bookings.entries()) {
    const { status, places, fees } = booking
    const outcome = status.startsWith('refused') ? 'refused' : status
    const expected = JSON.stringify({
      status: outcome,
      resources: resourcesOf(booking),
      places,
      ...fees,
    })
    const actual = rest.get(starts[index]?.bookingId)
    if (actual !== expected) throw new Error(`stored ${actual} instead of ${expected}`)
  }
}
