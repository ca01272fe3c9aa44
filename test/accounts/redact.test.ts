import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redactBody, redactText } from '../../src/accounts/rules/redact.ts'
import { confirmBooking } from '../../src/bookings/operations/confirm-booking.ts'
import { jsonSchemaOf } from '../../src/doors/calls/json-schema.ts'
import { shownFields } from '../../src/doors/calls/shown-fields.ts'
import { catalogue } from '../../src/network.ts'

const jsonOf = (value: unknown, shown: Parameters<typeof redactBody>[1] = 'all') =>
  JSON.stringify(redactBody(value, shown).value)

const letters = (min: number, max: number) =>
  fc.stringMatching(new RegExp(`^[a-z]{${min},${max}}$`))
const base64url = (length: number) => fc.stringMatching(new RegExp(`^[A-Za-z0-9_-]{${length}}$`))

const secret = fc.oneof(
  base64url(43).map((random) => `service_live_${random}`),
  fc.stringMatching(/^[A-Za-z0-9+/]{32}$/).map((random) => `whsec_${random}`),
  base64url(40).map((random) => `https://book.example/guest/${random}`),
  base64url(43).map((random) => `https://book.example/pay/${random}`),
  base64url(30).map((random) => `Bearer ${random}`),
  base64url(20).map((password) => `https://user:${password}@hooks.example/in`),
  base64url(20).map((token) => `https://hooks.example/in?token=${token}`),
)
const email = fc
  .tuple(letters(3, 12), letters(3, 12))
  .map(([who, host]) => `${who}@${host}.example`)
const phone = fc
  .tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 100_000_000, max: 999_999_999 }))
  .chain(([country, number]) => {
    const digits = String(number)
    const grouped = `${digits.slice(0, 3)} ${digits.slice(3, 6)} ${digits.slice(6)}`
    return fc.constantFrom(`+${country} ${grouped}`, `0${digits}`, `(0${country}) ${digits}`)
  })
const detail = fc.oneof(secret, email, phone)

const nearby = fc.constantFrom('', 'tel:', '2026-12-24 ', 'wa.me/', 'crm-', '(', '"', '19:00 ')

const booking = shownFields(catalogue.find(({ a2a }) => a2a === 'booking.confirm')?.operation)

describe('a recorded text', () => {
  test('contains no key, secret, token, address or phone number in any place', () => {
    fc.assert(
      fc.property(letters(0, 20), nearby, detail, letters(0, 20), (before, near, found, after) => {
        const text = redactText(`${before} ${near}${found} ${after}`)
        expect(text).not.toContain(found)
        expect(text.startsWith(before)).toBe(true)
        expect(text.endsWith(after)).toBe(true)
      }),
    )
  })

  test.each([
    '2026-12-24T19:00:00',
    '2026-12-24T11:00:00.000Z',
    '2026-12-24',
    'from 2026-12-24 to 2026-12-26',
    '01971234-5678-7000-8000-000000000000',
    '0197a1f0-0000-7000-8000-000000000000',
    'IDR 1,250,000',
    'sushi in Canggu for 4 tomorrow at 7',
    'angin-laut-sushi-canggu',
    'https://book.example/errors#slot_unavailable',
    'http://127.0.0.1:3000/errors#slot_unavailable',
  ])('keeps %s', (text) => {
    expect(redactText(text)).toBe(text)
  })

  test('can be stored, whatever it contained', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const kept = redactText(text)
        expect(kept.isWellFormed()).toBe(true)
        expect(kept).not.toContain('\u0000')
      }),
    )
  })
})

const name = letters(6, 20)
const place = fc.constantFrom(
  ...['guest', 'guest_name', 'customer', 'guest_ref', 'notes', 'note', 'special_requests'],
  ...['phone', 'email', 'name', 'comments', 'whatsapp', 'customer_name', 'contact', 'who'],
)

describe('a recorded body of a booking', () => {
  test('has nothing about the guest, in whatever field it was sent', () => {
    fc.assert(
      fc.property(place, place, name, detail, (field, inner, guest, other) => {
        const body = {
          party_size: 2,
          [field]: { [inner]: `Zz${guest}`, list: [`Zz${guest}`], n: { deep: other } },
          [`${inner}_2`]: `Zz${guest}`,
          parts: [{ venue_id: 'a-venue', [inner]: `Zz${guest}`, guest: [other] }],
          slot_time: `${other}`,
        }
        const kept = jsonOf(body, booking)
        expect(kept).not.toContain(`Zz${guest}`)
        expect(kept).not.toContain(JSON.stringify(other).slice(1, -1))
        expect(kept).toContain('"party_size":2')
      }),
    )
  })

  test('shows the fields that the operation accepts, under each of their names', () => {
    const body = {
      venue: 'angin-laut',
      people: 4,
      datetime: '2026-12-24T19:00:00',
      reminders: [60],
    }
    expect(JSON.parse(jsonOf(body, booking))).toEqual(body)
  })

  test('names fields that the operation does not have, without their values', () => {
    const kept = jsonOf({ partysize: 4, is_vip: true, 'Budi Santoso': 1 }, booking)
    expect(JSON.parse(kept)).toEqual({
      partysize: '[redacted]',
      is_vip: true,
      '[redacted]': '[redacted]',
    })
  })
})

describe('a recorded answer', () => {
  test('contains no secret, raw key or guest link', () => {
    const answer = {
      booking: {
        id: 'b',
        guest_ref: 'crm-1',
        guest_url: 'https://x.example/g/1',
        guest_mails: true,
      },
      raw_key: 'r1',
      endpoint: { secret: 's1', headers: { authorization: 'a1' } },
      understood: { 'guest/name': 'Budi', notes: 'n1', party_size: 2 },
    }
    const kept = jsonOf(answer)
    for (const one of ['crm-1', '/g/1', 'r1', 's1', 'a1', 'Budi', 'n1']) {
      expect(kept).not.toContain(`"${one}"`)
    }
    expect(JSON.parse(kept).understood.party_size).toBe(2)
    expect(JSON.parse(kept).booking).toMatchObject({ id: 'b', guest_mails: true })
  })

  test('is short, says how much is missing, and is valid JSON', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        fc.integer({ min: 1, max: 3_000 }),
        (one, count) => {
          const { value: kept, isCut } = redactBody(
            Array.from({ length: count }, () => ({ one, text: 'words '.repeat(40) })),
            'all',
          )
          const json = JSON.stringify(kept)
          expect(json.length).toBeLessThan(12_000)
          expect(isCut).toBe(count > 60 || /more|deeply/.test(json))
        },
      ),
    )
    expect(jsonOf(Array.from({ length: 5_000 }, (_, n) => n))).toMatch(/"\[\d+ more\]"\]$/)
  })

  test('costs little, however long it is', () => {
    const long = ['a'.repeat(4_000), '1 '.repeat(2_000), 'a@'.repeat(2_000), '://'.repeat(1_300)]
    const begun = process.threadCpuUsage()
    for (const text of long) redactText(text)
    redactBody(
      Array.from({ length: 100_000 }, () => 'x'),
      'all',
    )
    const { user, system } = process.threadCpuUsage(begun)
    expect((user + system) / 1_000).toBeLessThan(200)
  })
})

test('no operation shows a field that could contain a secret or identify a guest', () => {
  const shown = catalogue.flatMap(({ operation }) => [...shownFields(operation)])
  for (const name of ['guest', 'notes', 'phone', 'email', 'secret', 'headers', 'guest_ref']) {
    expect(shown).not.toContain(name)
  }
  expect(shownFields(undefined).size).toBe(0)
  expect(shownFields(confirmBooking).has('name')).toBe(false)
})

type Schema = { [part: string]: unknown }

/** The names of the fields in a schema that hold addresses. */
function* addressesIn(schema: Schema, name = ''): Generator<string> {
  if (schema.format === 'uri') yield name
  for (const [part, inner] of Object.entries(schema)) {
    if (typeof inner !== 'object' || inner === null) continue
    const isField = !(/^(?:items|anyOf|oneOf|allOf)$/.test(part) || Array.isArray(schema))
    yield* addressesIn(inner as Schema, isField ? part : name)
  }
}

test('addresses that open a page by themselves are redacted in every answer', () => {
  // public documents and maps, and addresses that require authentication
  const open = new Set(['keys_url', 'card_url', 'a2a_url', 'mcp_url', 'directions_url'])
  const fields = catalogue.flatMap(({ operation }) => [
    ...addressesIn(jsonSchemaOf(operation.output, 'output') as Schema),
  ])
  const secret = [...new Set(fields)].filter((field) => !open.has(field)).toSorted()
  expect(secret).toEqual(['card_page_url', 'guest_url', 'pay_url'])
  const kept = jsonOf(Object.fromEntries(secret.map((field) => [field, 'https://x.example/1'])))
  expect(kept).not.toContain('x.example')
})
