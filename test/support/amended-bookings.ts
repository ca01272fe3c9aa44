import { randomUUID } from 'node:crypto'
import type { Pool } from '../../src/platform/database/sql.ts'
import { type Agent, findSlot, timesAhead } from './agent.ts'
import { eventually } from './programs.ts'
import type { Simulator } from './venues.ts'

/** A confirmed booking at a restaurant with a connector, and another time free for four. */
export type Amendable = { id: string; booking: Record<string, any>; free: string }

/** A booking for two that its venue confirmed, at the last time in the search results. */
export const bookAtVenue = (agent: Agent): Promise<Amendable> =>
  eventually('a booking', async () => {
    const slot = await findSlot(agent, 'restaurant in Bali')
    // On another day, because there may be too little room for four on the same evening.
    const free = (await timesAhead(agent, slot.venue_id, 4)).at(-1)
    if (free === undefined) throw new Error('the venue has no time for four in two days')
    const key = { 'idempotency-key': randomUUID() }
    const { status, body } = await agent.post('/api/bookings', { ...slot, wait: 30 }, key)
    // `answer_by` may have passed if the venue is impatient and the machine busy.
    if (status !== 201) return undefined
    return { id: body.booking.id, booking: body.booking, free }
  })

/** Every row that an amendment could change, without the columns that every step changes. */
export async function rowsOf(db: Pool, id: string) {
  const all = async (text: string) => (await db.query(text, [id])).rows
  const [booking] = await all('select * from booking where id = $1')
  const {
    revision,
    updated_at,
    timeline_length,
    timeline_head,
    answer_by,
    asked_revision,
    ...row
  } = booking
  return {
    booking: { ...row, venue_answered_at: null },
    allocations: await all('select * from allocation where booking_id = $1 order by resource_id'),
    places: await all('select * from slot_count where booking_id = $1'),
    changes: await all('select * from booking_change where booking_id = $1'),
    fees: await all('select * from fee_entry where booking_id = $1 order by created_at, kind desc'),
    events: await all('select * from event where booking_id = $1 order by number'),
  }
}

/** The requests to the venue and its statements, in order. */
export async function askedOf(venue: Simulator, id: string): Promise<string[]> {
  const { history } = await venue.book(id)
  return history.map(({ type }: { type: string }) => type)
}

/** Resolves once the venue has received all requests and notices about the booking. */
export const settledAtVenue = (db: Pool, id: string) =>
  eventually(`the venue of ${id} to agree`, async () => {
    const { rows } = await db.query(`select change_phase, venue_sync from booking where id = $1`, [
      id,
    ])
    return rows[0].change_phase === null && rows[0].venue_sync !== 'withdraw_due'
  })
