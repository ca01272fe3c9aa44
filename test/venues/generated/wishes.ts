import type { JudgedVenue } from '../golden/grade.ts'
import type { Exclusion, KindMeaning, Part, PlaceMeaning, TimeMeaning } from './meaning.ts'
import type { Random } from './random.ts'

export type Language = 'en' | 'id'

/** A kind of visit, and the hours at which it makes sense. */
export type Wish = Part<KindMeaning> & {
  hours: readonly [from: number, to: number]
  /** whether a dish, place or venue can be excluded from it */
  isOpen: boolean
}

type Row = [text: string, category: string, from: number, to: number, isOpen?: true]

const english: readonly Row[] = [
  ['dinner', 'restaurant', 18, 21, true],
  ['lunch', 'restaurant', 12, 14, true],
  ['a restaurant', 'restaurant', 12, 21, true],
  ['somewhere to eat', 'restaurant', 12, 21, true],
  ['a table', 'restaurant', 17, 21, true],
  ['sushi', 'restaurant', 17, 21],
  ['ramen', 'restaurant', 12, 21],
  ['Italian dinner', 'restaurant', 18, 21],
  ['tacos', 'restaurant', 17, 21],
  ['seafood', 'restaurant', 17, 21],
  ['birthday dinner', 'restaurant', 18, 21],
  ['a bar', 'bar', 17, 22, true],
  ['cocktails', 'bar', 17, 22],
  ['drinks', 'bar', 17, 22, true],
  ['a rooftop bar', 'bar', 17, 22],
  ['a wine bar', 'bar', 17, 22],
  ['a gym', 'gym', 7, 18, true],
  ['yoga', 'gym', 7, 17],
  ['a pilates class', 'gym', 7, 17],
  ['a workout', 'gym', 7, 18, true],
  ['a spa', 'spa', 10, 18, true],
  ['a massage', 'spa', 10, 18],
  ['a couples massage', 'spa', 10, 18],
  ['a facial', 'spa', 10, 18],
  ['hot stone massage', 'spa', 10, 18],
  ['a 90 minute massage', 'spa', 10, 18],
  ['a 60-minute facial', 'spa', 10, 18],
  ['a two hour massage', 'spa', 10, 18],
]

const indonesian: readonly Row[] = [
  ['makan malam', 'restaurant', 18, 21, true],
  ['makan siang', 'restaurant', 12, 14, true],
  ['restoran', 'restaurant', 12, 21, true],
  ['tempat makan', 'restaurant', 12, 21, true],
  ['sushi', 'restaurant', 17, 21],
  ['warung', 'restaurant', 12, 21],
  ['bar', 'bar', 17, 22, true],
  ['tempat minum', 'bar', 17, 22],
  ['gym', 'gym', 7, 18, true],
  ['yoga', 'gym', 7, 17],
  ['pijat', 'spa', 10, 18],
  ['spa', 'spa', 10, 18, true],
  ['pijat 90 menit', 'spa', 10, 18],
  ['pijat satu jam', 'spa', 10, 18],
]

const rows = { en: english, id: indonesian }

export function someWish(random: Random, language: Language): Wish {
  if (random.chance(0.04)) return eitherKind(random, language)
  const [text, category, from, to, isOpen = false] = random.pick(rows[language])
  return { form: category, text, meaning: { categories: [category] }, hours: [from, to], isOpen }
}

function eitherKind(random: Random, language: Language): Wish {
  const or = language === 'en' ? 'or' : 'atau'
  const [text, categories] = random.pick([
    [`spa ${or} gym`, ['spa', 'gym']],
    [`bar ${or} restaurant`, ['bar', 'restaurant']],
  ] as const)
  return { form: 'either kind', text, meaning: { categories }, hours: [17, 18], isOpen: false }
}

/** A time that is told by a meal, for a kind of visit that is not that meal. */
export function anchorFor(
  random: Random,
  language: Language,
  { meaning, hours }: Wish,
): Part<TimeMeaning> | undefined {
  const anchors = {
    en: [
      ['after lunch', 13, 18, ['spa', 'gym', 'bar']],
      ['before dinner', 15, 20, ['spa', 'gym', 'bar']],
      ['after dinner', 19, 29, ['bar']],
      ['after breakfast', 8, 13, ['spa', 'gym']],
      ['before breakfast', 4, 10, ['gym']],
      ['before lunch', 8, 13, ['spa', 'gym']],
    ],
    id: [
      ['setelah makan siang', 13, 18, ['spa', 'gym']],
      ['sebelum makan malam', 15, 20, ['spa', 'gym', 'bar']],
      ['setelah makan malam', 19, 29, ['bar']],
      ['habis sarapan', 8, 13, ['spa', 'gym']],
    ],
  } as const
  const [earliest, latest] = hours
  const fitting = anchors[language].filter(
    ([, from, to, kinds]) =>
      from < latest &&
      to > earliest + 1 &&
      meaning.categories.every((one) => kinds.some((kind) => kind === one)),
  )
  if (fitting.length === 0) return undefined
  const [text, from, to] = random.pick(fitting)
  return { form: 'meal as anchor', text, meaning: { window: { from: from * 60, to: to * 60 } } }
}

/** What changes neither day, time, party nor kind, though it is full of figures. */
const ASIDES: Record<Language, readonly string[]> = {
  en: [
    ...["it's our 10th anniversary", 'one of us has a nut allergy', 'under 500k per person'],
    ...[
      'my number is 0812 3456 7890',
      'we are in room 12',
      'nothing too fancy',
      'gluten free please',
    ],
    ...['with a view', 'quiet if possible', 'budget 300000 each', 'thanks so much!'],
  ],
  id: [
    ...[
      'alergi kacang',
      'maksimal 300 ribu per orang',
      'yang nyaman ya',
      'nomor saya 0812 3456 7890',
    ],
    ...['terima kasih', 'ulang tahun ke-30', 'jangan terlalu pedas'],
  ],
}

export const someAside = (random: Random, language: Language): string =>
  random.pick(ASIDES[language])

const AREAS = [
  ...['Ubud', 'Canggu', 'Seminyak', 'Sanur', 'Legian', 'Kuta', 'Jimbaran', 'Uluwatu', 'Nusa Dua'],
  ...['Amed', 'Lovina', 'Senggigi', 'Menteng', 'Kemang', 'Tiong Bahru', 'Bangsar', 'Thonglor'],
  ...['Silom', 'Nimman', 'Makati', 'George Town'],
]
const CITIES = ['Bali', 'Jakarta', 'Singapore', 'Bangkok', 'Kuala Lumpur']
const BALI = ['Ubud', 'Canggu', 'Seminyak', 'Sanur', 'Legian', 'Kuta', 'Jimbaran', 'Uluwatu']

export function somePlace(random: Random, language: Language): Part<PlaceMeaning> {
  const into = language === 'en' ? 'in' : 'di'
  if (random.chance(0.06)) {
    const [one, other] = random.shuffle(BALI).slice(0, 2)
    const text = `${into} ${one} ${language === 'en' ? 'or' : 'atau'} ${other}`
    return {
      form: 'either area',
      text,
      meaning: { includes: ({ area }) => [one, other].includes(area) },
    }
  }
  if (random.chance(0.15)) return inCity(into, random.pick(CITIES))
  const name = random.pick(AREAS)
  const text = random.chance(0.85) ? `${into} ${name}` : name
  return { form: 'area', text, meaning: { includes: ({ area }) => area === name } }
}

export const inCity = (into: string, city: string): Part<PlaceMeaning> => ({
  form: 'city',
  text: `${into} ${city}`,
  meaning: { includes: (venue) => venue.city === city },
})

const DISHES: readonly [word: string, tag: string][] = [
  ['sushi', 'sushi'],
  ['ramen', 'ramen'],
  ['seafood', 'seafood'],
  ['italian', 'italian'],
  ['pizza', 'pizza'],
  ['mexican', 'mexican'],
  ['vegan', 'vegan'],
  ['steak', 'steak'],
]
const forms: Record<Language, readonly string[]> = {
  en: [
    ...['no X', 'not X', 'without X', 'but no X', 'but not X', 'except X', 'anything but X'],
    ...['other than X', "we don't want X", "I don't like X", 'no X please', 'please not X'],
  ],
  id: ['selain X', 'bukan X', 'tanpa X', 'kecuali X', 'jangan X', 'tidak mau X', 'ga mau X'],
}
const placeForms: Record<Language, readonly string[]> = {
  en: [
    'not in X',
    'but not in X',
    'anywhere but X',
    'except X',
    'not X',
    'outside X',
    'anywhere except X',
  ],
  id: ['selain di X', 'tapi bukan di X', 'kecuali X', 'jangan di X', 'di luar X'],
}

export function excludedDish(random: Random, language: Language): Part<Exclusion> {
  const [word, tag] = random.pick(DISHES)
  return excluded('dish', random.pick(forms[language]), word, ({ tags }) => tags.includes(tag))
}

export function excludedArea(random: Random, language: Language): Part<Exclusion> {
  const name = random.pick(BALI)
  return excluded('area', random.pick(placeForms[language]), name, ({ area }) => area === name)
}

export function excludedVenue(
  random: Random,
  language: Language,
  venues: readonly JudgedVenue[],
): Part<Exclusion> {
  const { slug, name } = random.pick(venues)
  const form = random.pick(forms[language].slice(1))
  return excluded('venue', form, name, (venue) => venue.slug === slug)
}

function excluded(
  form: string,
  pattern: string,
  word: string,
  includes: (venue: JudgedVenue) => boolean,
): Part<Exclusion> {
  const text = pattern.replace('X', word)
  return { form: `no ${form}`, text, meaning: { words: [word], includes } }
}
