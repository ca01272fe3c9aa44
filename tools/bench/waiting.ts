import { randomUUID } from 'node:crypto'
import { makeKey } from '../../test/support/agent.ts'
import { emptyWorkflows } from './empty-workflows.ts'
import { measure } from './load.ts'
import { post } from './post.ts'
import type { Service } from './service.ts'
import { addBenchVenue, bookingNumber } from './venue.ts'

/** Bookings that fill the worker's workflow cache and every pool before the measurement. */
const WARM = 600
const CALLS = 300
const STEPS = 10

/**
 * Measures the memory of open bookings and the time of a new one, relative to an empty workflow in
 * the same minute because the machine's pace drifts.
 */
export async function benchWaiting(service: Service, open: number): Promise<void> {
  const { amount } = service
  const { key } = await makeKey(service.db, 'pro')
  const venue = await addBenchVenue(service.db)
  const engine = await emptyWorkflows(service)
  let booked = 0
  const book = () => {
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() }
    const body = { ...bookingNumber(venue.id, booked++), wait: 60 }
    return post(`${service.url}/api/bookings`, headers, body, 201)
  }
  const atStart = service.memoryMb()
  await measure(20, amount(WARM), book)
  await measure(4, amount(60), engine.run)
  const before = await timesNow()
  const beforeMb = service.memoryMb()
  const total = open - booked
  const startedAt = performance.now()
  for (let step = 1; step <= STEPS; step++) {
    const target = open - Math.floor((total * (STEPS - step)) / STEPS)
    const { errors } = await measure(20, target - booked, book)
    if (errors > 0) throw new Error(`${errors} bookings failed`)
    console.log(`  ${booked} open bookings, ${service.memoryMb().toFixed(0)} MB`)
  }
  const perSecond = (total * 1000) / (performance.now() - startedAt)
  const after = await timesNow()
  const afterMb = service.memoryMb()
  await engine.stop()
  console.log(
    `${total} more open bookings, made at ${perSecond.toFixed(0)}/s: ` +
      `${(afterMb - beforeMb).toFixed(0)} MB more ` +
      `(${atStart.toFixed(0)} MB before the first, ${beforeMb.toFixed(0)} MB after ` +
      `${amount(WARM)}, ${afterMb.toFixed(0)} MB now)`,
  )
  const slower = (after.ratio / before.ratio - 1) * 100
  console.log(
    `  a new booking alongside them / empty workflow: p50 ${before.ratio.toFixed(2)} x ` +
      'before, ' +
      `${after.ratio.toFixed(2)} x now (${slower >= 0 ? '+' : ''}${slower.toFixed(0)} %)`,
  )

  /** Alternates bookings and workflows, so that other load slows both alike. */
  async function timesNow() {
    const openNow = booked
    const times: Record<'empty' | 'bookings', number[]> = { empty: [], bookings: [] }
    for (let call = 0; call < amount(CALLS); call++) {
      times.empty.push(await timeOf(engine.run))
      times.bookings.push(await timeOf(book))
    }
    const [empty, bookings] = [p50(times.empty), p50(times.bookings)]
    console.log(
      `  with ${openNow} open bookings, 1 caller: empty workflow p50 ${empty.toFixed(1)} ms, ` +
        `new booking p50 ${bookings.toFixed(1)} ms`,
    )
    return { ratio: bookings / empty }
  }
}

async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await call()
  return performance.now() - startedAt
}

const p50 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
