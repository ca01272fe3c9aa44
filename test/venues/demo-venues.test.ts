import { expect, test } from 'vitest'
import { freeFor } from '../../src/availability/rules/capacity.ts'
import { clashIn, leadsOf } from '../../src/availability/rules/sessions.ts'
import { offeredSlots } from '../../src/availability/rules/slots.ts'
import { rules as rulesSchema } from '../../src/availability/schema/rules.ts'
import { plainWords } from '../../src/base/plain-text.ts'
import { demoAreas, demoVenues } from '../../src/venues/demo/venues.ts'
import type { NewResource, NewService, NewVenue } from '../../src/venues/store/new-venues.ts'
import { makeVenues } from '../../tools/demo-venues/venues.ts'

const venues = demoVenues()
const areas = new Map(demoAreas.map((area) => [area.slug, area]))
const distinct = (values: readonly string[]) => new Set(values).size

test('there are at least 200 venues in at least 20 areas, of all four categories in each', () => {
  expect(venues.length).toBeGreaterThanOrEqual(200)
  const byArea = Map.groupBy(venues, ({ area_slug }) => area_slug)
  expect(byArea.size).toBe(areas.size)
  expect(byArea.size).toBeGreaterThanOrEqual(20)
  for (const ofArea of byArea.values()) {
    expect(distinct(ofArea.map(({ category }) => category))).toBe(4)
  }
})

test('two runs create the venues in the file, and no two share an id, a slug or a name', () => {
  expect(makeVenues()).toEqual(venues)
  expect(makeVenues()).toEqual(venues)
  for (const key of ['id', 'slug', 'name'] as const) {
    expect(distinct(venues.map((venue) => venue[key]))).toBe(venues.length)
  }
  const services = venues.flatMap((venue) => venue.services)
  const resources = venues.flatMap(resourcesOf)
  const ids = [...services, ...resources].map(({ id }) => id)
  expect(distinct(ids)).toBe(ids.length)
  for (const { slug } of venues) expect(slug).toMatch(/^[a-z\d]+(-[a-z\d]+)*$/)
})

const resourcesOf = ({ services, resources = [] }: NewVenue) => [
  ...resources,
  ...services.flatMap((service) => service.resources ?? []),
]

/** The share of the words in two texts that occur in both. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = one.intersection(other).size
  return both / (one.size + other.size - both)
}

test('no two descriptions share two sentences, or two thirds of their words', () => {
  const texts = venues.map(({ slug, description }) => ({
    slug,
    words: new Set(plainWords(description)),
    sentences: new Set(description.split(/(?<=\.) /)),
  }))
  const alike: string[] = []
  for (const [index, one] of texts.entries()) {
    for (const other of texts.slice(index + 1)) {
      const shared = one.sentences.intersection(other.sentences).size
      if (shared > 1 || likeness(one.words, other.words) > 2 / 3) {
        alike.push(`${one.slug} and ${other.slug}`)
      }
    }
  }
  expect(alike).toEqual([])
})

test('time zones and currencies are real', () => {
  const currencies = Intl.supportedValuesOf('currency')
  for (const { timezone, currency } of demoAreas) {
    expect(currencies).toContain(currency)
    expect(() => new Intl.DateTimeFormat('en', { timeZone: timezone })).not.toThrow()
  }
})

test('rules are valid, bars pass midnight, and all strategies and resource kinds occur', () => {
  const services = venues.flatMap((venue) => venue.services)
  for (const { rules } of services) expect(rulesSchema.parse(rules)).toEqual(rules)
  for (const { services: own, resources = [] } of venues) {
    const place = { timezone: 'Asia/Makassar', at: new Date() }
    for (const one of resources) expect(clashIn(leadsOf(own, one) ?? [], place)).toBeUndefined()
  }
  const bars = venues.filter(({ category }) => category === 'bar')
  const closes = bars.flatMap((bar) => bar.services.flatMap(({ rules }) => rules.windows))
  expect(closes.some(({ close }) => close > '24:00')).toBe(true)
  expect(new Set(services.map(({ strategy }) => strategy))).toEqual(
    new Set(['exclusive', 'pooled']),
  )
  const kinds = venues.flatMap(resourcesOf).map(({ kind }) => kind)
  expect(new Set(kinds)).toEqual(new Set(['table', 'room', 'therapist', 'teacher']))
})

test('every allowed party size can be seated when nothing is booked', () => {
  for (const { area_slug, services, resources = [] } of venues) {
    const timezone = areas.get(area_slug)?.timezone ?? ''
    for (const service of services) {
      for (let size = service.rules.party_min; size <= service.rules.party_max; size += 1) {
        expect(hasFreeSlot(service, resources, timezone, size)).toBe(true)
      }
    }
  }
})

test('no service is free of charge, in whatever currency', () => {
  const prices = demoVenues().flatMap(({ services }) =>
    services.flatMap(({ rules: { price, lengths = [] } }) => [price, ...lengths]),
  )
  const amounts = prices.flatMap((one) => one?.amount_minor ?? [])
  expect(amounts.length).toBeGreaterThan(300)
  expect(Math.min(...amounts)).toBeGreaterThan(0)
})

/** Whether a slot is free in the seven days after a Saturday evening. */
function hasFreeSlot(
  service: NewService,
  shared: readonly NewResource[],
  timezone: string,
  partySize: number,
): boolean {
  const { rules, strategy } = service
  const resources = [...(service.resources ?? []), ...shared]
  const inventory =
    strategy === 'pooled'
      ? { strategy, counters: [], resources: [], taken: [] }
      : {
          strategy: 'exclusive' as const,
          timezone,
          resources: resources.map(({ kind, party_min, party_max, joins, id }) => {
            return { kind, party_min, party_max, joins: joins ?? undefined, ids: [id] }
          }),
          taken: [],
        }
  const at = new Date('2026-11-21T12:00:00Z')
  const until = new Date('2026-11-28T12:00:00Z')
  const query = { rules, exceptions: [], timezone, partySize, at, from: at, until }
  const [slot] = offeredSlots(query).take(1)
  return slot !== undefined && freeFor(rules, inventory, slot, partySize).fits
}
