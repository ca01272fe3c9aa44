import { one } from './calendar.ts'
import type { DayMeaning, Moment, Part, TimeMeaning } from './meaning.ts'
import type { Random } from './random.ts'
import type { Language } from './wishes.ts'

type Soon = { day: Part<DayMeaning>; time: Part<TimeMeaning> }

/** Places lie up to an hour and a half west of the zone in which a moment is told. */
const ZONES = [0, 60, 90]

const distances: Record<Language, readonly [text: string, minutes: number][]> = {
  en: [
    ['in an hour', 60],
    ['in two hours', 120],
    ['in 3 hours', 180],
    ['in half an hour', 30],
    ['in 45 minutes', 45],
    ['in an hour and a half', 90],
    ['an hour from now', 60],
  ],
  id: [
    ['satu jam lagi', 60],
    ['2 jam lagi', 120],
    ['setengah jam lagi', 30],
    ['45 menit lagi', 45],
  ],
}

/** A time that is told by its distance from now. */
export function inAWhile(random: Random, language: Language, { today, minutes }: Moment): Soon {
  const [text, ahead] = random.pick(distances[language])
  const at = ZONES.map((zone) => minutes + ahead - zone)
  return {
    day: { form: 'in a while', text, meaning: one(today) },
    time: { form: 'in a while', text: '', meaning: { at } },
  }
}

const nights: Record<Language, readonly [text: string, minutes: number][]> = {
  en: [
    ['tonight at 1am', 60],
    ['at 1am tonight', 60],
    ['tonight at half past midnight', 30],
    ['tonight at 00:30', 30],
  ],
  id: [['nanti malam jam 1 dini hari', 60]],
}

/** A time of the coming night that is past midnight. */
export function pastMidnight(random: Random, language: Language, { today }: Moment): Soon {
  const [text, at] = random.pick(nights[language])
  return {
    day: { form: 'past midnight', text, meaning: one(today) },
    time: { form: 'past midnight', text: '', meaning: { at: [at] } },
  }
}
