import { randomUUID } from 'node:crypto'
import { addDays, toLocal } from '../../../src/base/local-time.ts'
import type { Pool } from '../../../src/platform/database/sql.ts'
import { staffDemoVenues } from '../../../src/venues/demo/load.ts'
import { openAgent, type Agent as Rest } from '../../../test/support/agent.ts'
import type { Json } from './call.ts'

/** A booking as it is stored. */
export type StoredBooking = {
  id: string
  slug: string
  category: string
  city: string
  status: string
  slot_time: string
  party_size: number
  guest: string | null
  group_id: string | null
}

export type Slot = { venue_id: string; slot_time: string; party_size: number }

/** The network's state before a task, and the stored rows after it. */
export type Scene = ReturnType<typeof openScene>

/** The other guests and the user's earlier bookings. `own` is the agent's account. */
export function openScene(db: Pool, own: Rest, crowd: Rest) {
  const today = toLocal('Asia/Makassar', new Date()).slice(0, 10)
  const day = (ahead: number) => addDays(today, ahead)

  const bookings = async (): Promise<StoredBooking[]> => {
    const { rows } = await db.query(
      `select b.id, v.slug, v.category, a.city, b.status, b.party_size, b.group_id,
         g.name as guest, to_char(b.slot_time, 'YYYY-MM-DD"T"HH24:MI:SS') as slot_time
       from booking b join venue v on v.id = b.venue_id join area a on a.slug = v.area_slug
         left join booking_guest g on g.booking_id = b.id
       where b.account_id = $1 order by b.id`,
      [own.accountId],
    )
    return rows
  }

  const cancel = (id: string) => own.post(`/api/bookings/${id}/cancel`, {})
  const live = async () =>
    (await bookings()).filter(({ status }) => /held|pending|offered|confirmed/.test(status))

  const book = async (agent: Rest, slot: Slot, guest?: string) => {
    const body = { ...slot, ...(guest && { guest: { name: guest } }) }
    const { body: answer } = await agent.post('/api/bookings', body, {
      'idempotency-key': randomUUID(),
    })
    return answer
  }

  return {
    day,
    /** The agent's bookings for a guest. */
    bookingsOf: async (guest: string) => (await bookings()).filter((one) => one.guest === guest),
    /** The agent's live bookings. */
    live,
    watches: async (): Promise<{ status: string; hold_id: string | null }[]> => {
      const text = 'select status, hold_id from waitlist_entry where account_id = $1'
      return (await db.query(text, [own.accountId])).rows
    },
    /** The first day on which a search finds a venue that confirms at once, and the query. */
    async dayFor(
      q: string,
      party_size: number,
      time: string,
    ): Promise<{ date: string; phrase: string }> {
      for (let ahead = 1; ahead <= 7; ahead += 1) {
        const date = day(ahead)
        const query = new URLSearchParams({ q, date, time, party_size: String(party_size) })
        const { body } = await crowd.get(`/api/venues/search?${query}`)
        const isFree = body.venues?.some(
          ({ availability }: Json) =>
            availability.confirm_mode !== 'request' &&
            availability.days.some((one: Json) => one.date === date && one.times.includes(time)),
        )
        if (isFree) return { date, phrase: ahead === 1 ? 'tomorrow' : `on ${date}` }
      }
      throw new Error(`nothing is free for ${q} at ${time}`)
    },
    /** A venue that the network confirms itself and that is free for a party at a time. */
    async free(query: string): Promise<{ id: string; slug: string; name: string }> {
      const { body } = await crowd.get(`/api/venues?${query}&detail=full`)
      const venue = body.venues?.find(
        ({ availability: { slots } }: Json) => slots[0]?.confirm_mode === 'auto',
      )
      if (!venue) throw new Error(`no venue for ${query}`)
      return venue
    },
    /** A booking that the user made earlier through the agent. */
    async booked(slot: Slot, guest: string): Promise<string> {
      const { booking, ...rest } = await book(own, slot, guest)
      if (!booking) throw new Error(`cannot book: ${JSON.stringify(rest)}`)
      return booking.id
    },
    /** Other guests take the rest of a slot; returns their bookings. */
    async fill(slot: Slot): Promise<string[]> {
      const holds: string[] = []
      for (;;) {
        const { booking } = await book(crowd, slot)
        if (!booking) return holds
        holds.push(booking.id)
      }
    },
    giveBack: (bookingId: string) => crowd.post(`/api/bookings/${bookingId}/cancel`, {}),
    /** The first slot for two, from a given day onwards, at venues that meet a condition. */
    async slotWhere(condition: string, ahead: number): Promise<{ name: string; slot: Slot }> {
      const { rows } = await db.query(
        `select v.id, v.name from venue v join area a on a.slug = v.area_slug
         where a.city = 'Bali' and ${condition} order by v.slug`,
      )
      for (const { id, name } of rows) {
        const path = `/api/venues/${id}/availability?date=${day(ahead)}&days=3&party_size=2`
        const { body } = await crowd.get(path)
        const open = body.days?.find(({ times }: Json) => times.length > 0)
        if (!open) continue
        const slot_time = `${open.date}T${open.times[0]}:00`
        return { name, slot: { venue_id: id, slot_time, party_size: 2 } }
      }
      throw new Error(`no venue has a slot where ${condition}`)
    },
    /** Cancels one of the agent's bookings. */
    cancel,
    /** Cancels the agent's bookings, so that the next task finds the same network. */
    async tidy(): Promise<void> {
      for (const { id } of await live()) await cancel(id)
      const { body } = await own.get('/api/watches?status=watching')
      for (const { id } of body.watches) await own.post(`/api/watches/${id}/cancel`, {})
    },
  }
}

/** An agent for other guests; staff confirm at some venues. */
export async function openCrowd(db: Pool, url: string): Promise<Rest> {
  const { rows } = await db.query("select from venue where confirm_mode = 'request' limit 1")
  if (rows.length === 0) await staffDemoVenues(db)
  return openAgent(db, url)
}
