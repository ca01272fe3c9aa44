import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Agent, retryUntilSuccess } from '../proof/agent.ts'

const CALLERS = 3
/** With the time of a booking itself, fewer than the ten bookings a second of an account. */
const PAUSE_MS = 350
const HOUR_MS = 3_600_000

export type Venue = { slug: string; hours: readonly number[] }

/** Bookings made while something happened to the containers. */
export type Load = { bookings: number; repeated: number; slowestMs: number; faults: string[] }

/** Books slots that do not run out: each hour of each of the next days, at each venue in turn. */
export function openCallers(agent: Agent, venues: readonly Venue[]) {
  let next = 0
  const book = async () => {
    const n = next++
    const venue = venues[n % venues.length] as Venue
    const turn = Math.floor(n / venues.length)
    const hour = venue.hours[turn % venue.hours.length] ?? 0
    const day = 2 + (Math.floor(turn / venue.hours.length) % 20)
    const date = new Date(Date.now() + day * 24 * HOUR_MS).toISOString().slice(0, 10)
    const slot_time = `${date}T${String(hour).padStart(2, '0')}:00:00`
    const body = { venue_id: venue.slug, slot_time, party_size: 1, also: true, wait: 20 }
    const answer = await retryUntilSuccess(agent, '/api/bookings', body, randomUUID())
    if (answer.body.status !== 'confirmed') {
      const { code = '', status = '' } = answer.body
      throw new Error(`${venue.slug} at ${slot_time}: ${answer.status} ${code}${status}`)
    }
    return answer
  }
  return {
    book,
    /** Runs `work` under bookings, and stops the callers. */
    async during(work: () => Promise<void>): Promise<Load> {
      const load: Load = { bookings: 0, repeated: 0, slowestMs: 0, faults: [] }
      const stopping = new AbortController()
      const caller = async () => {
        while (!stopping.signal.aborted) {
          const began = performance.now()
          try {
            const { repeats } = await book()
            load.bookings += 1
            if (repeats > 0) load.repeated += 1
          } catch (error) {
            load.faults.push((error as Error).message)
          }
          load.slowestMs = Math.max(load.slowestMs, performance.now() - began)
          await setTimeout(PAUSE_MS)
        }
      }
      const running = Array.from({ length: CALLERS }, caller)
      try {
        await work()
      } finally {
        stopping.abort()
        await Promise.all(running)
      }
      return load
    },
  }
}

export type Callers = ReturnType<typeof openCallers>
