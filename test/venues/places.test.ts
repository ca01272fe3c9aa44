import { expect, test } from 'vitest'
import { kilometres } from '../../src/base/distance.ts'
import { demoAreas } from '../../src/venues/demo/venues.ts'
import { buildLexicon, findArea } from '../../src/venues/search/lexicon.ts'
import { parseQuery } from '../../src/venues/search/parse-query.ts'
import { areasAround } from '../../src/venues/search/places.ts'

const lexicon = buildLexicon(demoAreas)
const landmarks = demoAreas.flatMap(({ slug: area, landmarks }) =>
  landmarks.map((one) => ({ area, ...one })),
)
const place = (name: string) => {
  const found = findArea(lexicon, name)
  if (!found) throw new Error(`no place is called ${name}`)
  return found
}

test('landmarks exist throughout the network, each within an hour of its area', () => {
  expect(landmarks.length).toBeGreaterThanOrEqual(60)
  for (const { names, area, ...origin } of landmarks) {
    const home = demoAreas.find(({ slug }) => slug === area)
    if (!home) throw new Error(`${names[0]} is in an area that is not there: ${area}`)
    expect([names[0], kilometres(home, origin) < 45]).toEqual([names[0], true])
  }
})

test('every landmark is found by each of its names, unless an area has that name', () => {
  for (const { names } of landmarks) {
    for (const name of names) {
      const { landmark, place } = parseQuery(`spa near ${name}`, lexicon)
      expect([name, landmark?.landmark ?? place?.name]).not.toContain(undefined)
    }
  }
})

test.each([
  ['KL', 'Kuala Lumpur'],
  ['BKK', 'Bangkok'],
  ['Saigon', 'Ho Chi Minh City'],
  ['Jogja', 'Yogyakarta'],
  ['Gili T', 'Gili Trawangan'],
  ['Pulau Bali', 'Bali'],
  ['nusadua', 'Nusa Dua'],
  ['Singapura', 'Singapore'],
])('%s is %s', (called, name) => {
  expect(place(called).name).toBe(name)
})

test('an area called like something to search for is meant only after a word of place', () => {
  const [canggu] = demoAreas
  if (!canggu) throw new Error('no area')
  const own = { ...canggu, slug: 'sushi-street', name: 'Sushi', aliases: ['Massage'] }
  const words = buildLexicon([...demoAreas, own])
  expect(parseQuery('sushi', words)).toMatchObject({ category: 'restaurant', place: null })
  expect(parseQuery('massage', words)).toMatchObject({ category: 'spa', place: null })
  expect(parseQuery('bar in Sushi', words)).toMatchObject({
    category: 'bar',
    place: { areas: ['sushi-street'] },
  })
})

test('Bali is every area of the island', () => {
  const areas = demoAreas.filter(({ city }) => city === 'Bali').map(({ slug }) => slug)
  expect(place('Bali').areas.toSorted()).toEqual(areas.toSorted())
})

test('an area’s surroundings are its island, its neighbours and its country', () => {
  const around = areasAround(place('Gili Meno'), demoAreas)
  expect(around.map(({ name }) => name)).toEqual([
    'Gili Islands',
    'Gili Trawangan, Gili Air, Senggigi, Amed',
    'Indonesia',
  ])
})

test('distances follow the globe', () => {
  const km = kilometres(centreOf('seminyak'), centreOf('ubud'))
  expect(km).toBeGreaterThan(22)
  expect(km).toBeLessThan(24)
})

function centreOf(slug: string) {
  const area = demoAreas.find((one) => one.slug === slug)
  if (!area) throw new Error(`no area ${slug}`)
  return area
}
