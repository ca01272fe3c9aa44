import { randomUUID } from 'node:crypto'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/durations.ts'
import { isSigned, sign } from './fake-network.ts'

type Answer = {
  status: number
  /** whether the response's signature is valid and covers the request's webhook-id */
  isSigned: boolean
  headers: Headers
  text: string
  message: any
}

export type Ask = (message: object, headers?: Record<string, string>) => Promise<Answer>

/** Sends network messages to a simulator, signed unless other headers are given. */
export function askAt(base: string): Ask {
  return async (message, headers) => {
    const id = `msg_${randomUUID()}`
    const body = JSON.stringify(message)
    const response = await fetch(`${base}/venues/any`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...(headers ?? sign(id, body)) },
      body,
    })
    const text = await response.text()
    const answers = Object.fromEntries(response.headers)
    return {
      status: response.status,
      isSigned: isSigned(text, answers) && answers['webhook-id'] === id,
      headers: response.headers,
      text,
      get message() {
        return JSON.parse(text)
      },
    }
  }
}

/** The token that enables a simulator's tools in a test. */
export const token = 'the-token-of-the-tests'

/** Calls a tool of the simulator, with the token unless another is given; returns its JSON. */
export async function control(
  base: string,
  method: string,
  path: string,
  body?: unknown,
  authorization = `Bearer ${token}`,
) {
  const response = await fetch(base + path, {
    method,
    headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, json: (await response.json()) as any }
}

const BALI_MS = 8 * HOUR_MS

/** The date this many days from today on the venues' clock, eight hours ahead of UTC. */
export const dateIn = (days: number) =>
  new Date(Date.now() + BALI_MS + days * DAY_MS).toISOString().slice(0, 10)

export type ConfirmFields = {
  booking_id?: string
  revision?: number
  venue_id?: string
  party_size?: number
  /** local hour of the day in Bali */
  time?: string
  minutes?: number
  days?: number
  answer_url?: string
  answer_by?: string
}

/** A documented booking.confirm at a new venue, three days ahead by default. */
export function confirmOf(fields: ConfirmFields = {}) {
  const { time = '19:00:00', minutes = 90, days = 3, ...given } = fields
  const slot_time = `${dateIn(days)}T${time}`
  const start = Date.parse(`${slot_time}+08:00`)
  return {
    type: 'booking.confirm',
    booking_id: randomUUID() as string,
    revision: 2,
    venue_id: randomUUID() as string,
    venue_slug: 'saffron-house-seminyak',
    service: 'Dining room',
    slot_time,
    timezone: 'Asia/Makassar',
    starts_at: new Date(start).toISOString(),
    ends_at: new Date(start + minutes * MINUTE_MS).toISOString(),
    party_size: 4,
    guest: { name: 'Ayu Secret', phone: '+62 812 0000', email: 'ayu@example.com' },
    notes: 'A window, please',
    answer_by: new Date(Date.now() + 600_000).toISOString(),
    answer_url: 'http://127.0.0.1:9/nobody',
    ...given,
  }
}

export const statusOf = (booking_id: string, venue_id = 'saffron') => ({
  type: 'booking.status',
  booking_id,
  venue_id,
})

export const cancelOf = (booking_id: string, revision = 4, venue_id = 'saffron') => ({
  type: 'booking.cancel',
  booking_id,
  revision,
  venue_id,
  reason: 'venue_no_answer',
})

export const readOf = (venue_id: string, from = dateIn(1), to = dateIn(14)) => ({
  type: 'availability.read',
  timezone: 'Asia/Makassar',
  answer_url: 'http://127.0.0.1:9/api/venue-connector/none',
  venue_id,
  from,
  to,
})
