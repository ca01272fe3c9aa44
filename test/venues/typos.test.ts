import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainWords } from '../../src/base/plain-text.ts'
import { demoAreas } from '../../src/venues/demo/venues.ts'
import { isLikely } from '../../src/venues/search/correct-typos.ts'
import { buildLexicon, findArea } from '../../src/venues/search/lexicon.ts'
import { namesOfPeople } from '../../src/venues/search/people.ts'
import {
  editDistance,
  lexiconCandidates,
  nearest,
} from '../../src/venues/search/typo-candidates.ts'
import { isWord } from '../../src/venues/search/world-places.ts'

const lexicon = buildLexicon(demoAreas)
const meantBy = (word: string) => nearest(word, lexiconCandidates(word, lexicon))[0]

test.each([
  ['seminyak', 'seminyak', 0],
  ['seminyk', 'seminyak', 1],
  ['semniyak', 'seminyak', 1],
  ['seminiak', 'seminyak', 1],
  ['seminyaak', 'seminyak', 1],
  ['smeinyka', 'seminyak', 2],
  ['sanur', 'kuta', undefined],
])('the distance from %s to %s is %s', (one, other, distance) => {
  expect(editDistance(one, other, 2)).toBe(distance)
  expect(editDistance(other, one, 2)).toBe(distance)
})

test.each([
  ['restaurnt', 'restaurant'],
  ['masage', 'massage'],
  ['pijatt', 'pijat'],
  ['clbu', 'club'],
  ['ubdu', 'ubud'],
  ['tomorow', 'tomorrow'],
  ['gilitrawagan', 'gilitrawangan'],
  ['spx', undefined],
  ['zebra', undefined],
])('%s is corrected to %s', (word, meant) => {
  expect(meantBy(word)).toBe(meant)
})

const letters = 'abcdefghijklmnopqrstuvwxyz'
const typos: readonly ((word: string, at: number, letter: string) => string)[] = [
  (word, at) => word.slice(0, at) + word.slice(at + 1),
  (word, at, letter) => word.slice(0, at) + letter + word.slice(at),
  (word, at, letter) => word.slice(0, at) + letter + word.slice(at + 1),
  (word, at) => word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2),
]

test.each(['lads', 'starving', 'ideally', 'portions', 'madam', 'terapis', 'isya', 'wita'])(
  '%s is a word, and no typo',
  (word) => {
    expect(isWord(word)).toBe(true)
    expect(isLikely(word, meantBy(word) ?? '')).toBe(false)
  },
)

test('a plural, a letter more and swapped letters are typos; another beginning is not', () => {
  expect(isLikely('veggies', 'veggie')).toBe(true)
  expect(isLikely('massge', 'massage')).toBe(true)
  expect(isLikely('ubdu', 'ubud')).toBe(true)
  expect(isLikely('zanur', 'sanur')).toBe(true)
  expect(isLikely('qars', 'bars')).toBe(false)
})

test('the name of a person is not a place', () => {
  expect(namesOfPeople('Massage for Priya and me in Semniyak, Tom and I, Ana’s')).toEqual(
    expect.arrayContaining(['priya', 'tom', 'ana']),
  )
  expect(namesOfPeople('Spa in Semniyak, Massage')).toEqual([])
})

test('property: an area of five letters or more is found despite one typo', () => {
  const areas = demoAreas.filter(({ name }) => plainWords(name).every((word) => word.length >= 5))
  const typo = fc.record({
    area: fc.constantFrom(...areas),
    kind: fc.constantFrom(...typos),
    part: fc.double({ min: 0, max: 0.99, noNaN: true }),
    letter: fc.constantFrom(...letters),
  })
  fc.assert(
    fc.property(typo, ({ area, kind, part, letter }) => {
      const words = plainWords(area.name)
      const right = words[0] ?? ''
      const wrong = kind(right, Math.floor(part * right.length), letter)
      fc.pre(!lexicon.words.has(wrong))
      const [corrected = wrong, ...equallyNear] = nearest(wrong, lexiconCandidates(wrong, lexicon))
      // By sound, too: Canggy is as near to Changi as to Canggu.
      fc.pre(equallyNear.length === 0)
      const name = [corrected, ...words.slice(1)].join(' ')
      expect([wrong, findArea(lexicon, name)?.name]).toEqual([wrong, area.name])
    }),
    { numRuns: 500 },
  )
})
