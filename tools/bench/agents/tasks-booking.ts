import { expect } from './agent.ts'
import type { Json } from './call.ts'
import { choose, confirm, expectStored, search, type Task } from './task.ts'

const confirmed = { status: 'confirmed' }

/** Tasks about bookings of one slot. */
export const bookingTasks: readonly Task[] = [
  {
    name: '1 sushi for two',
    fewest: 2,
    async run(agent, scene) {
      const { date, phrase } = await scene.dayFor('sushi in Canggu', 2, '19:00')
      const result = await search(agent, `sushi in Canggu for 2 ${phrase} at 7pm`)
      const { slug, slot_time } = choose(agent, result, date, '19:00')
      const guest = 'Budi Santoso'
      const local = slot_time.replace('T', ' ').slice(0, 16)
      await agent.call(confirm({ venue: slug, slot_time: local, party_size: '2', guest }), {
        wish: { venue_id: slug, slot_time, party_size: 2, guest: { name: guest } },
      })
      await expectStored(agent, scene, guest, { ...confirmed, slug, slot_time, party_size: 2 })
    },
  },
  {
    name: '2 spa: hold, confirm, calendar',
    fewest: 4,
    async run(agent, scene) {
      const { date, phrase } = await scene.dayFor('spa in Ubud', 2, '14:00')
      const filters = { party_size: '2', date: phrase.replace('on ', ''), time: '2pm' }
      const wish = { query: 'spa in Ubud', date, time: '14:00', party_size: 2 }
      const result = await agent.call(
        {
          a2a: ['booking.search', { query: wish.query, ...filters }],
          rest: ['GET /api/venues/search', { q: wish.query, ...filters }],
          mcp: ['search_venues', { query: wish.query, ...filters }],
        },
        { wish },
      )
      const { id, slug, slot_time } = choose(agent, result, wish.date, wish.time)
      const slot = { venue_id: slug, slot_time: `${slot_time}+08:00`, party_size: 2 }
      const { booking } = await agent.call(
        { a2a: ['booking.hold', slot], rest: ['POST /api/holds', slot], mcp: ['hold_slot', slot] },
        { wish: { venue_id: id, slot_time } },
      )
      const guest = 'Citra Dewi'
      await agent.call(confirm({ booking_id: booking.id, guest: { name: guest } }), {
        wish: { hold_id: booking.id },
      })
      const byId = { booking_id: booking.id }
      const { calendar, text = calendar } = await agent.call({
        a2a: ['booking.calendar', byId],
        rest: [`GET /api/bookings/${booking.id}/calendar.ics`],
        mcp: ['get_booking', { ...byId, action: 'calendar' }],
      })
      expect(agent, text?.includes('BEGIN:VEVENT'), 'no calendar entry')
      await expectStored(agent, scene, guest, { ...confirmed, slug, slot_time, party_size: 2 })
    },
  },
  {
    name: '3 an hour later, for three',
    fewest: 2,
    async run(agent, scene) {
      const guest = 'Made Wirawan'
      const date = scene.day(4)
      const venue = await scene.free(
        `category=restaurant&area=Bali&party_size=3&date=${date}&time=20:00`,
      )
      const slot = { venue_id: venue.id, slot_time: `${date}T19:00:00`, party_size: 2 }
      await scene.booked(slot, guest)
      const { bookings } = await agent.call({
        a2a: ['booking.list', {}],
        rest: ['GET /api/bookings'],
        mcp: ['list_bookings', {}],
      })
      const own = bookings.find((one: Json) => one.venue.name === venue.name)
      expect(agent, own, 'the list does not show the booking')
      const slot_time = `${date}T20:00:00`
      const change = { slot_time: `${slot_time}+08:00`, party: '3' }
      const byId = { booking_id: own.id, ...change }
      await agent.call(
        {
          a2a: ['booking.amend', byId],
          rest: [`PATCH /api/bookings/${own.id}`, change],
          mcp: ['amend_booking', byId],
        },
        { wish: { slot_time, party_size: 3 } },
      )
      await expectStored(agent, scene, guest, { ...confirmed, slot_time, party_size: 3 })
    },
  },
  {
    name: '4 cancel, and what it costs',
    fewest: 2,
    async run(agent, scene) {
      const guest = 'Ketut Sari'
      const { slot } = await scene.slotWhere("v.confirm_mode = 'auto'", 5)
      const id = await scene.booked(slot, guest)
      const { cancellation } = await agent.call({
        a2a: ['booking.get', { booking_id: id }],
        rest: [`GET /api/bookings/${id}`],
        mcp: ['get_booking', { id }],
      })
      expect(agent, cancellation.text && cancellation.policy, 'no cost of cancelling')
      const input = { booking_id: id, reason: 'The guest is ill' }
      await agent.call({
        a2a: ['booking.cancel', input],
        rest: [`DELETE /api/bookings/${id}`],
        mcp: ['cancel_booking', input],
      })
      await expectStored(agent, scene, guest, { status: 'cancelled' })
    },
  },
  {
    name: '5 gym in Singapore, early',
    fewest: 2,
    async run(agent, scene) {
      const day = await scene.dayFor('gym in Singapore', 1, '07:00')
      const found = await search(agent, `gym in Singapore ${day.phrase} early morning`)
      const { slug, date, time, slot_time } = choose(agent, found, day.date)
      expect(agent, time < '10:00', `the first time is ${time}`)
      const guest = 'Wei Ling'
      await agent.call(confirm({ venue_slug: slug, date, time, guests: 1, guest }), {
        wish: { venue_id: slug, slot_time, party_size: 1, guest: { name: guest } },
      })
      await expectStored(agent, scene, guest, { ...confirmed, slug, slot_time, city: 'Singapore' })
    },
  },
]
