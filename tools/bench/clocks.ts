import { randomUUID } from 'node:crypto'
import { agentWith, makeKey } from '../../test/support/agent.ts'
import { openTestClock, slotAfter, type TestClock } from '../../test/support/clocks.ts'
import { measure } from './load.ts'
import { paced } from './paced.ts'
import { post } from './post.ts'
import type { Service } from './service.ts'
import { addBenchVenue, bookingNumber } from './venue.ts'

const WARM = 200
const CLOCKS = 100
/** Clocks that are moved at the same time. */
const MOVERS = 4
const TURNS = 3
const PACE = { callers: 8, perSecond: 20, seconds: 20 }

/**
 * The life of a booking on a test clock in real time, and the p95 of live bookings while 100 clocks
 * with bookings are advanced in turns, divided by their p95 alone. Goals: 10 s, 1.10.
 */
export async function benchClocks(service: Service): Promise<void> {
  const { db, url, amount } = service
  const { accountId, key } = await makeKey(db, 'pro')
  const owner = { url, agent: agentWith(url, accountId, key) }
  const live = await addBenchVenue(db)
  let booked = 0
  const book = () => {
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() }
    return post(`${url}/api/bookings`, headers, bookingNumber(live.id, booked++), 201)
  }
  await measure(4, amount(WARM), book)

  const one = await openTestClock(owner)
  const begun = performance.now()
  await bookOn(one)
  await one.advance({ by: 'P3W' })
  const seconds = (performance.now() - begun) / 1000
  console.log(`  three weeks of a booking on a clock: ${seconds.toFixed(1)} s`)

  const clocks: TestClock[] = []
  for (let n = 0; n < amount(CLOCKS); n += 1) clocks.push(await openTestClock(owner))
  const alone: number[] = []
  const beside: number[] = []
  let moves = 0
  for (let turn = 0; turn < TURNS; turn += 1) {
    const pace = { ...PACE, seconds: amount(PACE.seconds) }
    alone.push(...(await paced(pace, book)))
    const isOver = new AbortController()
    const movers = Array.from({ length: MOVERS }, (_, nth) => move(nth, isOver.signal))
    beside.push(...(await paced(pace, book)))
    isOver.abort()
    await Promise.all(movers)
  }
  const [before, after] = [p95Of(alone), p95Of(beside)]
  console.log(
    `  live bookings: p95 ${before.toFixed(1)} ms alone, ${after.toFixed(1)} ms beside ` +
      `${clocks.length} clocks and ${moves} moves (${(after / before).toFixed(2)} x)`,
  )

  /** Books on clocks in turn and moves each by a day. */
  async function move(first: number, signal: AbortSignal) {
    for (let n = first; !signal.aborted; n += MOVERS) {
      const clock = clocks[n % clocks.length]
      if (!clock) return
      await bookOn(clock)
      await clock.advance({ by: 'P1D' })
      moves += 1
    }
  }
}

async function bookOn(clock: TestClock) {
  const slot = slotAfter('sandbox-instant', 14, await clock.now())
  await clock.agent.post('/api/bookings', slot)
}

function p95Of(times: number[]): number {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length * 0.95)] ?? 0
}
