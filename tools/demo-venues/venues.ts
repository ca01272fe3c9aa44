import { plainWords } from '../../src/base/plain-text.ts'
import type { Category } from '../../src/base/venue-kinds.ts'
import { uuidOf } from '../../src/platform/database/uuid-of.ts'
import { demoAreas } from '../../src/venues/demo/venues.ts'
import { averageCheck } from '../../src/venues/rules/average-check.ts'
import type { NewVenue } from '../../src/venues/store/new-venues.ts'
import texts from './concepts.json' with { type: 'json' }
import { type Draws, drawsOf } from './draws.ts'
import type { GymClass, Style } from './parts.ts'
import { placeOf } from './place.ts'
import { servicesFor } from './services.ts'

/** Decides the cuisine and the names of an area's venues. */
type Culture = keyof typeof texts.nameWords
type Choices<T> = readonly [T, ...T[]]
/** `suffix` completes the venue's name, and one of `stories` begins its description. */
type Concept = {
  style: Style
  suffix: string
  stories: Choices<string>
  tags: readonly string[]
  /** of a gym */
  classes?: readonly GymClass[]
  /** tags that a venue of this concept never has */
  without?: readonly string[]
}
/** A description's second sentence, in several variants, and the tags that it adds. */
type Touch = { texts: Choices<string>; tags: readonly string[] }
type DemoArea = Omit<(typeof demoAreas)[number], 'culture'> & { culture: Culture }

const areas = demoAreas as readonly DemoArea[]
const nameWords = texts.nameWords as unknown as Record<Culture, Choices<string>>
const homeCooking = texts.homeCooking as unknown as Record<Culture, Concept>
const concepts = texts.concepts as unknown as Record<Category, Choices<Concept>>
const touches = texts.touches as unknown as Record<Category, Choices<Touch>>
/** Sentences that end a description without adding tags. */
const details = texts.details as unknown as Record<Category, Choices<string>>

/** The kinds of venue in every area; well-known areas have each twice. */
const usual: readonly Category[] = ['restaurant', 'restaurant', 'bar', 'gym', 'spa']
const wellKnown = new Set(['seminyak', 'canggu', 'ubud', 'uluwatu', 'sanur', 'thonglor'])
/** A venue with a single table, so that a full house is easy to demonstrate. */
const LAST_TABLE = 'satu-meja'

/** Fictitious venues in real areas, the same every time. */
export function makeVenues(): NewVenue[] {
  const earlier: Earlier = { names: new Set(), sentencePairs: new Set() }
  const turns = { restaurant: 0, bar: 0, gym: 0, spa: 0 }
  const venues = areas.flatMap((area) => {
    const categories = wellKnown.has(area.slug) ? [...usual, ...usual] : usual
    return categories.map((category, index) => {
      const choices = concepts[category]
      const isHome = category === 'restaurant' && index === 0
      const concept = isHome ? homeCooking[area.culture] : choices[turns[category] % choices.length]
      if (!isHome) turns[category] += 1
      return venueOf(area, category, concept ?? choices[0], earlier)
    })
  })
  return [...venues, lastTable(earlier)]
}

/** The names of earlier venues, and the pairs of sentences in their descriptions. */
type Earlier = { names: Set<string>; sentencePairs: Set<string> }

function venueOf(area: DemoArea, category: Category, concept: Concept, earlier: Earlier) {
  const name = freeName(area, concept, earlier.names)
  const slug = plainWords(`${name} ${area.slug}`).join('-')
  const draws = drawsOf(slug)
  return describe({ area, category, concept, name, slug, draws, earlier })
}

/** The first free name, starting at a word that depends on the area. */
function freeName(area: DemoArea, { suffix }: Concept, used: Set<string>): string {
  const words = nameWords[area.culture]
  const start = drawsOf(`${area.slug}/${suffix}`).between('name', 0, words.length - 1)
  const names = words.map((_, index) => `${words[(start + index) % words.length]} ${suffix}`)
  const name = names.find((one) => !used.has(one)) ?? `${names[0]} ${area.name}`
  used.add(name)
  return name
}

type Sketch = {
  area: DemoArea
  category: Category
  concept: Concept
  name: string
  slug: string
  draws: Draws
  earlier: Earlier
}

/** A restaurant and a spa at which payments can be tried in test money. */
const payable = ['angin-laut-sushi-canggu', 'padi-bathhouse-canggu']

function describe(sketch: Sketch): NewVenue {
  const { area, category, concept, name, slug, draws } = sketch
  const price_level = draws.pick('price level', [1, 2, 2, 3, 3, 4])
  const touch = touchOf(category, concept, draws)
  const description = textOf(sketch, touch)
  const tags = [...new Set([...concept.tags, ...touch.tags])]
  const place = placeOf(area, { slug, category, description, tags }, draws)
  const isOutside = category === 'restaurant' && place.facts.outdoor === 'yes'
  return {
    id: uuidOf(`venue/${slug}`),
    slug,
    name,
    category,
    area_slug: area.slug,
    description,
    tags,
    ...place,
    price_level,
    latitude: nearby(area.latitude, draws, 'latitude'),
    longitude: nearby(area.longitude, draws, 'longitude'),
    confirm_mode: 'auto',
    is_demo: true,
    ...(payable.includes(slug) && { takes_test_money: true }),
    ...servicesFor({
      slug,
      style: concept.style,
      late: category === 'bar',
      spend: averageCheck(category, price_level, area.currency) ?? 0,
      hasPrivateRoom: category === 'restaurant' && price_level === 4,
      hasTerrace: isOutside && draws.pick('terrace', [true, false]),
      classes: concept.classes ?? [],
      draws,
    }),
  }
}

/**
 * Three sentences. No other description shares two of them, no other venue with this concept has
 * the third, and few have the second.
 */
function textOf(
  { category, concept, earlier: { sentencePairs: said } }: Sketch,
  touch: Touch,
): string {
  const { suffix, stories } = concept
  const nth = said.size
  const texts = rotated(touch.texts, nth)
  const fresh = texts.filter((text) => !said.has(`${suffix}/${text}`))
  for (const text of new Set([...fresh, ...texts])) {
    for (const detail of rotated(details[category], nth)) {
      if (said.has(`${suffix}/${detail}`) || said.has(`${text}/${detail}`)) continue
      const story = rotated(stories, nth).find((one) => !said.has(`${one}/${text}`))
      if (story === undefined) continue
      for (const both of [
        [suffix, detail],
        [text, detail],
        [suffix, text],
        [story, text],
      ]) {
        said.add(both.join('/'))
      }
      return `${story}. ${text} ${detail}`
    }
  }
  throw new Error(`concepts.json has too few sentences for ${suffix}`)
}

const rotated = (choices: readonly string[], by: number): readonly string[] => {
  const start = by % choices.length
  return [...choices.slice(start), ...choices.slice(0, start)]
}

function touchOf(category: Category, { without = [] }: Concept, draws: Draws): Touch {
  const touch = draws.pick('touch', touches[category])
  const suits = ({ tags }: Touch) => !tags.some((tag) => without.includes(tag))
  return suits(touch) ? touch : (touches[category].find(suits) ?? touch)
}

/** Within about a kilometre of the area's centre. */
const nearby = (centre: number, draws: Draws, axis: string): number =>
  Number((centre + draws.between(axis, -80, 80) / 10_000).toFixed(4))

function lastTable(earlier: Earlier): NewVenue {
  const area = areas.find(({ slug }) => slug === 'ubud')
  if (!area) throw new Error('the demo areas lack Ubud')
  const venue = describe({
    area,
    category: 'restaurant',
    concept: homeCooking[area.culture],
    name: 'Satu Meja',
    earlier,
    slug: LAST_TABLE,
    draws: drawsOf(LAST_TABLE),
  })
  return {
    ...venue,
    description: 'One kitchen, one cook and a single table: book it and the house is yours.',
    services: venue.services.slice(0, 1).map((service) => ({
      ...service,
      resources: (service.resources ?? [])
        .slice(0, 1)
        .map((table) => ({ ...table, party_min: 1, party_max: 6 })),
      rules: { ...service.rules, party_max: 6 },
    })),
  }
}
