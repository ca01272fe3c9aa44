import { randomUUID } from 'node:crypto'
import { makeKey } from '../../test/support/agent.ts'
import { measure } from './load.ts'
import { post } from './post.ts'
import { type Kind, readUsage } from './processes.ts'
import type { Service } from './service.ts'
import { addBenchVenue, bookingNumber } from './venue.ts'

const CALLERS = 20
/** Each venue has slots for 50,000 bookings; several venues spread the load as in reality. */
const VENUES = 5
const STEPS = 10

/** Measures memory during `bookings` bookings by 20 callers, and growth in the second half. */
export async function benchMemory(service: Service, bookings: number): Promise<void> {
  const { key } = await makeKey(service.db, 'pro')
  const venues = await Promise.all(Array.from({ length: VENUES }, () => addBenchVenue(service.db)))
  let booked = 0
  const book = () => {
    const number = booked++
    const venueId = venues[number % VENUES]?.id ?? ''
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() }
    const body = { ...bookingNumber(venueId, Math.floor(number / VENUES)), wait: 60 }
    return post(`${service.url}/api/bookings`, headers, body, 201)
  }
  const startedAt = performance.now()
  const before = readUsage(service.pid)
  let half = { mb: 0, at: 0 }
  for (let step = 1; step <= STEPS; step++) {
    const { errors, perSecond } = await measure(
      CALLERS,
      Math.floor((bookings * step) / STEPS) - booked,
      book,
    )
    const minutes = (performance.now() - startedAt) / 60_000
    console.log(
      `  ${booked} bookings after ${minutes.toFixed(1)} min, ${perSecond.toFixed(0)}/s, ` +
        `${errors} errors: ${memoryNow(service)}`,
    )
    if (step === STEPS / 2) half = { mb: service.memoryMb(), at: performance.now() }
  }
  const cpu = Object.entries(readUsage(service.pid)).map(([kind, { cpuSeconds }]) => {
    const ms = ((cpuSeconds - before[kind as Kind].cpuSeconds) / bookings) * 1000
    return `${kind} ${ms.toFixed(1)}`
  })
  console.log(`  CPU time per booking in ms: ${cpu.join(', ')}`)
  const addedMb = service.memoryMb() - half.mb
  const hours = (performance.now() - half.at) / 3_600_000
  console.log(
    `  second half: ${addedMb.toFixed(0)} MB more, ` +
      `${((addedMb / bookings) * 2_000).toFixed(1)} MB per 1,000 bookings, ` +
      `${(addedMb / hours).toFixed(0)} MB an hour at this rate`,
  )
}

function memoryNow(service: Service): string {
  const { node: _, ...others } = readUsage(service.pid)
  const rows = Object.entries(others).map(([kind, used]) => `${kind} ${used.memoryMb.toFixed(0)}`)
  return `Node ${service.memoryMb().toFixed(0)} MB; ${rows.join(', ')} MB`
}
