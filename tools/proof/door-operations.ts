import { randomUUID } from 'node:crypto'
import { type Agent, type FinalAnswer, retryUntilSuccess } from './agent.ts'

/** A time at a venue, as a request names it. */
type Wanted = { venue_id: string; slot_time: string; party_size: number }

/** Something that agents ask of the doors. */
export type DoorOperation = {
  name: string
  weight: number
  /** what it is about: a time, or a booking that an answer named before */
  on: 'slot' | 'booking'
  /** Answers all that was said; the same request sent twice is two answers. */
  send(agent: Agent, wanted: Wanted, bookingId: string): Promise<FinalAnswer[]>
}

/** Longer than anything takes while nothing is being killed. */
const wait = 20

const about =
  (path: (bookingId: string) => string) => async (agent: Agent, _: Wanted, bookingId: string) => [
    await retryUntilSuccess(agent, path(bookingId), { wait }, randomUUID()),
  ]

export const doorOperations: readonly DoorOperation[] = [
  {
    name: 'book',
    weight: 8,
    on: 'slot',
    send: async (agent, wanted) => [
      await retryUntilSuccess(agent, '/api/bookings', { ...wanted, wait }, randomUUID()),
    ],
  },
  {
    name: 'book, twice with one key',
    weight: 1,
    on: 'slot',
    send(agent, wanted) {
      const key = randomUUID()
      const book = () => retryUntilSuccess(agent, '/api/bookings', { ...wanted, wait }, key)
      return Promise.all([book(), book()])
    },
  },
  {
    name: 'hold',
    weight: 4,
    on: 'slot',
    send: async (agent, wanted) => [
      await retryUntilSuccess(agent, '/api/holds', { ...wanted, wait }, randomUUID()),
    ],
  },
  {
    name: 'confirm the hold',
    weight: 2,
    on: 'booking',
    send: async (agent, _, hold_id) => [
      await retryUntilSuccess(agent, '/api/bookings', { hold_id, wait }, randomUUID()),
    ],
  },
  {
    name: 'extend the hold',
    weight: 1,
    on: 'booking',
    send: about((id) => `/api/holds/${id}/extend`),
  },
  {
    name: 'release the hold',
    weight: 1,
    on: 'booking',
    send: about((id) => `/api/holds/${id}/release`),
  },
  {
    name: 'cancel',
    weight: 2,
    on: 'booking',
    send: about((id) => `/api/bookings/${id}/cancel`),
  },
  {
    name: 'amend',
    weight: 2,
    on: 'booking',
    send: async (agent, { slot_time, party_size }, id) => [
      await retryUntilSuccess(
        agent,
        `/api/bookings/${id}`,
        { slot_time, party_size, wait },
        randomUUID(),
        'PATCH',
      ),
    ],
  },
]
