import fc from 'fast-check'
import { expect, test } from 'vitest'
import { demoAreas } from '../../src/venues/demo/venues.ts'
import { buildLexicon, findArea } from '../../src/venues/search/lexicon.ts'
import { parseQuery } from '../../src/venues/search/parse-query.ts'
import { wordOf } from '../../src/venues/search/readings.ts'

const lexicon = buildLexicon(demoAreas)

/** A query's category, place and words in one line. */
function reading(query: string): string {
  const { category, place, terms } = parseQuery(query, lexicon)
  return [category, place?.name, terms.map(wordOf).join(' ')].map((part) => part || '-').join(' | ')
}

test.each([
  ['restaurant in Seminyak', 'restaurant | Seminyak | -'],
  ['RESTAURANTS, seminyak!', 'restaurant | Seminyak | -'],
  ['dinner in Uluwatu tonight', 'restaurant | Uluwatu | -'],
  ['sushi in Canggu', 'restaurant | Canggu | sushi'],
  ['cocktail bar in Batu Bolong', 'bar | Canggu | cocktail'],
  ['yoga class Ubud', 'gym | Ubud | yoga'],
  ['couples massage in Gili T', 'spa | Gili Trawangan | couples massage'],
  ['spa near Kuta Lombok', 'spa | Kuta Lombok | -'],
  ['gym in Kuta', 'gym | Kuta | -'],
  ['bars in Bali', 'bar | Bali | -'],
  ['bar in Seminyak, Bali', 'bar | Seminyak | -'],
  ['bar in Bali, Seminyak', 'bar | Seminyak | -'],
  ['bar in Seminyak or Canggu', 'bar | Seminyak, Canggu | -'],
  ['pizza in Thong Lo', 'restaurant | Thonglor | pizza'],
  ['restaurants in Viet Nam', 'restaurant | Vietnam | -'],
  ['phở in Hanoi', 'restaurant | Hanoi | pho'],
  ['bar with sushi', 'bar | - | sushi'],
  ['zebra crossing', '- | - | zebra crossing'],
  ['', '- | - | -'],
])('%j reads as %s', (query, expected) => {
  expect(reading(query)).toBe(expected)
})

test('words that search cannot use are listed as dropped, except small words', () => {
  expect(parseQuery('a nice bar near Sanur', lexicon).dropped).toEqual(['nice'])
  expect(parseQuery('tolong carikan pijat di Ubud', lexicon).dropped).toEqual([])
})

test('every area is found by its slug, its name and each alias', () => {
  for (const { slug, name, aliases } of demoAreas) {
    for (const called of [slug, name, ...aliases]) {
      expect(findArea(lexicon, called)?.areas).toEqual([slug])
    }
  }
  expect(findArea(lexicon, 'atlantis')).toBeUndefined()
  expect(findArea(lexicon, 'restaurant')).toBeUndefined()
})

test('property: the remaining words are always safe to search for', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (query) => {
      const { terms } = parseQuery(query, lexicon)
      for (const word of terms.flat().flatMap((one) => one.split(' ')))
        expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u)
    }),
  )
})
