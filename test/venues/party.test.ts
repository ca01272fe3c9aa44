import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainText, plainWords } from '../../src/base/plain-text.ts'
import { numberLeft } from '../../src/venues/search/party.ts'
import { readVisit } from '../../src/venues/search/visit.ts'

/** How many people come; `?` if they are mentioned but not counted. */
function partyOf(text: string): string {
  const { partySize, party } = readVisit(plainText(text))
  return party.uncounted ? '?' : String(partySize ?? '-')
}

test.each([
  ['2 adults and a toddler', '3'],
  ['dinner for 2 adults and a 5 year old tomorrow at 6', '3'],
  ['two 5 year olds and 2 adults', '4'],
  ['me and my wife', '2'],
  ['massage for her and a facial for him', '2'],
  ['a massage for me and a facial for my wife tomorrow', '2'],
  ['massage for her and then dinner for me', '1'],
  ['dinner for 7 plus tmr', '?'],
  ['5 or more on friday', '?'],
  ['for 7 plus a baby', '8'],
  ['my wife, my mother and me', '3'],
  ['me and 3 friends', '4'],
  ['dinner with 3 friends', '4'],
  ['my husband and two kids', '4'],
  ['me and my kids (4 and 7)', '3'],
  ['family of five (two adults, three kids aged 4, 7 and 11)', '5'],
  ['for 6 including 2 kids', '6'],
  ['for two with a toddler', '3'],
  ['4 people with 2 kids', '4'],
  ['2 guests, 1 child', '3'],
  ['a couple with a baby', '3'],
  ['a couple plus one', '3'],
  ['table for two couples', '4'],
  ['the four of us', '4'],
  ['we are 5', '5'],
  ['10 pax', '10'],
  ['2pax', '2'],
  ['twenty five people', '25'],
  ['half a dozen of us', '6'],
  ['party of a dozen', '12'],
  ['2-4 people', '4'],
  ['for 2 or 3', '3'],
  ['for 2 or 3. quiet if possible', '3'],
  ['we are three. nothing too fancy', '3'],
  ['2 adults and a four year old', '3'],
  ['2 adults and 2 kids aged 4 and 7, i dont like italian', '4'],
  ['sama teman-teman', '?'],
  ['bareng 4 teman', '5'],
  ['bapak, ibu, dan saya', '3'],
  ['5 including me', '5'],
  ['4 (including me)', '4'],
  ['dinner for me', '1'],
  ['find a spa for me tomorrow for 4', '4'],
  ['my wife and i', '2'],
  ['lunch with my two kids', '3'],
  ['dinner for the whole team', '?'],
  ['2 vegans and 2 meat eaters', '4'],
  ['family of seven. one of us has a nut allergy', '7'],
  ['5 of us and two of them are vegan', '5'],
  ['table for 4, two of us are vegetarian', '4'],
  ['4 of us are looking for dinner', '4'],
  ['six to eight people', '8'],
  ['kids birthday party for 10', '10'],
  ['solo', '1'],
  ['saya dan istri', '2'],
  ['kami berlima', '5'],
  ['bersepuluh', '10'],
  ['2 dewasa 1 anak', '3'],
  ['ber-5', '5'],
  ['ber 5', '5'],
  ['ber5', '5'],
  ['ber lima', '5'],
  ['ber-lima', '5'],
  ['5 orng', '5'],
  ['kami ber-5 orang', '5'],
  ['10 org + 4 klien', '14'],
  ['kami 4 orang dr jakarta + 2 klien jepang', '6'],
  ['we are 4 from jakarta plus 2 japanese clients', '6'],
  ['5 orang plus bayi', '6'],
  ['5 orang plus baby', '6'],
  ['5 orang bawa bayi', '6'],
  ['5 orang tambah 1 bayi', '6'],
  ['10 pax + 2 drivers', '12'],
  ['sama bos dan 3 klien', '5'],
  ['makan sm teman', '2'],
  ['sama teman kantor', '?'],
  ['resto ber ac', '-'],
  ['saya, istri dan 2 anak', '4'],
  ['dua puluh lima orang', '25'],
  ['2 dewasa dan anak 5 tahun', '3'],
  ['dinner with my family', '?'],
  ['makan malam sekeluarga', '?'],
  ['dinner with friends', '?'],
  ['2 adults with kids', '?'],
  ['a table for a 5 year old', '?'],
  ['a few people', '?'],
  ['dinner for my wife', '?'],
  ['massage for -3 people', '?'],
  ['dinner for team of 11 in Ubud', '11'],
  ['nine blokes looking for beer', '9'],
  ['a 4-top at 7pm', '4'],
  ['dinner x4', '4'],
  ['2x massage', '2'],
  ['spa, pax=4, tomorrow', '4'],
  ['adults: 2, kids: 1', '3'],
  ['19:00, 2 P.', '2'],
  ['2+1 for dinner', '3'],
  ['dinner 2+2 kids', '4'],
  ['two hundred and five people', '205'],
  ['seratus dua puluh orang', '120'],
  ['3½ people', '?'],
  ['3 and a half people', '?'],
  ['me & my missus + the in-laws (so 4)', '4'],
  ['me n 5 mates', '6'],
  ['two couples and a single', '5'],
  ['mum, dad, gran and me', '4'],
  ['mum and dad get a couples massage', '2'],
  ["massage for my parents (I won't be there)", '2'],
  ['dinner for Priya and me', '?'],
  ['fourteen colleagues plus our four clients', '18'],
  ['somewhere that will take 15 on saturday night', '15'],
  ['2 people 7 dec 8pm', '2'],
  ['5 star spa with 2 pool tables', '-'],
  ['2 for 1 cocktails', '-'],
  ['60 or 90 min massage near me and open late', '-'],
  ['nusa dua spa', '-'],
  ['nightlife in Menteng', '-'],
  ['family friendly restaurant', '-'],
  ['a baby chair', '-'],
  ['ladies night', '-'],
  ['a 12 year old whisky', '-'],
  ['top 5 places to eat', '-'],
  ['for 300k', '-'],
  ['date night', '-'],
])('%j is a party of %s', (text, size) => {
  expect(partyOf(text)).toBe(size)
})

test.each([
  ['7 vikings, dinner', '7 vikings'],
  ['bar in kuta. 1', '1'],
  ['dinner ubud, two', 'two'],
  ['dinner ubud for sevn', 'for sevn'],
  ['foru people, sushi', 'foru'],
  ['meja untuk tigaa orang', 'untuk tigaa'],
  ['a bar for foodies', null],
  ['dinner for fun people', null],
  ['a star spa with 2 pool tables', null],
  ['dining in district 1', null],
  ['24 hour gym', null],
])('of %j, the number %j may be people', (text, said) => {
  const unknown = plainWords(text).filter((word) => word !== '1' || !text.includes('district'))
  expect(numberLeft(text, unknown)?.said ?? null).toBe(said)
})

test('a reading that could be another is said', () => {
  const assumedOf = (text: string) => readVisit(text).party.assumed
  expect(assumedOf('dinner for 2-4 people')).toBe('for 2-4 people is read as 4 guests.')
  expect(assumedOf('my husband and two kids')).toContain('read as 4 guests')
  expect(assumedOf('2 adults and a toddler')).toBeNull()
})

/** Ways to say a number of people of one sort. */
const sorts = {
  adults: (n: number) => (n === 1 ? ['1 adult', 'one adult'] : [`${n} adults`, `${n} dewasa`]),
  children: (n: number) => (n === 1 ? ['a child', '1 kid', 'a toddler'] : [`${n} kids`]),
  babies: (n: number) => (n === 1 ? ['a baby', 'an infant'] : [`${n} babies`]),
}
const several = (sort: keyof typeof sorts, min: number) =>
  fc
    .integer({ min, max: 9 })
    .chain((n) => fc.constantFrom(...sorts[sort](n)).map((said) => (n > 0 ? [{ n, said }] : [])))

test('property: people mentioned together are added up, whatever stands around them', () => {
  const groups = fc.tuple(several('adults', 1), several('children', 0), several('babies', 0))
  const before = fc.constantFrom('dinner for ', 'massage tomorrow at 7 for ', 'makan malam ')
  const joint = fc.constantFrom(' and ', ', ', ' plus ', ' & ', ' dan ')
  const after = fc.constantFrom(' in Sanur', ' tomorrow 7pm', ' di Ubud besok', ' on 2026-12-04')
  fc.assert(
    fc.property(groups, before, joint, after, (all, lead, link, end) => {
      const people = all.flat()
      const said = people.map((one) => one.said).join(link)
      const total = people.reduce((sum, { n }) => sum + n, 0)
      expect(readVisit(`${lead}${said}${end}`).partySize, `${lead}${said}${end}`).toBe(total)
    }),
  )
})
