import { randomUUID } from 'node:crypto'
import { MAX_CLOCKS } from '../../src/clocks/rules/test-clocks.ts'
import { makeKey, openAgent } from '../../test/support/agent.ts'
import { openTestClock, slotAfter, type TestClock } from '../../test/support/clocks.ts'
import { measure } from './load.ts'
import { paced } from './paced.ts'
import { post } from './post.ts'
import type { Service } from './service.ts'
import { addBenchVenue, bookingNumber } from './venue.ts'

const WARM = 200
const CLOCKS = 100
const TURNS = 2
const PACE = { callers: 8, perSecond: 20, seconds: 60 }
/** Each clock gets one booking and one move in five minutes. */
const MOVES = { callers: 4, perSecond: 1 / 3, seconds: 60 }

/**
 * The life of a booking on a test clock in real time, and the p95 of live bookings while 100 clocks
 * of five accounts with bookings are advanced in turns, divided by their p95 alone. Goals: 10 s,
 * 1.10.
 */
export async function benchClocks(service: Service): Promise<void> {
  const { db, url, amount } = service
  const { key } = await makeKey(db, 'pro')
  let owner = { url, agent: await openAgent(db, url, 'free') }
  const live = await addBenchVenue(db)
  let booked = 0
  const book = () => {
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() }
    return post(`${url}/api/bookings`, headers, bookingNumber(live.id, booked++), 201)
  }
  await measure(4, amount(WARM), book)

  const one = await openTestClock(owner)
  const startedAt = performance.now()
  await bookOn(one)
  await one.advance({ by: 'P3W' })
  const seconds = (performance.now() - startedAt) / 1000
  console.log(`  three weeks of a booking on a clock: ${seconds.toFixed(1)} s`)

  const clocks = [one]
  while (clocks.length < amount(CLOCKS)) {
    if (clocks.length % MAX_CLOCKS === 0) owner = { url, agent: await openAgent(db, url, 'free') }
    clocks.push(await openTestClock(owner))
  }
  const move = async (nth: number) => {
    const clock = clocks[nth % clocks.length] ?? one
    await bookOn(clock)
    await clock.advance({ by: 'P1D' })
  }
  const alone: number[] = []
  const beside: number[] = []
  const moveMs: number[] = []
  for (let turn = 0; turn < TURNS; turn += 1) {
    const pace = { ...PACE, seconds: amount(PACE.seconds) }
    const moves = { ...MOVES, seconds: amount(MOVES.seconds) }
    alone.push(...(await paced(pace, book)))
    const [times, moveTimes] = await Promise.all([
      paced(pace, book),
      paced(moves, (n) => move(n + turn * moves.perSecond * moves.seconds)),
    ])
    beside.push(...times)
    moveMs.push(...moveTimes)
  }
  const [before, after] = [p95Of(alone), p95Of(beside)]
  console.log(
    `  live bookings: p95 ${before.toFixed(1)} ms alone, ${after.toFixed(1)} ms beside ` +
      `${clocks.length} clocks, each moved every ${Math.round(CLOCKS / MOVES.perSecond)} s ` +
      `(${(after / before).toFixed(2)} x), a move p95 ${p95Of(moveMs).toFixed(0)} ms`,
  )
}

async function bookOn(clock: TestClock) {
  const slot = slotAfter('sandbox-instant', 14, await clock.now())
  await clock.agent.post('/api/bookings', slot)
}

function p95Of(times: number[]): number {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length * 0.95)] ?? 0
}
