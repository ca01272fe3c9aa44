import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { dump, load } from './import-load.ts'

let service: Service

beforeAll(async () => {
  service = await openService()
})

afterAll(() => service?.close())

const record = (tables: string[], hours = '10:00-22:00') =>
  JSON.stringify([
    {
      id: 'booked',
      name: 'Two Tables',
      category: 'restaurant',
      latitude: -8.5069,
      longitude: 115.2625,
      services: [
        {
          name: 'Tables',
          strategy: 'exclusive',
          hours,
          resources: tables.map((name) => ({ kind: 'table', name, party_max: 2 })),
        },
      ],
    },
  ])

const book = (slot: object) =>
  service.agent.post('/api/bookings', { ...slot, wait: 60 }, { 'idempotency-key': randomUUID() })

const SLUG = 'two-tables-ubud'

test('an imported venue is found and booked, and a dropped table keeps its booking', async () => {
  const { agent, db } = service
  await load(db, record(['First', 'Second']), 'json')
  const found = await eventually('the venue to be found', async () => {
    const { body } = await agent.get('/api/venues/search?q=Two+Tables+Ubud&detail=full')
    return body.venues.find(({ slug }: { slug: string }) => slug === SLUG)
  })
  const slot = {
    venue_id: found.id,
    slot_time: found.availability.slots.at(-1).slot_time,
    party_size: 2,
  }
  const first = await book(slot)
  expect(first.status).toBe(201)
  const { rows } = await db.query(
    `select r.name, b.rule_version from allocation a join resource r on r.id = a.resource_id
     join booking b on b.id = a.booking_id where a.booking_id = $1`,
    [first.body.booking.id],
  )
  const others = ['First', 'Second'].filter((name) => name !== rows[0].name)

  expect(await load(db, record(others, '09:00-23:00'), 'json')).toMatchObject({ updated: 1 })
  const path = `/api/bookings/${first.body.booking.id}`
  expect((await agent.get(path)).body.booking).toMatchObject(first.body.booking)
  const kept = await db.query('select rule_version from booking where id = $1', [
    first.body.booking.id,
  ])
  expect(kept.rows).toEqual([{ rule_version: rows[0].rule_version }])

  expect((await book(slot)).status).toBe(201)
  expect((await book(slot)).status).toBe(409)
  expect(await load(db, await dump(db, 'json', 'test'), 'json')).toMatchObject({ unchanged: 1 })
  await eventually('one table to be counted', async () => {
    const { body } = await agent.get(`/api/venues/${SLUG}?detail=full`)
    const free = body.venue.availability.slots.filter(
      ({ slot_time }: { slot_time: string }) => slot_time !== slot.slot_time,
    )
    return free.some(({ places_left }: { places_left: number }) => places_left === 1)
  })
})
