import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { clockOf, plainSlotTime } from '../../src/base/said-time.ts'
import { otherNames } from '../../src/contract/input-names.ts'
import { createPlainReader, unwrapped } from '../../src/doors/calls/lenient-input.ts'
import { nearestName } from '../../src/doors/calls/nearest-name.ts'
import { createReadFields } from '../../src/doors/calls/read-fields.ts'
import { toolNamesOf } from '../../src/doors/mcp/tool-schema.ts'
import { catalogue } from '../../src/network.ts'

const readerOf = (intent: string, names = {}) => {
  const found = catalogue.find(({ a2a }) => a2a === intent)
  if (!found) throw new Error(`no intent is called ${intent}`)
  return createReadFields(found, names)
}
const slot = { slot_time: '2026-11-24T19:00:00', party_size: 2 }

test.each([
  ['a number as text', { party_size: '2' }, { party_size: 2 }],
  ['a space for the T', { slot_time: '2026-11-24 19:00' }, slot],
  ['a time as people write it', { slot_time: '2026-11-24 7pm' }, slot],
  ['date and time apart', { slot_time: undefined, date: '2026-11-24', time: '19.00' }, slot],
  ['guests', { party_size: undefined, guests: 2 }, { party_size: 2 }],
  ['datetime', { slot_time: undefined, datetime: '2026-11-24T19:00' }, slot],
  ['the guest as a name', { guest: 'Ayu' }, { guest: { name: 'Ayu' } }],
  ['the guest as JSON', { guest: '{"name":"Ayu"}' }, { guest: { name: 'Ayu' } }],
])('%s is understood, and echoed', (_, given, expected) => {
  const sent = { venue: 'jepun-grill-ubud', ...slot, ...given }
  const raw = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
  const { input, understood } = readerOf('booking.confirm')(raw)
  expect(input).toMatchObject({ venue_id: 'jepun-grill-ubud', ...expected })
  expect(Object.keys(understood)).not.toEqual([])
  expect(input).toMatchObject(understood)
})

test('what is sent as documented is not echoed, under each documented name', () => {
  for (const name of ['venue', 'venue_id']) {
    const { input, understood } = readerOf('booking.confirm')({ [name]: 'jepun', ...slot })
    expect([input, understood]).toMatchObject([{ venue_id: 'jepun', ...slot }, {}])
  }
  const id = '0197a1f0-0000-7000-8000-000000000000'
  for (const name of ['id', 'booking_id']) {
    expect(readerOf('booking.get')({ [name]: id })).toEqual({ input: { id }, understood: {} })
  }
})

test('parts of an itinerary, and an area sent with a query, are understood too', () => {
  const parts = [
    { venue: 'one', time: '2026-11-24 15:00', guests: '2' },
    { venue: 'two', time: '2026-11-24 19:00', guests: '2' },
  ]
  expect(readerOf('itinerary.create')({ parts }).input).toMatchObject({
    parts: [
      { venue_id: 'one', slot_time: '2026-11-24T15:00:00', party_size: 2 },
      { venue_id: 'two', slot_time: '2026-11-24T19:00:00', party_size: 2 },
    ],
  })
  const found = readerOf('booking.search', { query: 'q' })({ q: 'sushi', area: 'Canggu' })
  expect(found.understood).toEqual({ query: 'sushi in Canggu' })
  expect(readerOf('venue.list')({ category: 'Spas', area: 'Ubud' }).input.category).toBe('spa')
})

describe('what is not clear is refused', () => {
  const problemOf = (raw: Record<string, unknown>, names = {}) => {
    try {
      readerOf('booking.confirm', names)(raw)
    } catch (error) {
      return (error as { data: { facts: any } }).data.facts.errors[0]
    }
    throw new Error('it was accepted')
  }

  test('two names of one field with different values', () => {
    const sent = { venue: 'jepun', ...slot, guests: 3 }
    expect(problemOf(sent)).toEqual({
      pointer: '/guests',
      detail: 'means `party_size`, which is sent too: send one of them',
    })
  })

  test('an unknown field, with the nearest known one, by the names of the door', () => {
    const { pointer, detail } = problemOf({ venue: 'jepun', ...slot, note_s: 'x' })
    expect(pointer).toBe('/note_s')
    expect(detail).toMatch(/^unknown field; did you mean `notes`\? Known are /)
    const shown = problemOf({ ...slot, x: 1, venue: 'j' }, { venue_id: 'venue' })
    expect(shown.detail).toMatch(/known are venue, slot_time/)
  })

  test('a guest that is a number, with the fields that a guest has', () => {
    expect(problemOf({ venue: 'jepun', ...slot, guest: 5 }).detail).toMatch(
      /^expected an object of name, phone, email/,
    )
  })
})

test('a field that is null is not sent, where the schema has no null', () => {
  const schema = z.strictObject({ a: z.int().optional(), b: z.int().nullable() })
  expect(createPlainReader(schema)({ a: null, b: null }).input).toEqual({ b: null })
})

type Capability = (typeof catalogue)[number]

/** The names of fields at each door, where they differ from the operation's own. */
const namesAt: Record<string, (capability: Capability) => Record<string, string>> = {
  REST: ({ rest: { rename = {} } }) =>
    Object.fromEntries(Object.entries(rename).map(([name, field]) => [field, name])),
  A2A: () => ({}),
  MCP: toolNamesOf,
}

describe.each(Object.entries(namesAt))('at %s, for every operation', (_, namesOf) => {
  const all = catalogue.map((capability) => {
    const { operation, example, a2a } = capability
    const names = namesOf(capability)
    const read = createReadFields(capability, names)
    const sent = Object.fromEntries(
      Object.entries(example).map(([field, value]) => [names[field] ?? field, value]),
    )
    const fields = Object.entries(operation.input.shape as Record<string, z.ZodType>)
    return { a2a, read, sent, names, fields }
  })
  const eachField = (visit: (one: (typeof all)[number], field: string, s: z.ZodType) => void) => {
    for (const one of all) for (const [field, schema] of one.fields) visit(one, field, schema)
  }
  const isOptional = (schema: z.ZodType) => schema.safeParse(undefined).success

  test('empty text and null leave an optional field out, under each of its names', () => {
    eachField(({ a2a, read, sent, names, fields }, field, schema) => {
      const others = (otherNames[field] ?? []).filter((name) => !fields.some(([f]) => f === name))
      const own = names[field] ?? field
      if (!isOptional(schema) || own in sent || field === 'description') return
      if (field === 'dry_run') return
      for (const name of [own, ...others]) {
        for (const nothing of ['', ' ', null, 'null']) {
          if (nothing?.trim() !== '' && schema.safeParse(null).success) continue
          const about = `${a2a} ${name} ${JSON.stringify(nothing)}`
          expect(read({ ...sent, [name]: nothing }), about).toEqual(read(sent))
        }
      }
    })
  })

  test('empty text in a required field is refused', () => {
    eachField(({ a2a, read, sent, names }, field, schema) => {
      const name = names[field] ?? field
      if (isOptional(schema)) return
      expect(() => read({ ...sent, [name]: '' }), `${a2a} ${name}`).toThrow()
    })
  })

  test('a number as text is that number; a fraction is refused where none is allowed', () => {
    let numbers = 0
    eachField(({ a2a, read, sent, names }, field, schema) => {
      const inner = unwrapped(schema)
      const whole = [1, 5, 100].find((value) => schema.safeParse(value).success)
      if (!(inner instanceof z.ZodNumber) || whole === undefined) return
      numbers += 1
      const name = names[field] ?? field
      const given = (value: unknown) => read({ ...sent, [name]: value }).input[field]
      for (const text of [`${whole}`, ` ${whole} `, `${whole}.0`, `${whole}.`]) {
        expect(given(text), `${a2a} ${name} ${text}`).toBe(whole)
      }
      const half = whole + 0.5
      if (schema.safeParse(half).success) expect(given(`${half}`)).toBe(half)
      else expect(() => given(`${half}`), `${a2a} ${name} ${half}`).toThrow()
    })
    expect(numbers).toBeGreaterThan(20)
  })

  test('an object or a list as JSON text is that object or list', () => {
    for (const { a2a, read, sent } of all) {
      for (const [name, value] of Object.entries(sent)) {
        if (typeof value !== 'object') continue
        const text = JSON.stringify(value)
        expect(read({ ...sent, [name]: text }).input, `${a2a} ${name}`).toEqual(read(sent).input)
      }
    }
  })
})

test('the text null is not a name, and a dry run is never left out', () => {
  const read = readerOf('booking.confirm')
  const sent = { venue: 'jepun', ...slot }
  expect(read({ ...sent, guest: 'null', notes: ' NULL ' }).input).toEqual(read(sent).input)
  const guest = { name: 'Ayu Null', phone: 'undefined' }
  expect(read({ ...sent, guest }).input.guest).toEqual({ name: 'Ayu Null' })
  const change = { id: '0197a1f0-0000-7000-8000-000000000000', party_size: 3 }
  for (const dry_run of [null, 'null', '']) {
    expect(() => readerOf('booking.amend')({ ...change, dry_run })).toThrow(
      '/dry_run: expected true',
    )
  }
})

test('fields inside of objects and lists are left out too', () => {
  const guest = { name: 'Ayu', email: 'ayu@example.com' }
  const read = readerOf('booking.confirm')
  const sent = { venue: 'jepun', ...slot, guest }
  const empty = { ...guest, phone: '', language: ' ', notify: null }
  expect(read({ ...sent, guest: empty }).input).toEqual(read(sent).input)
  expect(() => read({ ...sent, guest: { ...guest, name: '' } })).toThrow()
  const part = { venue_id: 'one', ...slot }
  const parts = [part, { ...part, service: '', minutes: '', with: null, notes: '' }]
  const { input } = readerOf('itinerary.create')({ parts })
  expect(input.parts).toEqual([part, part])
  const apart = { venue: 'jepun', party_size: 2, date: '', time: null, slot_time: slot.slot_time }
  expect(read(apart).input).toMatchObject(slot)
})

test('a field that cannot be changed says what to do instead', () => {
  const id = '0197a1f0-0000-7000-8000-000000000000'
  for (const name of ['venue_id', 'venue', 'slug']) {
    expect(() => readerOf('booking.amend')({ id, [name]: 'x' })).toThrow(
      `/${name}: a booking cannot move to another venue: cancel it and book there.`,
    )
  }
})

test('names of built-in object members do no harm', () => {
  const raw = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}')
  const { input } = createPlainReader(z.strictObject({ a: z.int() }))(raw)
  expect(Object.keys(input)).toEqual(['__proto__', 'constructor'])
})

test.each([
  ['7pm', '19:00'],
  ['12am', '00:00'],
  ['7.30 p.m.', '19:30'],
  ['19.00', '19:00'],
  ['9:05', '09:05'],
  ['7', undefined],
  ['13pm', undefined],
  ['24:00', undefined],
])('the time %s is %s', (text, time) => expect(clockOf(text)).toBe(time))

test.each([
  ['besok jam 19.00', 'besokT19:00:00'],
  ['tomorrow at 7pm', 'tomorrowT19:00:00'],
  ['2026-11-24 19:00 +08:00', '2026-11-24T19:00:00+08:00'],
  ['2026-11-24T19:00:00.000Z', '2026-11-24T19:00:00Z'],
  ['2026-11-24T19:00 GMT+7 [Asia/Jakarta]', '2026-11-24T19:00:00+07:00'],
  ['tonight 7pm', 'tonightT19:00:00'],
  ['tomorrow 7', 'tomorrow 7'],
  ['24/11/2026 19:00', '24/11/2026 19:00'],
])('the slot time %s is read as %s', (text, read) => expect(plainSlotTime(text)).toBe(read))

test.each([
  ['hold', 'hold_slot'],
  ['book_table', 'confirm_booking'],
  ['create_booking', 'confirm_booking'],
  ['create_itinerary', 'book_itinerary'],
  ['delete_reservation', 'cancel_booking'],
  ['cancelBooking', 'cancel_booking'],
  ['confirm_bookings', 'confirm_booking'],
  ['fly', undefined],
  ['booking', undefined],
  ['search_venue', 'search_venues'],
  ['venue', 'search_venues'],
  ['booking.reserve', 'confirm_booking'],
])('the tool %s is nearest to %s', (name, nearest) => {
  const many = ['get', 'amend', 'list'].map((verb) => `${verb}_booking`)
  const known = [
    ...many,
    'search_venues',
    'hold_slot',
    'confirm_booking',
    'cancel_booking',
    'book_itinerary',
  ]
  expect(nearestName(name, known)).toBe(nearest)
})
