import { wordsOf } from '../../contract/rules/plain-text.ts'
import type { Category } from '../../contract/rules/venue-kinds.ts'
import { averageCheck } from '../rules/average-check.ts'
import type { NewVenue } from '../store/new-venues.ts'
import { type Concept, concepts, homeCooking } from './concepts.ts'
import { type Draws, drawsOf, uuidOf } from './draws.ts'
import { nameWords } from './names.ts'
import { offeringsFor } from './offerings.ts'
import { type DemoArea, demoAreas } from './regions.ts'

/** What every area has; the well-known ones have it twice. */
const usual: readonly Category[] = ['restaurant', 'restaurant', 'bar', 'gym', 'spa']
const wellKnown = new Set(['seminyak', 'canggu', 'ubud', 'uluwatu', 'sanur', 'thonglor'])
/** A venue with one single table, for whoever wants to see what a full house is like. */
const LAST_TABLE = 'satu-meja'

/** The demo venues: fictitious, in real areas, and the same every time. */
export function demoVenues(): NewVenue[] {
  const taken = new Set<string>()
  const turns = { restaurant: 0, bar: 0, gym: 0, spa: 0 }
  const venues = demoAreas.flatMap((area) => {
    const categories = wellKnown.has(area.slug) ? [...usual, ...usual] : usual
    return categories.map((category, index) => {
      const choices = concepts[category]
      const isHome = category === 'restaurant' && index === 0
      const concept = isHome ? homeCooking[area.culture] : choices[turns[category] % choices.length]
      if (!isHome) turns[category] += 1
      return venueOf(area, category, concept ?? choices[0], taken)
    })
  })
  return [...venues, lastTable()]
}

function venueOf(area: DemoArea, category: Category, concept: Concept, taken: Set<string>) {
  const name = freeName(area, concept, taken)
  const slug = wordsOf(`${name} ${area.slug}`).join('-')
  return describe({ area, category, concept, name, slug, draws: drawsOf(slug) })
}

/** The first name that no other venue has, beginning at a word of the area's own. */
function freeName(area: DemoArea, { suffix }: Concept, taken: Set<string>): string {
  const words = nameWords[area.culture]
  const start = drawsOf(`${area.slug}/${suffix}`).between('name', 0, words.length - 1)
  const names = words.map((_, index) => `${words[(start + index) % words.length]} ${suffix}`)
  const name = names.find((one) => !taken.has(one)) ?? `${names[0]} ${area.name}`
  taken.add(name)
  return name
}

type Sketch = {
  area: DemoArea
  category: Category
  concept: Concept
  name: string
  slug: string
  draws: Draws
}

function describe({ area, category, concept, name, slug, draws }: Sketch): NewVenue {
  const price_level = draws.pick('price level', [1, 2, 2, 3, 3, 4])
  const touch = draws.pick('touch', touches[category])
  return {
    id: uuidOf(`venue/${slug}`),
    slug,
    name,
    category,
    area_slug: area.slug,
    description: `${concept.story}. ${touch}`,
    tags: [...concept.tags],
    price_level,
    latitude: nearby(area.latitude, draws, 'latitude'),
    longitude: nearby(area.longitude, draws, 'longitude'),
    confirm_mode: 'auto',
    is_demo: true,
    offerings: offeringsFor({
      slug,
      style: concept.style,
      late: category === 'bar',
      spend: averageCheck(category, price_level, area.currency) ?? 0,
      hasPrivateRoom: category === 'restaurant' && price_level === 4,
      draws,
    }),
  }
}

const touches: Record<Category, readonly [string, ...string[]]> = {
  restaurant: [
    'Children are welcome, and so are muddy sandals.',
    'The terrace catches the evening breeze.',
    'Ask for the table by the old mango tree.',
    'The menu is short and changes with the market.',
  ],
  bar: [
    'The kitchen sends out snacks until late.',
    'Non-alcoholic drinks get the same care.',
    'Weekends run past midnight.',
  ],
  gym: [
    'Towels, showers and drinking water are included.',
    'Visitors drop in by the day.',
    'Beginners get a coach to themselves for the first ten minutes.',
  ],
  spa: [
    'Therapists ask first and press second.',
    'Oils are blended in the house.',
    'Arrive a quarter of an hour early for tea.',
  ],
}

/** Within about a kilometre of the area's centre. */
const nearby = (centre: number, draws: Draws, axis: string): number =>
  Number((centre + draws.between(axis, -80, 80) / 10_000).toFixed(4))

function lastTable(): NewVenue {
  const area = demoAreas.find(({ slug }) => slug === 'ubud')
  if (!area) throw new Error('the demo areas lack Ubud')
  const venue = describe({
    area,
    category: 'restaurant',
    concept: homeCooking[area.culture],
    name: 'Satu Meja',
    slug: LAST_TABLE,
    draws: drawsOf(LAST_TABLE),
  })
  return {
    ...venue,
    description: 'One kitchen, one cook and one single table: whoever books it has the house.',
    offerings: venue.offerings.slice(0, 1).map((offering) => ({
      ...offering,
      resources: offering.resources
        .slice(0, 1)
        .map((table) => ({ ...table, party_min: 1, party_max: 6 })),
      rules: { ...offering.rules, party_max: 6 },
    })),
  }
}
