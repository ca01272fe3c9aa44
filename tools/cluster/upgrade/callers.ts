import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { MAX_HOLDS } from '../../../src/bookings/rules/booking.ts'
import type { Pool } from '../../../src/platform/database/sql.ts'
import { type Agent, openAgent } from '../../../test/support/agent.ts'
import { addBenchVenue, bookingNumber } from '../../bench/venue.ts'

/** A booking, and its caller's last answer. */
export type KnownBooking = { id: string; agent: Agent; status: string }

type Call = (booking: KnownBooking) => ReturnType<Agent['post']>
type Command = { call: Call; after?: string }

const wait = 60
const PAUSE_MS = 100
/** An amended booking, or an extended hold, stays open. */
const commands = {
  amend: { call: ({ agent, id }) => agent.patch(`/api/bookings/${id}`, { party_size: 3, wait }) },
  extend: { call: ({ agent, id }) => agent.post(`/api/holds/${id}/extend`, { wait }) },
  cancel: {
    call: ({ agent, id }) => agent.post(`/api/bookings/${id}/cancel`, { wait }),
    after: 'cancelled',
  },
  confirm: {
    call: ({ agent, id }) => agent.post('/api/bookings', { hold_id: id, wait }),
    after: 'confirmed',
  },
} satisfies Record<string, Command>

/** Callers of the doors, with a venue whose slots never run out, and all their answers. */
export async function openCallers(db: Pool, url: string) {
  const venue = await addBenchVenue(db)
  const bookings: KnownBooking[] = []
  const agents: Agent[] = []
  let slots = 0
  /** An agent is limited to ten holds. */
  const agentFor = async (n: number): Promise<Agent> => {
    const index = Math.floor(n / MAX_HOLDS)
    agents[index] ??= await openAgent(db, url)
    return agents[index]
  }
  const open = async (path: string, agent: Agent, expected: string): Promise<KnownBooking> => {
    const slot = bookingNumber(venue.id, slots++)
    const key = { 'idempotency-key': randomUUID() }
    const { status, body } = await agent.post(path, { ...slot, wait }, key)
    if (body.status !== expected) throw new Error(`${path} answered ${status} ${body.code ?? ''}`)
    const opened = { id: body.booking.id as string, agent, status: expected }
    bookings.push(opened)
    return opened
  }
  return {
    /** every booking found in an answer */
    known: bookings,
    book: async (n: number) => open('/api/bookings', await agentFor(n), 'confirmed'),
    hold: async (n: number) => open('/api/holds', await agentFor(n), 'held'),
    /** Runs a command; throws with the booking's id unless the answer is as expected. */
    async command(name: keyof typeof commands, booking: KnownBooking): Promise<void> {
      const { call, after = booking.status }: Command = commands[name]
      const { status, body } = await call(booking)
      if (body.booking?.status !== after) {
        throw new Error(`${name} of ${booking.id} answered ${status} ${body.code ?? body.status}`)
      }
      booking.status = after
    },
  }
}

export type Callers = Awaited<ReturnType<typeof openCallers>>

/** Calls `work` for each item, `atOnce` at a time; returns the errors. */
export async function forEach<T>(
  items: readonly T[],
  work: (item: T, n: number) => Promise<unknown>,
  atOnce = 8,
): Promise<string[]> {
  const faults: string[] = []
  let next = 0
  const caller = async () => {
    while (next < items.length) {
      const n = next++
      await work(items[n] as T, n).catch((error: Error) => faults.push(error.message))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, caller))
  return faults
}

/**
 * Runs `work` while callers book, and cancel every other booking. Always stops them, and returns
 * their failures.
 */
export async function underLoad(
  callers: Pick<Callers, 'book' | 'command'>,
  work: (booked: () => number) => Promise<void>,
  atOnce = 2,
): Promise<string[]> {
  const faults: string[] = []
  const stopping = new AbortController()
  let booked = 0
  const caller = async () => {
    while (!stopping.signal.aborted) {
      try {
        const booking = await callers.book(booked++)
        if (booked % 2 === 0) await callers.command('cancel', booking)
      } catch (error) {
        faults.push((error as Error).message)
        // Without a pause, calls that fail at once would leave no time for anything else.
        await setTimeout(PAUSE_MS)
      }
    }
  }
  const running = Array.from({ length: atOnce }, caller)
  try {
    await work(() => booked)
  } finally {
    stopping.abort()
    await Promise.all(running)
  }
  return faults
}
