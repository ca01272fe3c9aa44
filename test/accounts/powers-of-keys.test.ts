import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Scope, scopes } from '../../src/base/scopes.ts'
import { catalogue } from '../../src/network.ts'
import { type Owner, openOwner } from '../support/belongings.ts'
import { everyDoorTo } from '../support/every-door.ts'
import { addKey, type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
let owner: Owner

beforeAll(async () => {
  doors = await openDoors({ NODE_ENV: 'test' })
  owner = await openOwner(doors, 1)
})
afterAll(() => doors?.close())

/** Every set of scopes. */
const sets = Array.from({ length: 2 ** scopes.length }, (_, bits) =>
  scopes.filter((_, at) => (bits >> at) % 2 === 1),
)

const keyWith = async (given: readonly Scope[]) => {
  const added = await addKey(doors.db, owner.accountId)
  await doors.db.query('update api_key set scopes = $2 where id = $1', [added.keyId, given])
  return added.key
}

const isAbout = (output: z.ZodType) =>
  JSON.stringify(z.toJSONSchema(output, { unrepresentable: 'any' })).includes('"guest_url"')
const giving = catalogue.filter(({ operation }) => isAbout(operation.output))
const reading = giving.filter(({ operation }) => operation.scope !== 'bookings')

test('operations that change bookings and those that read them name the page of a guest', () => {
  expect(reading.map(({ a2a }) => a2a)).toEqual(
    expect.arrayContaining(['booking.get', 'booking.list', 'itinerary.get']),
  )
  expect(giving.length).toBeGreaterThan(reading.length)
})

const thingOf = { 'booking.get': 'booking', 'itinerary.get': 'itinerary' } as const
const link = /\/guest\/[A-Za-z0-9_-]{20}/

test.each(reading.map(({ a2a }) => a2a))(
  '%s gives the page of a guest to keys that may cancel, and to no others, at every door',
  async (intent) => {
    const thing = thingOf[intent as keyof typeof thingOf]
    const input = thing ? { id: owner.things[thing] } : {}
    const wrong: string[] = []
    for (const set of sets) {
      const key = await keyWith(set)
      for (const [door, send] of everyDoorTo(intent)) {
        const { code, body } = await send(doors, key, input)
        const isGiven = link.test(JSON.stringify(body))
        if (code !== 'ok' || isGiven !== set.includes('bookings')) {
          wrong.push(`${door} ${set.join(' ')}: ${code} ${isGiven}`)
        }
      }
    }
    expect(wrong).toEqual([])
  },
)

/** Secrets that give power to anyone who reads them. */
const powers = {
  'the page of a guest': link,
  'a page of a venue’s staff': /\/venue\/[A-Za-z0-9_-]{20}/,
  'a key': /service_(?:live|test)_[\w-]{20}/,
  'a signing secret': /whsec_[\w+/=]{10}/,
}

test('nothing that a key without scopes can read lets it do more', async () => {
  const key = await keyWith([])
  const reads = catalogue.filter(
    ({ operation, rest }) => rest.route.startsWith('GET') && !operation.scope,
  )
  const wrong: string[] = []
  for (const { a2a, rest, example } of reads) {
    const id = /\/(bookings|itineraries|watches|events|test_clocks)\/\{id\}/.exec(rest.route)?.[1]
    const of = { bookings: 'booking', itineraries: 'itinerary', watches: 'watch', events: 'event' }
    const thing = ({ ...of, test_clocks: 'clock' } as Record<string, keyof Owner['things']>)[
      id ?? ''
    ]
    const input = { ...example, ...(thing && { id: owner.things[thing] }) }
    for (const [door, send] of everyDoorTo(a2a)) {
      const { body } = await send(doors, key, input).catch(() => ({ body: '' }))
      for (const [power, pattern] of Object.entries(powers)) {
        if (pattern.test(JSON.stringify(body))) wrong.push(`${a2a} by ${door}: ${power}`)
      }
    }
  }
  expect(wrong).toEqual([])
})

test('only keys with the right to pay are told where to pay', async () => {
  await doors.db.query(
    `update payment set state = 'created', page_url = 'https://pay.example/x'
     where account_id = $1`,
    [owner.accountId],
  )
  for (const set of [['usage'], ['usage', 'keys']] as Scope[][]) {
    const key = await keyWith(set)
    for (const [, send] of everyDoorTo('payment.list')) {
      const { body } = await send(doors, key, {})
      const expected = set.includes('keys') ? 'https://pay.example/x' : null
      expect(body.payments[0].pay_url).toBe(expected)
    }
  }
})
