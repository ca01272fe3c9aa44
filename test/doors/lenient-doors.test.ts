import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, dateOf, toLocal } from '../../src/base/local-time.ts'
import { everyDoor, everyDoorTo } from '../support/every-door.ts'
import { type Doors, type Holder, openDoors } from '../support/open-doors.ts'
import { addVenue } from '../support/test-venues.ts'

let doors: Doors
let pro: Holder
let venue: { id: string; slug: string }

beforeAll(async () => {
  doors = await openDoors()
  pro = await doors.openAccount('pro')
  doors.engine.answer = 'pending'
  venue = await addVenue(doors.db)
})
afterAll(() => doors.close())

const dayAfter = () => addDays(dateOf(toLocal('Asia/Makassar', new Date())), 1)

test('a request means the same in every accepted form, at every door', async () => {
  const day = dayAfter()
  const written = [
    { venue_id: venue.id, slot_time: `${day}T19:00:00`, party_size: 2 },
    { venue: venue.slug, slot_time: `${day} 19:00`, guests: '2' },
    { slug: venue.slug, slot_time: `${day}T19:00:00+08:00`, party_size: '2' },
    ...['+08', '+0800', '+8', ' UTC+8', '+08:00[Asia/Makassar]'].map((offset) => {
      return { venue: venue.slug, slot_time: `${day}T19:00${offset}`, party_size: 2 }
    }),
    { venue_id: venue.slug, date: 'tomorrow', time: '7pm', pax: 2 },
  ]
  const ids = new Set<string>()
  for (const [, send] of everyDoor) {
    for (const input of written) {
      const { code, body } = await send(doors, pro.key, { ...input, wait: 0 })
      expect(code).toBe('ok')
      ids.add(body.booking.id)
      const { slot_time, understood } = { ...body.booking, understood: body.understood ?? {} }
      expect(slot_time).toBe(`${day}T19:00:00`)
      if (input !== written[0]) expect(understood.slot_time).toBe(slot_time)
      else expect(body.understood).toBeUndefined()
    }
  }
  expect(ids.size).toBe(1)
})

test('another offset is refused with the one question to ask', async () => {
  const day = dayAfter()
  for (const [, send] of everyDoor) {
    const input = { venue_id: venue.id, slot_time: `${day}T11:00:00Z`, party_size: 2 }
    const { code, message, body } = await send(doors, pro.key, input)
    expect(code).toBe('slot_time_has_offset')
    expect(message).toContain(`Does the guest come at ${day}T11:00:00 or at ${day}T19:00:00`)
    expect(body.slot_times).toEqual([`${day}T11:00:00`, `${day}T19:00:00`])
  }
})

test('a named day is the day at the venue', async () => {
  for (const [, send] of everyDoorTo('venue.availability')) {
    const { body } = await send(doors, pro.key, { slug: venue.slug, date: 'besok' })
    expect(body.days.map(({ date }: { date: string }) => date)).toEqual([dayAfter()])
    expect(body.understood).toEqual({ date: dayAfter() })
  }
  for (const [, send] of everyDoorTo('venue.list')) {
    const { body } = await send(doors, pro.key, { area: 'ubud', date: 'tomorrow', limit: 1 })
    expect(body.venues[0].availability.days[0].date).toBe(dayAfter())
  }
})

test('a refused field has its name at the door, or the one under which it was sent', async () => {
  const pointers = async (intent: string, input: Record<string, unknown>) => {
    const sent = everyDoorTo(intent).map(async ([door, send]) => {
      const { body } = await send(doors, pro.key, input)
      return [door, body.errors.map(({ pointer }: { pointer: string }) => pointer)]
    })
    return Object.fromEntries(await Promise.all(sent))
  }
  const slot = ['/slot_time', '/party_size']
  const bare = await pointers('booking.confirm', {})
  expect(bare).toMatchObject({ REST: ['/venue_id', ...slot], MCP: ['/venue', ...slot] })
  const hold_id = '01890a5d-ac96-774b-bcce-b302099a8057'
  const both = await pointers('booking.confirm', { hold_id, venue_id: venue.id })
  expect(both).toMatchObject({ REST: ['/venue_id'], MCP: ['/venue_id'] })
  const parts = await pointers('itinerary.create', { parts: [{}, {}], wait: 0 })
  expect(parts.REST[0]).toBe('/parts/0/venue_id')
  expect(parts.MCP[0]).toBe('/parts/0/venue')
})
