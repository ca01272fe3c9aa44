import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { MAX_HOLDS } from '../../src/bookings/rules/booking.ts'
import { noLimits } from '../../src/bookings/rules/limits.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { upsertLimits } from '../../src/bookings/store/limits.ts'
import { makeKey } from '../../test/support/agent.ts'
import { writeRequest } from '../../test/support/requests.ts'
import { stepDeps } from '../../test/support/terms.ts'
import { emptyWorkflows } from './empty-workflows.ts'
import { type Measured, measure, measureInTurn, row, TURNS } from './load.ts'
import { post } from './post.ts'
import type { Service } from './service.ts'
import { connectToSimulator } from './simulated.ts'
import { addBenchVenue, bookingNumber } from './venue.ts'

const CALLERS = [1, 20]
const callsOf = (callers: number) => 100 + callers * 10
/** Calls per workload: enough to measure a warm service. */
const WARM_CALLS = 200
const BOOKINGS_FOR_MEMORY = 1_000

/** Bookings through REST, compared with an empty workflow and the same writes without an engine. */
export async function benchBookings(service: Service): Promise<void> {
  const { amount } = service
  const { key } = await makeKey(service.db, 'pro')
  const venue = await addBenchVenue(service.db)
  const bareVenue = await addBenchVenue(service.db)
  const engine = await emptyWorkflows(service)
  const simulated = await addBenchVenue(service.db)
  await connectToSimulator(service, simulated.id)
  let booked = 0
  const bookAt = (venueId: string, number: number) => {
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() }
    return post(`${service.url}/api/bookings`, headers, bookingNumber(venueId, number), 201)
  }
  const book = () => bookAt(venue.id, booked++)
  let requested = 0
  const bookWithConnector = () => bookAt(simulated.id, requested++)
  const write = bareWrites(service, bareVenue.id)
  const hold = await holds(service)
  for (const warm of [book, engine.run, write, bookWithConnector, hold])
    await measure(4, amount(WARM_CALLS), warm)
  for (const callers of CALLERS) {
    const [empty, bare, bookings, heldMs, venues] = await measureInTurn(
      callers,
      amount(callsOf(callers)),
      [engine.run, write, book, hold, bookWithConnector],
      engine.settled,
    )
    console.log(row('empty workflow', callers, empty))
    console.log(row('the same writes, straight to PostgreSQL', callers, bare))
    console.log(row('booking through REST', callers, bookings))
    console.log(ratios(bookings, empty, bare))
    console.log(row('hold through REST', callers, heldMs))
    console.log(`  hold / empty workflow: p95 ${(heldMs.p95 / empty.p95).toFixed(2)} x`)
    console.log(row('booking at a venue with a connector', callers, venues))
    console.log(`  booking / empty workflow: p50 ${(venues.p50 / empty.p50).toFixed(2)} x`)
  }
  await engine.stop()
  const more = amount(BOOKINGS_FOR_MEMORY) - booked
  if (more > 0) await measure(20, more, book)
  console.log(
    `memory of the Node process after ${booked} bookings: ${service.memoryMb().toFixed(0)} MB`,
  )
}

const ratios = (bookings: Measured, empty: Measured, bare: Measured) =>
  [
    `  booking / empty workflow: p50 ${(bookings.p50 / empty.p50).toFixed(2)} x`,
    `throughput ${(bookings.perSecond / empty.perSecond).toFixed(2)} x`,
    `booking / bare writes: p50 ${(bookings.p50 / bare.p50).toFixed(1)} x`,
  ].join(', ')

/** Holds, spread over enough accounts to stay within ten each. They expire. */
async function holds({ db, url, amount }: Service) {
  const venue = await addBenchVenue(db)
  const turns = CALLERS.map((callers) => TURNS * amount(callsOf(callers)))
  const most = turns.reduce((sum, calls) => sum + calls, amount(WARM_CALLS))
  const accounts = Math.ceil(most / MAX_HOLDS)
  const keys = await Promise.all(Array.from({ length: accounts }, () => makeKey(db, 'pro')))
  let held = 0
  return () => {
    const number = held++
    const { key = '' } = keys[Math.floor(number / MAX_HOLDS)] ?? {}
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() }
    return post(`${url}/api/holds`, headers, bookingNumber(venue.id, number), 201)
  }
}

/** The request row, hold and confirmation that the service writes, without doors or engine. */
function bareWrites({ db }: Service, venueId: string) {
  const accountId = randomUUIDv7()
  const ready = db
    .query(`insert into account (id, name, tier, created_at) values ($1, 'bare', 'pro', now())`, [
      accountId,
    ])
    .then(() => upsertLimits(db, accountId, noLimits))
  let writes = 0
  return async () => {
    await ready
    const { slot_time, party_size } = bookingNumber(venueId, writes++)
    const at = new Date()
    const start = {
      bookingId: randomUUIDv7(),
      accountId,
      venueId,
      venueSlug: 'bench',
      venueName: 'Bench',
      slotTime: slot_time,
      timezone: 'Asia/Makassar',
      startsAt: at.toISOString(),
      partySize: party_size,
    }
    await writeRequest(db, start, at)
    const { answer } = await decideBooking(db, start, stepDeps, at)
    if (answer && 'refusal' in answer) throw new Error(answer.refusal.message)
  }
}
