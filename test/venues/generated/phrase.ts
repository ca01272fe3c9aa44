import type { JudgedVenue } from '../golden/grade.ts'
import { englishDay } from './days.ts'
import { indonesianDay, indonesianTime } from './indonesian.ts'
import type { DayMeaning, Exclusion, Moment, Part, Phrase, PlaceMeaning } from './meaning.ts'
import { englishParty, indonesianParty } from './people.ts'
import { createRandom, type Random } from './random.ts'
import { inAWhile, pastMidnight } from './soon.ts'
import { englishTime } from './times.ts'
import {
  anchorFor,
  excludedArea,
  excludedDish,
  excludedVenue,
  inCity,
  type Language,
  someAside,
  somePlace,
  someWish,
  type Wish,
} from './wishes.ts'

/** Moments at which the date is the same everywhere in the network. */
const MOMENTS: readonly Moment[] = [
  { at: new Date('2026-11-18T03:00:00Z'), today: '2026-11-18', minutes: 11 * 60 },
  { at: new Date('2026-11-28T04:30:00Z'), today: '2026-11-28', minutes: 12 * 60 + 30 },
  { at: new Date('2026-12-05T09:00:00Z'), today: '2026-12-05', minutes: 17 * 60 },
  { at: new Date('2026-12-13T01:00:00Z'), today: '2026-12-13', minutes: 9 * 60 },
  { at: new Date('2026-12-31T02:00:00Z'), today: '2026-12-31', minutes: 10 * 60 },
  { at: new Date('2027-01-12T05:00:00Z'), today: '2027-01-12', minutes: 13 * 60 },
]

const OPENINGS: Record<Language, readonly string[]> = {
  en: ['', '', '', 'looking for', 'I want', 'can you book', 'please find', 'need', 'any chance of'],
  id: ['', '', 'mau', 'cari', 'tolong carikan', 'ada'],
}

/** The phrase of a seed; the same seed always gives the same phrase. */
export function phraseOf(seed: number, catalogue: readonly JudgedVenue[]): Phrase {
  const random = createRandom(seed)
  const moment = random.pick(MOMENTS)
  const language: Language = random.chance(0.7) ? 'en' : 'id'
  const other: Language = language === 'en' ? 'id' : 'en'
  const speaks = () => (random.chance(0.07) ? other : language)
  const kind = someWish(random, language)
  const { day, time } = whenIn(random, speaks, kind, moment)
  const party = random.chance(0.6) ? partyIn(random, speaks()) : undefined
  const { place, exclusion } = placeAndExclusion(random, language, kind, catalogue)
  const parts = { kind, place, day, time, party, exclusion }
  const text = textOf(random, language, parts)
  const aside = random.chance(0.15)
    ? `${random.pick(['. ', ', '])}${someAside(random, language)}`
    : ''
  return { seed, moment, ...parts, text: text + aside }
}

function whenIn(
  random: Random,
  speaks: () => Language,
  kind: Wish,
  moment: Moment,
): Pick<Phrase, 'day' | 'time'> {
  if (random.chance(0.03)) return inAWhile(random, speaks(), moment)
  if (kind.form === 'bar' && random.chance(0.08)) return pastMidnight(random, speaks(), moment)
  const day = random.chance(0.8) ? dayFor(random, speaks(), moment.today, kind) : undefined
  const hours = hoursOn(day, kind)
  const canAnchor = day?.meaning.window === undefined
  const time = random.chance(0.6)
    ? timeIn(random, speaks(), { ...kind, hours }, canAnchor)
    : undefined
  return { day, time }
}

/** A day that does not contradict the kind, as dinner tomorrow morning would. */
function dayFor(random: Random, language: Language, today: string, kind: Wish): Part<DayMeaning> {
  for (;;) {
    const day = dayIn(random, language, today)
    const [from, to] = hoursOn(day, kind)
    if (from <= to) return day
  }
}

/** The hours of a kind that lie in the part of the day that was said. */
function hoursOn(day: Part<DayMeaning> | undefined, { hours: [from, to] }: Wish): [number, number] {
  const part = day?.meaning.window
  return [Math.max(from, (part?.from ?? 0) / 60), Math.min(to, (part?.to ?? 2940) / 60 - 1)]
}

const dayIn = (random: Random, language: Language, today: string) =>
  language === 'en' ? englishDay(random, today) : indonesianDay(random, today)

const partyIn = (random: Random, language: Language) =>
  language === 'en' ? englishParty(random) : indonesianParty(random)

function timeIn(random: Random, language: Language, wish: Wish, canAnchor: boolean) {
  const anchor = canAnchor && random.chance(0.2) ? anchorFor(random, language, wish) : undefined
  if (anchor) return anchor
  const { hours } = wish
  return language === 'en' ? englishTime(random, hours) : indonesianTime(random, hours)
}

function placeAndExclusion(
  random: Random,
  language: Language,
  { meaning, isOpen }: Wish,
  catalogue: readonly JudgedVenue[],
): { place: Part<PlaceMeaning>; exclusion: Part<Exclusion> | undefined } {
  const place = somePlace(random, language)
  if (!isOpen || random.chance(0.5)) return { place, exclusion: undefined }
  const [category] = meaning.categories
  const kinds = [...(category === 'restaurant' ? ['dish', 'dish'] : []), 'area', 'venue']
  const kind = random.pick(kinds)
  if (kind === 'dish') return { place, exclusion: excludedDish(random, language) }
  if (kind === 'area') {
    const bali = inCity(language === 'en' ? 'in' : 'di', 'Bali')
    return { place: bali, exclusion: excludedArea(random, language) }
  }
  const there = catalogue.filter((one) => one.category === category && place.meaning.includes(one))
  return { place, exclusion: excludedVenue(random, language, there) }
}

type Parts = Omit<Phrase, 'seed' | 'text' | 'moment'>

/** The parts in an order in which people say them. */
function textOf(random: Random, language: Language, parts: Parts): string {
  const { kind, place, day, time, party, exclusion } = parts
  const opening = random.pick(OPENINGS[language])
  const what = [opening, kind.text].filter(Boolean).join(' ')
  const when = [day?.text, time?.text || undefined]
  const texts = (all: readonly (string | undefined)[]) => all.filter((one) => one !== undefined)
  const text = random.pick([
    () =>
      texts([what, place.text, ...when, party?.text, exclusion && `, ${exclusion.text}`]).join(' '),
    () =>
      texts([what, party?.text, place.text, ...when, exclusion && `, ${exclusion.text}`]).join(' '),
    () =>
      texts([...when, what, place.text, party?.text, exclusion && `, ${exclusion.text}`]).join(' '),
    () => texts([what, exclusion?.text, place.text, party?.text, ...when]).join(' '),
    () =>
      texts([
        what,
        ...random.shuffle(texts([place.text, ...when, party?.text])),
        exclusion?.text,
      ]).join(', '),
  ])()
  const tidy = text.replaceAll(' ,', ',').replaceAll(',,', ',')
  return random.chance(0.3) ? tidy.toLowerCase() : tidy
}
