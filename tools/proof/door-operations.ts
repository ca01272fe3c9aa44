import { randomUUID } from 'node:crypto'
import { type Agent, type FinalAnswer, retryUntilSuccess } from './agent.ts'

/** A requested slot, in REST field names. */
type SlotBody = {
  venue_id: string
  slot_time: string
  party_size: number
  service?: string | undefined
}

/** A request that agents send to the doors. */
export type DoorOperation = {
  name: string
  weight: number
  /** whether it targets a slot, or a booking from an earlier response */
  on: 'slot' | 'booking'
  /** Returns every response: two if the request is sent twice. */
  send(agent: Agent, slot: SlotBody, bookingId: string): Promise<FinalAnswer[]>
}

/** Seconds; longer than any request takes while nothing is being killed. */
const wait = 20

const about =
  (path: (bookingId: string) => string) => async (agent: Agent, _: SlotBody, bookingId: string) => [
    await retryUntilSuccess(agent, path(bookingId), { wait }, randomUUID()),
  ]

export const doorOperations: readonly DoorOperation[] = [
  {
    name: 'book',
    weight: 8,
    on: 'slot',
    send: async (agent, slot) => [
      await retryUntilSuccess(agent, '/api/bookings', { ...slot, wait }, randomUUID()),
    ],
  },
  {
    name: 'book, twice with one key',
    weight: 1,
    on: 'slot',
    send(agent, slot) {
      const key = randomUUID()
      const book = () => retryUntilSuccess(agent, '/api/bookings', { ...slot, wait }, key)
      return Promise.all([book(), book()])
    },
  },
  {
    name: 'hold',
    weight: 4,
    on: 'slot',
    send: async (agent, slot) => [
      await retryUntilSuccess(agent, '/api/holds', { ...slot, wait }, randomUUID()),
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
