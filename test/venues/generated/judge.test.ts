import { expect, test } from 'vitest'
import { demoCatalogue } from '../golden/catalogue.ts'
import type { AnsweredVenue, Understood } from '../golden/grade.ts'
import { nothing, venue } from '../golden/sample.ts'
import { verdictsOf } from './judge.ts'
import type { Phrase } from './meaning.ts'
import { phraseOf } from './phrase.ts'

const moment = { at: new Date('2026-11-18T03:00:00Z'), today: '2026-11-18', minutes: 660 }
const friday: Phrase = {
  seed: 1,
  text: 'dinner in Canggu on Friday before 8pm for 2, no sushi',
  moment,
  kind: { form: 'restaurant', text: 'dinner', meaning: { categories: ['restaurant'] } },
  place: {
    form: 'area',
    text: 'in Canggu',
    meaning: { includes: ({ area }) => area === 'Canggu' },
  },
  day: {
    form: 'weekday',
    text: 'on Friday',
    meaning: { days: [{ from: '2026-11-20', to: '2026-11-20' }] },
  },
  time: { form: 'before', text: 'before 8pm', meaning: { window: { to: 20 * 60 } } },
  party: { form: 'number', text: 'for 2', meaning: { sizes: [2] } },
  exclusion: {
    form: 'no dish',
    text: 'no sushi',
    meaning: { words: ['sushi'], includes: ({ tags }) => tags.includes('sushi') },
  },
}
const grill = (slots: string[], others: Partial<AnsweredVenue> = {}) =>
  venue('grill', ['grill'], { slots, ...others })
const read = { ...nothing, date: '2026-11-20', party_size: 2 }

/** The parts that are not right, and what they came to. */
const wrong = (venues: AnsweredVenue[], interpretation: Understood = read, phrase = friday) =>
  Object.fromEntries(
    verdictsOf(phrase, { venues, interpretation })
      .filter(({ outcome }) => outcome !== 'right')
      .map(({ facet, outcome }) => [facet, outcome]),
  )

test('what is shown must be of the day, time, party, kind and place that were said', () => {
  expect(wrong([grill(['2026-11-20T19:00:00', '2026-11-21T21:00:00'])])).toEqual({})
  expect(wrong([grill(['2026-11-21T19:00:00'])])).toEqual({ day: 'dishonest' })
  expect(wrong([grill(['2026-11-20T19:00:00', '2026-11-20T20:30:00'])])).toEqual({
    time: 'dishonest',
  })
  const slots = ['2026-11-20T19:00:00']
  expect(wrong([grill(slots)], { ...read, party_size: null })).toEqual({ party: 'dishonest' })
  expect(wrong([grill(slots, { category: 'bar' })])).toEqual({ kind: 'dishonest' })
  expect(wrong([grill(slots, { area: 'Ubud' })])).toEqual({ place: 'dishonest' })
  expect(wrong([venue('sushi', ['sushi'], { slots })])).toEqual({ exclusion: 'dishonest' })
})

test('a note explains times of another day, but not a day that was misread', () => {
  const later = grill(['2026-11-23T19:00:00'], { note: 'Full on 2026-11-20.' })
  expect(wrong([later])).toEqual({})
  expect(wrong([later], { ...read, date: '2026-11-18' })).toEqual({ day: 'dishonest' })
})

test('what was not understood may be asked for, without any times', () => {
  const unread = { ...read, date: null }
  expect(wrong([grill([])], unread)).toEqual({ day: 'silent' })
  expect(wrong([grill([])], { ...unread, dropped: ['friday'] })).toEqual({ day: 'asked' })
  expect(wrong([grill([])], { ...unread, hint: 'Send `date`.' })).toEqual({ day: 'asked' })
  const dropped = { ...unread, dropped: ['friday'] }
  expect(wrong([grill(['2026-11-18T19:00:00'])], dropped)).toEqual({ day: 'dishonest' })
})

test('a day that nobody can know is never shown', () => {
  const day = { form: 'no date', text: 'on my birthday', meaning: { days: [] } }
  const birthday = { ...friday, day }
  expect(wrong([grill(['2026-11-20T19:00:00'])], read, birthday)).toEqual({ day: 'dishonest' })
})

test('a seed always gives the same phrase, and seeds give many', () => {
  const catalogue = demoCatalogue()
  const texts = () => Array.from({ length: 500 }, (_, seed) => phraseOf(seed, catalogue).text)
  expect(texts()).toEqual(texts())
  expect(new Set(texts()).size).toBeGreaterThan(495)
})
