import type { Answer, Call, Door, Json } from '../bench/agents/call.ts'
import { openDoor } from '../bench/agents/doors.ts'

type Journey = {
  search: Call
  availability: (slug: string) => Call
  hold: (slot: object) => Call
  confirm: (input: object) => Call
  cancel: (id: string) => Call
}

const fields = (input: object) => input as Record<string, unknown>
const query = 'gym'

const journeys: Record<'REST' | 'MCP' | 'A2A', Journey> = {
  REST: {
    search: { name: 'GET /api/venues/search', input: { q: query } },
    availability: (slug) => ({ name: `GET /api/venues/${slug}/availability`, input: {} }),
    hold: (slot) => ({ name: 'POST /api/holds', input: fields(slot) }),
    confirm: (input) => ({ name: 'POST /api/bookings', input: fields(input) }),
    cancel: (id) => ({ name: `POST /api/bookings/${id}/cancel`, input: {} }),
  },
  MCP: {
    search: { name: 'search_venues', input: { query } },
    availability: (slug) => ({ name: 'check_availability', input: { slug } }),
    hold: (slot) => ({ name: 'hold_slot', input: { action: 'hold', ...slot } }),
    confirm: (input) => ({ name: 'confirm_booking', input: fields(input) }),
    cancel: (id) => ({ name: 'cancel_booking', input: { id } }),
  },
  A2A: {
    search: { name: 'booking.search', input: { query } },
    availability: (slug) => ({ name: 'venue.availability', input: { slug } }),
    hold: (slot) => ({ name: 'booking.hold', input: fields(slot) }),
    confirm: (input) => ({ name: 'booking.confirm', input: fields(input) }),
    cancel: (id) => ({ name: 'booking.cancel', input: { id } }),
  },
}

/** Through each door: searches a gym, reads its times, holds one, confirms it, and cancels. */
export async function checkDoors(url: string, key: string): Promise<void> {
  for (const name of ['REST', 'MCP', 'A2A'] as const) {
    const door = await openDoor[name](url, key)
    try {
      await travel(door, journeys[name])
    } finally {
      await door.close()
    }
  }
}

async function travel(door: Door, journey: Journey): Promise<void> {
  const ask = async (call: Call) => outputOf(door, call, await door.send(call))
  const { venues } = await ask(journey.search)
  const { slug } = venues[0]
  const { days } = await ask(journey.availability(slug))
  const { date, times } = days.find((day: Json) => day.times.length > 0)
  const slot = { venue_id: slug, slot_time: `${date}T${times.at(-1)}`, party_size: 1, also: true }
  const { booking } = await ask(journey.hold(slot))
  expectStatus(door, booking, 'held')
  expectStatus(door, await ask(journey.confirm({ hold_id: booking.id })), 'confirmed')
  expectStatus(door, (await ask(journey.cancel(booking.id))).booking, 'cancelled')
}

function outputOf({ name }: Door, call: Call, answer: Answer): Json {
  if ('output' in answer) return answer.output
  throw new Error(`${name}: ${call.name} was refused with ${answer.refusal.code}`)
}

function expectStatus({ name }: Door, { status }: { status: string }, expected: string): void {
  if (status !== expected) throw new Error(`${name}: the booking is ${status}, not ${expected}`)
}
