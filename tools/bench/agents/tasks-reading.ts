import { resolve } from 'node:path'
import { expect } from './agent.ts'
import type { Json } from './call.ts'
import { choose, confirm, expectStored, search, type Task } from './task.ts'

/** The published program, which shares no code with the service. */
const verifier = resolve(import.meta.dirname, '../../../docs/protocols/verify-timeline.mjs')

/** Reading tasks, and requests that cannot be met. */
export const readingTasks: readonly Task[] = [
  {
    name: '9 timeline, verified',
    fewest: 2,
    async run(agent, scene) {
      const { slot } = await scene.slotWhere("v.confirm_mode = 'auto'", 7)
      const id = await scene.booked(slot, 'Gede Arta')
      const timeline = await agent.call({
        a2a: ['booking.timeline', { booking_id: id }],
        rest: [`GET /api/bookings/${id}/timeline`],
        mcp: ['get_booking', { booking_id: id, action: 'timeline' }],
      })
      const { keys } = JSON.parse(await agent.read(timeline.signature.keys_url))
      const { problemsOf } = await import(verifier)
      const problems = problemsOf(timeline, keys)
      expect(agent, timeline.entries.length > 0 && problems.length === 0, problems.join('; '))
    },
  },
  {
    name: '10 what happened lately',
    fewest: 1,
    async run(agent, scene) {
      const { slot } = await scene.slotWhere("v.confirm_mode = 'auto'", 8)
      const id = await scene.booked(slot, 'Kadek Suci')
      const { events } = await agent.call({
        a2a: ['event.recent', { limit: '5' }],
        rest: ['GET /api/events/recent', { limit: 5 }],
        mcp: ['list_events', { limit: '5' }],
      })
      const isTold = events.some(
        ({ type, data }: Json) => type === 'booking.confirmed' && data.booking.id === id,
      )
      expect(agent, isTold, 'the booking is not among the events')
    },
  },
  {
    name: '11 free key',
    fewest: 2,
    tier: 'free',
    async run(agent, scene) {
      const { date, phrase } = await scene.dayFor('dinner in Ubud', 2, '19:00')
      const result = await search(agent, `dinner in Ubud for 2 ${phrase} at 7pm`)
      const { id, slot_time } = choose(agent, result, date)
      const refusal = await agent.refused(confirm({ venue_id: id, slot_time, party_size: 2 }))
      const { required_tier, monthly_price, message } = refusal as Json
      expect(
        agent,
        refusal.code === 'plan_required' && required_tier === 'pro' && monthly_price.text,
        'the refusal lacks tier or price',
      )
      expect(agent, /https?:\/\/\S+\/dashboard\/plan|operator/.test(message), 'it names no place')
      expect(agent, (await scene.live()).length === 0, 'something was booked')
    },
  },
  {
    name: '12 not offered here',
    fewest: 3,
    async run(agent) {
      const none = ['restaurant in Da Nang tomorrow for 2', 'hotel room in Ubud', 'sushi in Tokyo']
      for (const query of none) {
        const { venues, interpretation } = (await search(agent, query)) as Json
        expect(agent, venues.length === 0, `"${query}" finds ${venues[0]?.name}`)
        expect(agent, interpretation.hint, `"${query}" finds nothing, and no hint says why`)
      }
    },
  },
  {
    name: '13 a person confirms',
    fewest: 2,
    async run(agent, scene) {
      const guest = 'Wayan Darma'
      const { name, slot } = await scene.slotWhere("v.confirm_mode = 'request'", 3)
      const [venue] = (await search(agent, name)).venues
      expect(agent, venue && venue.id === slot.venue_id, `the search does not find ${name}`)
      const answer = await agent.call(
        confirm({ ...slot, venue_id: venue.slug, guest: { name: guest }, wait: '2' }),
      )
      await expectStored(agent, scene, guest, { status: 'pending', slot_time: slot.slot_time })
      const { next, retry_after, booking } = answer
      const local = booking.answer_by_local?.slice(11, 16)
      expect(agent, local && next.includes(local), '`next` lacks the local time of the answer')
      expect(agent, retry_after >= 30, '`retry_after` does not fit a person')
    },
  },
  {
    name: '14 the same again',
    fewest: 3,
    async run(agent, scene) {
      const guest = 'Komang Adi'
      const { date, phrase } = await scene.dayFor('restaurant in Sanur', 2, '19:00')
      const result = await search(agent, `restaurant in Sanur for 2 ${phrase} at 7pm`)
      const { id, slot_time } = choose(agent, result, date)
      const input = { venue_id: id, slot_time, party_size: 2, guest: { name: guest } }
      const first = await agent.call(confirm(input))
      const second = await agent.call(confirm(input))
      expect(agent, second.booking.id === first.booking.id, 'another booking was made')
      expect(agent, second.joined || second.replayed, 'the answer does not say that it is the same')
      await expectStored(agent, scene, guest, { status: 'confirmed' })
    },
  },
]
