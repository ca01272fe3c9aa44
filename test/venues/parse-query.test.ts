import fc from 'fast-check'
import { expect, test } from 'vitest'
import { demoAreas } from '../../src/venues/demo/venues.ts'
import { buildLexicon, findArea } from '../../src/venues/search/lexicon.ts'
import { otherRequest } from '../../src/venues/search/other-requests.ts'
import { parseQuery } from '../../src/venues/search/parse-query.ts'
import { readPrice } from '../../src/venues/search/price-lexicon.ts'
import { wordOf } from '../../src/venues/search/readings.ts'
import { writtenOut } from '../../src/venues/search/written-out.ts'

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
  ['gym or boulders in Canggu', 'gym | Canggu | -'],
  ['vegan restaurant or Italian', 'restaurant | - | vegan italian'],
  ['morning flow in Canggu', 'gym | Canggu | yoga'],
  ['im starving, ubud', 'restaurant | Ubud | -'],
  ['plant based in Ubud', 'restaurant | Ubud | vegan'],
  ['zebra crossing', '- | - | zebra crossing'],
  ['', '- | - | -'],
])('%j reads as %s', (query, expected) => {
  expect(reading(query)).toBe(expected)
})

/** A query's place, what it excludes and the facts it needs, in one line. */
function excludedIn(query: string): string {
  const { place, excluded, facts } = parseQuery(writtenOut(query, lexicon), lexicon)
  const names = facts.map(({ name, is }) => (is === 'no' ? `no ${name}` : name))
  const said = excluded.map((one) => `not ${one.said}`)
  return [place?.name ?? '-', ...said, ...names].join(' | ')
}

test.each([
  ['ada resto yg kids friendly gak di sanur?', 'Sanur | children'],
  ['ada yg murah meriah gak di menteng?', 'Menteng'],
  ['nge gym masih buka gak di denpasar', 'Denpasar'],
  ['ada bar enggak di legian 3 orang', 'Legian'],
  ['ada private room gak utk 12 orang di jakarta', 'Jakarta'],
  ['bisa ngga di ubud', 'Ubud'],
  ['ada yg halal nggak di legian', 'Legian | halal'],
  ['ada spa tak dekat bangsar?', 'Bangsar'],
  ['ada parkir gak resto di kemang', 'Kemang | parking'],
  ['ada gak yg jual ramen di canggu', 'Canggu'],
  ['deket gak sm pantai? resto sanur', 'Sanur'],
  ['resto sanur halal apa gak', 'Sanur | halal'],
  ['murah tidak di menteng?', 'Menteng'],
  ['kok gak ada spa di kuta', 'Kuta'],
  ['spa gak ada di kuta?', 'Kuta'],
  ['nggak ada spa yg buka di kuta?', 'Kuta'],
  ['parkirannya luas gak di resto kemang', 'Kemang | parking'],
  ['kalo gak ada di ubud, di sanur jg boleh', 'Ubud, Sanur'],
  ['resto di ubud, kalo ga ada, di sanur', 'Ubud, Sanur'],
  ['if there is nothing in Ubud, Sanur is fine', 'Ubud, Sanur'],
])('a question excludes nothing: %j', (query, expected) => {
  expect(excludedIn(query.toLowerCase())).toBe(expected)
})

test.each([
  ['spa di bali yg gak di kuta', 'Bali | not kuta'],
  ['ada resto di bali tapi gak di kuta?', 'Bali | not kuta'],
  ['tidak di kuta, spa di bali', 'Bali | not kuta'],
  ['gak mau makan di kuta, resto di bali', 'Bali | not kuta'],
  ['jgn yg ada sushi, makan di canggu', 'Canggu | not sushi'],
  ['gym ubud gak pake yoga', 'Ubud | not yoga'],
  ['a place that does not allow smoking in kuta', 'Kuta | not smoking | no smoking'],
  ['bar anywhere in bali but seminyak', 'Bali | not seminyak'],
  ['jangan resto jepang, di seminyak', 'Seminyak | not jepang'],
  ['bukan tempat yoga, gym di ubud', 'Ubud | not yoga'],
  ['tempat yg gak boleh ngerokok di kuta', 'Kuta | not ngerokok | no smoking'],
  ['jangan minum, makan aja di ubud', 'Ubud | not minum'],
  ['resto yg ga jual alkohol di ubud', 'Ubud | not alkohol | no alcohol'],
  ['resto ubud tidak menyediakan alkohol', 'Ubud | not alkohol | no alcohol'],
  ['ubud, gak minum alkohol', 'Ubud | not alkohol | no alcohol'],
  ['ubud jangan yg ada alkoholnya', 'Ubud | not alkohol | no alcohol'],
])('what is not wanted is excluded: %j', (query, expected) => {
  expect(excludedIn(query)).toBe(expected)
})

test.each([
  ['gak mau yg mahal', 'cheap'],
  ['ga mau mahal', 'cheap'],
  ['jangan yg mahal', 'cheap'],
  ['gak usah mahal2', 'cheap'],
  ['nggak pengen yg terlalu mewah', 'cheap'],
  ['dont want anything expensive', 'cheap'],
  ['ga begitu mahal', 'cheap'],
  ['gak mau yg murahan', 'mid-range'],
])('%j wants a %s price', (query, level) => {
  expect(readPrice(writtenOut(query, lexicon)).price).toMatchObject({ level })
})

test('short forms, fillers and ends that add nothing are neither searched for nor dropped', () => {
  const query = 'yg jg kalo klo utk dgn dr bgt aja dong doang ya nih wita wib lah ah leh sm dkt'
  const parsed = parseQuery(writtenOut(query, lexicon), lexicon)
  expect(parsed).toMatchObject({ terms: [], dropped: [], unknown: [] })
  expect(excludedIn('resto yg ada kolam renangnya, bayar pake kartu')).toBe('- | pool | cards')
  expect(reading('dugem di seminyak')).toBe('bar | Seminyak | -')
})

test.each([
  ['cancel my booking for tonight', '/cancel'],
  ['please call off our table tomorrow', '/cancel'],
  ['batalkan pesanan saya', '/cancel'],
  ['change my booking to 8pm', 'PATCH'],
  ['i want to move my reservation to friday', 'PATCH'],
  ['add 2 people to my booking', 'PATCH'],
  ['is my booking confirmed', 'Search only finds'],
  ['same place as last time, 2 people tomorrow', 'Which venue'],
  ['book our usual table', 'Which venue'],
  ['spa where i can cancel my booking for free', null],
  ['the usual hour, dinner in ubud', null],
  ['cancel my plans, find me a spa in ubud', null],
  ['change of scenery: bar in kuta', null],
  ['dinner and a bar at the same place', null],
])('%j is about a booking of before: %s', (text, said) => {
  expect(otherRequest(text)?.includes(said ?? '') ?? null).toBe(said && true)
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
