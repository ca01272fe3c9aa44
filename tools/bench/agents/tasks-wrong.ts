import { expect } from './agent.ts'
import type { Guess } from './call.ts'
import type { Wish } from './follow.ts'
import { confirm, type Task } from './task.ts'

/** Unintelligible or impossible calls: each must lead to the right one. */
export const wrongTask: Task = {
  name: '15 wrong things',
  fewest: 14,
  async run(agent, scene) {
    const { slot } = await scene.slotWhere(
      "v.confirm_mode = 'auto' and v.category = 'restaurant'",
      12,
    )
    const { venue_id, slot_time, party_size } = slot
    const { slot: other } = await scene.slotWhere(
      "v.confirm_mode = 'auto' and v.category = 'gym'",
      12,
    )
    const id = await scene.booked({ ...other, party_size: 1 }, 'Agus Salim')
    const whole = { venue_id, slot_time, party_size }
    const offGrid = slot_time.replace(/..:..$/, '07:00')
    const atNight = slot_time.replace(/T.*/, 'T04:00:00')
    const wrong: Record<string, [Guess, Wish?]> = {
      'an unknown name': [
        {
          a2a: ['booking.create', guestOf(whole, 'an unknown name')],
          rest: ['PUT /api/bookings', guestOf(whole, 'an unknown name')],
          mcp: ['create_booking', guestOf(whole, 'an unknown name')],
        },
      ],
      'no party': [confirm(guestOf({ venue_id, slot_time }, 'no party')), { wish: { party_size } }],
      'a time between': [
        confirm(guestOf({ ...whole, slot_time: offGrid }, 'a time between')),
        { agrees: true },
      ],
      'at four at night': [
        confirm(guestOf({ ...whole, slot_time: atNight }, 'at four at night')),
        { agrees: true },
      ],
      'a time in UTC': [
        confirm(guestOf({ ...whole, slot_time: `${slot_time}Z` }, 'a time in UTC')),
        { wish: { slot_time } },
      ],
      'a full name': [confirm({ ...whole, guest: { full_name: 'a full name' } })],
    }
    for (const [guest, [guess, wish]] of Object.entries(wrong)) {
      await agent.call(guess, wish)
      const [booking] = await scene.bookingsOf(guest)
      expect(agent, booking?.status === 'confirmed', `${guest}: nothing is booked`)
      await scene.cancel(booking.id)
    }
    await agent.call({
      a2a: ['booking.cancel_booking', { id }],
      rest: [`DELETE /api/bookings/${id}`],
      mcp: ['delete_booking', { booking_id: id }],
    })
    const live = await scene.live()
    expect(agent, live.length === 0, `still booked: ${JSON.stringify(live)}`)
  },
}

const guestOf = (input: object, name: string) => ({ ...input, guest: { name } })
