import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bookingStatuses } from '../../src/base/booking-status.ts'
import { actors, NO_ENTRY } from '../../src/bookings/rules/timeline.ts'
import type { TimelineEntry } from '../../src/bookings/schema/timeline.ts'
import { createTimelineSigner } from '../../src/bookings/steps/timeline-signer.ts'
import { chained, isIntact } from '../../src/bookings/store/timeline.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'

const script = resolve(import.meta.dirname, '../../docs/protocols/verify-timeline.mjs')
const { problemsOf } = await import(pathToFileURL(script).href)
const signer = createTimelineSigner(parseSealingKeys(newSealingKey()) ?? [])

const facts = fc.record({
  at: fc.date({ noInvalidDate: true }).map((at) => at.toISOString()),
  by: fc.constantFrom(...actors),
  what: fc.string({ unit: 'binary' }),
  why: fc.string(),
  revision: fc.nat(),
  status: fc.constantFrom(...bookingStatuses),
})

/** A timeline as the door returns it. */
const timeline = fc
  .record({ booking_id: fc.uuid(), stated: fc.array(facts, { minLength: 2, maxLength: 6 }) })
  .map(({ booking_id, stated }) => {
    const entries: TimelineEntry[] = []
    for (const [index, told] of stated.entries()) {
      const previous = entries.at(-1)?.hash ?? NO_ENTRY
      entries.push(chained(booking_id, previous, { number: index + 1, ...told }))
    }
    const head = entries.at(-1)?.hash ?? NO_ENTRY
    const signed_at = new Date().toISOString()
    const stands = { booking_id, head, complete: true, signed_at }
    const signature = signer.sign({ ...stands, entries: entries.length })
    return { ...stands, entries, signature }
  })
type Timeline = ReturnType<typeof timeline.generate>['value']

const isNoticed = (changed: Timeline) => {
  expect(problemsOf(changed, signer.keys)).not.toEqual([])
}

test('a signed timeline verifies, whatever its texts', () => {
  fc.assert(
    fc.property(timeline, (told) => {
      expect(problemsOf(told, signer.keys)).toEqual([])
      expect(isIntact(told.booking_id, told.entries, told.head)).toBe(true)
    }),
  )
})

test('any changed character is detected', () => {
  const [told] = fc.sample(timeline, { numRuns: 1, seed: 1 })
  const text = JSON.stringify(told)
  for (let at = 0; at < text.length; at += 1) {
    for (const character of ['0', 'a', 'B', '_', ' ']) {
      const read = parsed(text.slice(0, at) + character + text.slice(at + 1))
      // Skip invalid JSON, equivalent escapes, and the algorithm, which the key determines.
      if (read === undefined || JSON.stringify(read) === text) continue
      if (isDeepStrictEqual(withoutAlg(read), withoutAlg(told))) continue
      expect([at, character, isVerified(read)]).toEqual([at, character, false])
    }
  }
})

test('a removed, repeated, moved or added entry is detected', () => {
  fc.assert(
    fc.property(timeline, fc.nat(), (told, place) => {
      const { entries } = told
      const at = place % entries.length
      const entry = entries[at] as TimelineEntry
      isNoticed({ ...told, entries: entries.toSpliced(at, 1) })
      isNoticed({ ...told, entries: entries.toSpliced(at, 0, entry) })
      isNoticed({ ...told, entries: [...entries.slice(1), entries[0] as TimelineEntry] })
      isNoticed({ ...told, entries: entries.toReversed() })
      isNoticed({ ...told, entries: entries.slice(0, -1), head: entries.at(-2)?.hash ?? NO_ENTRY })
      expect(isIntact(told.booking_id, entries.toSpliced(at, 1), told.head)).toBe(false)
    }),
  )
})

test('a rewritten chain, and one of another booking, have no valid signature', () => {
  fc.assert(
    fc.property(timeline, fc.uuid(), (told, other) => {
      let previous = NO_ENTRY
      const entries = told.entries.map(({ previous: _, hash: __, ...stated }) => {
        const entry = chained(other, previous, { ...stated, why: 'It was convenient.' })
        previous = entry.hash
        return entry
      })
      const forged = { ...told, booking_id: other, entries, head: previous }
      expect(problemsOf(forged, signer.keys)).toEqual(['the signature does not hold'])
    }),
  )
})

test('a timeline verifies only with its network’s keys, including keys before a rotation', () => {
  const old = newSealingKey()
  const before = createTimelineSigner(parseSealingKeys(old) ?? [])
  const after = createTimelineSigner(parseSealingKeys(`${newSealingKey()},${old}`) ?? [])
  const head = { head: NO_ENTRY, complete: true, signed_at: new Date().toISOString() }
  const booking_id = '0197a1f0-0000-7000-8000-000000000000'
  const told = { booking_id, ...head, entries: [] }
  const signature = before.sign({ booking_id, ...head, entries: 0 })
  expect(problemsOf({ ...told, signature }, after.keys)).toEqual([])
  expect(problemsOf({ ...told, signature }, signer.keys)).toEqual([
    `the key ${signature.kid} is not published`,
  ])
  expect(problemsOf({ ...told, signature: null }, after.keys)).toEqual(['it is not signed'])
})

test('the documented example verifies with the documented key', () => {
  const page = readFileSync(resolve(script, '../timeline.md'), 'utf8')
  const [told, published] = [...page.matchAll(/```json\n(.+?)```/gs)].map(([, json = '']) =>
    JSON.parse(json),
  )
  expect(problemsOf(told, published.keys)).toEqual([])
})

function isVerified(read: any): boolean {
  try {
    return problemsOf(read, signer.keys).length === 0
  } catch {
    return false
  }
}

function withoutAlg({ signature, ...rest }: any) {
  const { kid, value } = signature ?? {}
  return { ...rest, kid, value }
}

function parsed(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
