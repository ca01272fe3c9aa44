import { setTimeout } from 'node:timers/promises'
import { expect } from './agent.ts'
import { choose, confirm, expectStored, search, type Task } from './task.ts'

/** How long a freed slot may take, on a busy machine, to reach the watch. */
const TIMEOUT_MS = 60_000

/** Tasks about full slots, and about several slots at once. */
export const fullTasks: readonly Task[] = [
  {
    name: '6 wait for a full slot',
    fewest: 5,
    async run(agent, scene) {
      const guest = 'Ayu Lestari'
      const { name, slot } = await scene.slotWhere("v.slug = 'satu-meja'", 10)
      const fillers = await scene.fill(slot)
      const [venue] = (await search(agent, `${name} Ubud`)).venues
      expect(agent, venue?.id === slot.venue_id, 'the search does not find the venue')
      const { watch } = await agent.call(confirm({ ...slot, guest: { name: guest } }), {
        wouldWait: true,
      })
      expect(agent, watch, 'the refusal does not lead to a watch')
      for (const id of fillers) await scene.giveBack(id)
      await until(async () => (await scene.watches()).some(({ hold_id }) => hold_id))
      const byId = { watch_id: watch.id }
      const update = await agent.call({
        a2a: ['watch.get', byId],
        rest: [`GET /api/watches/${watch.id}`],
        mcp: ['get_watch', byId],
      })
      const { hold_id } = update.watch
      await agent.call(confirm({ hold_id, guest: { name: guest } }))
      await expectStored(agent, scene, guest, { status: 'confirmed', slot_time: slot.slot_time })
      await until(async () => (await scene.watches()).some(({ status }) => status === 'fulfilled'))
    },
  },
  {
    name: '7 ten people, full that evening',
    fewest: 3,
    async run(agent, scene) {
      const guest = 'Putu Mahendra'
      const date = scene.day(38)
      const venue = await scene.free(
        `category=restaurant&area=Bali&party_size=10&date=${date}&time=19:00`,
      )
      const slot_time = `${date}T19:00:00`
      const slot = { venue_id: venue.id, slot_time, party_size: 10 }
      const fillers = await scene.fill(slot)
      try {
        await search(agent, venue.name)
        const wanted = { ...slot, venue_id: venue.slug, guest: { name: guest } }
        await agent.call(confirm(wanted), { agrees: true })
        const booking = await expectStored(agent, scene, guest, {
          status: 'confirmed',
          party_size: 10,
        })
        expect(agent, booking.slot_time.startsWith(date), `booked on another day`)
      } finally {
        for (const id of fillers) await scene.giveBack(id)
      }
    },
  },
  {
    name: '8 itinerary: massage, then dinner',
    fewest: 3,
    async run(agent, scene) {
      const guest = 'Nyoman Rai'
      const date = scene.day(6)
      const slots: [string, string][] = []
      for (const [kind, time] of [
        ['massage', '15:00'],
        ['restaurant', '19:00'],
      ] as const) {
        const result = await search(agent, `${kind} in Bali for 2 on ${date} at ${time}`)
        const { slug, slot_time } = choose(agent, result, date, time)
        slots.push([slug, slot_time])
      }
      const bookings = slots.map(([venue, slot_time]) => ({ venue, slot_time, guests: 2 }))
      const parts = slots.map(([venue_id, slot_time]) => ({ venue_id, slot_time, party_size: 2 }))
      const input = { bookings, guest: { name: guest } }
      await agent.call(
        {
          a2a: ['itinerary.create', input],
          rest: ['POST /api/itineraries', input],
          mcp: ['book_itinerary', input],
        },
        { wish: { parts } },
      )
      const rows = await scene.bookingsOf(guest)
      const isBooked = rows.filter(({ status }) => status === 'confirmed').length === 2
      expect(agent, isBooked && rows[0]?.group_id, `stored: ${JSON.stringify(rows)}`)
    },
  },
]

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + TIMEOUT_MS
  while (!(await holds()) && performance.now() < end) await setTimeout(100)
}
