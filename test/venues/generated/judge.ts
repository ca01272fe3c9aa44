import { plainText, plainWords } from '../../../src/base/plain-text.ts'
import type { AnsweredVenue, Understood } from '../golden/grade.ts'
import { saidIn } from '../golden/honesty.ts'
import { clockOf, isNight, isWithin, minutesOf, offered, type Slot } from '../golden/offered.ts'
import type { Phrase, Span } from './meaning.ts'

/** How an answer treats one part of a phrase. */
export type Verdict = {
  facet: 'day' | 'time' | 'party' | 'kind' | 'place' | 'exclusion'
  form: string
  /** `asked`: no times are shown, and the answer says why; `silent`: it does not */
  outcome: 'right' | 'asked' | 'silent' | 'dishonest'
  fault?: string
}

export type Answer = { venues: readonly AnsweredVenue[]; interpretation: Understood }

/** How far from the requested time a slot can be and still count as an answer. */
const NEAR_MINUTES = 90
const DAY_MINUTES = 24 * 60

/** What the answer to a phrase gets right, admits or conceals, for each part of its meaning. */
export function verdictsOf(phrase: Phrase, answer: Answer): Verdict[] {
  const { day, time, party, kind, place, exclusion } = phrase
  const judge = (
    facet: Verdict['facet'],
    { form, text }: { form: string; text: string },
    fault: string | undefined,
  ): Verdict => {
    if (!fault) return { facet, form, outcome: 'right' }
    if (answer.venues.some(({ slots }) => slots.length > 0)) {
      return { facet, form, outcome: 'dishonest', fault }
    }
    return { facet, form, outcome: isSaid(text, answer) ? 'asked' : 'silent', fault }
  }
  return [
    ...(day ? [judge('day', day, wrongDay(phrase, answer))] : []),
    ...(time ? [judge('time', time, wrongTime(phrase, answer))] : []),
    ...(party ? [judge('party', party, wrongParty(phrase, answer))] : []),
    judge('kind', kind, wrongKind(phrase, answer)),
    judge('place', place, wrongPlace(phrase, answer)),
    ...(exclusion ? [judge('exclusion', exclusion, wrongExclusion(phrase, answer))] : []),
  ]
}

const FIELDS = ['date', 'time', 'party_size', 'near']

/** Whether an answer without slots asks for a field, names words of this part, or has a reason. */
function isSaid(text: string, { venues, ...answer }: Answer): boolean {
  const said = saidIn(answer)
  const words = plainWords(said)
  return (
    said.includes(' is over') ||
    FIELDS.some((field) => said.includes(`\`${field}\``)) ||
    plainWords(text).some((word) => words.includes(word)) ||
    venues.some(({ note }) => note !== null && !note.includes('interpretation'))
  )
}

const dayBefore = (day: string) =>
  new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)

const isIn = (day: string, spans: readonly Span[]) =>
  spans.some(({ from, to }) => from <= day && day <= to)

const isNightRead = ({ interpretation: { time } }: Answer) =>
  time != null && isNight(minutesOf(time))

function wrongDay(phrase: Phrase, answer: Answer): string | undefined {
  if (!phrase.day) return undefined
  const { days, mustSay } = phrase.day.meaning
  const { date, assumed, hint } = answer.interpretation
  const isRight = date && (isIn(date, days) || (isNightRead(answer) && isIn(dayBefore(date), days)))
  if (!isRight) return `date ${date ?? null}`
  const other = offered(answer.venues)
    .flat()
    .find(
      ({ day, minutes }) => !isIn(day, days) && !(isNight(minutes) && isIn(dayBefore(day), days)),
    )
  if (other) return `shows ${other.day}`
  return mustSay && !assumed && !hint ? `silently ${date}` : wrongPart(phrase, answer)
}

/** A bound or a time tells more than a part of the day, as in "this evening by six". */
function wrongPart({ day, time }: Phrase, { venues }: Answer): string | undefined {
  const part = day?.meaning.window
  if (!part || time?.meaning.window) return undefined
  const isOutside = ({ minutes }: Slot) => !isWithin(minutes, part)
  const outside = offered(venues).find((slots) =>
    time ? slots.every(isOutside) : slots.some(isOutside),
  )
  return outside && `shows ${clockOf(outside.find(isOutside)?.minutes ?? 0)}`
}

function wrongTime({ time, moment }: Phrase, answer: Answer): string | undefined {
  if (!time) return undefined
  const { at, window } = time.meaning
  const { date, time: read, assumed, hint } = answer.interpretation
  const last = Math.max(...(at ?? [window?.to ?? DAY_MINUTES]))
  const isOver = date === moment.today && last < moment.minutes
  if (isOver && (assumed ?? hint) != null) return undefined
  const slots = offered(answer.venues)
  if (at) return wrongClock(at, read, slots)
  if (!window) return `time ${read ?? null}`
  const outside = slots.flat().find((slot) => !isWithin(slot.minutes, window))
  return outside && `shows ${clockOf(outside.minutes)}`
}

function wrongClock(
  at: readonly number[],
  read: string | null | undefined,
  slots: readonly Slot[][],
): string | undefined {
  const isRight = read != null && at.some((one) => one % DAY_MINUTES === minutesOf(read))
  if (!isRight) return `time ${read ?? null}`
  const far = slots.find((some) => some.every(({ minutes }) => isFar(minutes, minutesOf(read))))
  return far && `shows ${clockOf(far[0]?.minutes ?? 0)}`
}

function isFar(minutes: number, wanted: number): boolean {
  const apart = Math.abs(minutes - wanted)
  return Math.min(apart, DAY_MINUTES - apart) > NEAR_MINUTES
}

function wrongParty({ party }: Phrase, { interpretation }: Answer): string | undefined {
  const { party_size: read } = interpretation
  if (!party || (read != null && party.meaning.sizes.includes(read))) return undefined
  return `party ${read ?? null}`
}

function wrongKind({ kind }: Phrase, { venues }: Answer): string | undefined {
  const { categories } = kind.meaning
  const other = venues.find(({ category }) => !categories.includes(category))
  return other && `shows the ${other.category} ${other.slug}`
}

/** Venues elsewhere must be said to be. */
function wrongPlace({ place }: Phrase, { venues, interpretation }: Answer): string | undefined {
  const other = venues.find((venue) => !place.meaning.includes(venue))
  const isSaid = interpretation.widened !== null || interpretation.near != null
  return other && !isSaid ? `shows ${other.slug}` : undefined
}

function wrongExclusion({ exclusion }: Phrase, answer: Answer): string | undefined {
  if (!exclusion) return undefined
  const { words, includes } = exclusion.meaning
  const shown = answer.venues.find(includes)
  const said = plainText(answer.interpretation.hint ?? '')
  const isAdmitted = words.every((word) => said.includes(plainText(word)))
  return shown && !isAdmitted ? `shows ${shown.slug}` : undefined
}
