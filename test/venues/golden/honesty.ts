import { kilometres } from '../../../src/base/distance.ts'
import { plainText, plainWords } from '../../../src/base/plain-text.ts'
import { demoAreas } from '../../../src/venues/demo/venues.ts'
import { evaluateFacets } from './facets.ts'
import { type Answered, type AnsweredVenue, meets, testsOf, type Understood } from './grade.ts'

/** What an answer conceals or misstates, in words for the report; empty if it is honest. */
export function liesOf(answered: Answered, today: string): string[] {
  return [
    ...aboutFacets(answered, today),
    ...aboutExclusions(answered),
    ...aboutCoverage(answered),
    ...aboutWords(answered),
    ...aboutDropped(answered),
    ...aboutPlace(answered),
    ...aboutPrice(answered),
    ...aboutKinds(answered),
    ...aboutSlots(answered),
    ...aboutDistance(answered),
  ]
}

/** Facets that, misread, make the slots shown those of another visit than was asked for. */
const OF_A_VISIT: readonly string[] = ['party_size', 'date', 'days', 'time', 'times', 'asks']

function aboutFacets(answered: Answered, today: string): string[] {
  const { venues, interpretation } = answered
  const isOtherKind =
    interpretation.category !== null &&
    venues.some(({ category }) => category === interpretation.category)
  const hasSlots = venues.some(({ slots }) => slots.length > 0)
  return evaluateFacets(answered, today)
    .filter(({ facet, isRight }) => {
      if (isRight) return false
      if (facet === 'asks') return true
      return facet === 'category' ? isOtherKind : hasSlots && OF_A_VISIT.includes(facet)
    })
    .map(({ facet, got }) => `${facet} is ${JSON.stringify(got ?? null)}`)
}

/** What was ruled out may be shown only if the answer says that it could not be left out. */
function aboutExclusions({ query, venues, interpretation }: Answered): string[] {
  const { never, expect } = query
  const shown = never && venues.find((venue) => meets(venue, never))
  const hint = plainText(interpretation.hint ?? '')
  const isAdmitted = expect.excluded?.every((words) =>
    words.split('|').some((word) => hint.includes(word)),
  )
  return shown && !isAdmitted ? [`shows ${shown.slug}, which was ruled out`] : []
}

/** Everything that an interpretation says about how the words were used. */
export function saidIn({ interpretation }: Pick<Answered, 'interpretation'>): string {
  const { dropped = [], excluded = [], not_covered, ...others } = interpretation
  const { widened, assumed, hint, price, hours, notes } = others
  const missing = not_covered ? [not_covered.place, ...not_covered.kinds] : []
  const said = [...dropped, ...excluded, ...missing]
  return plainText([...said, widened, assumed, hint, price, hours, notes].join(' '))
}

function aboutCoverage({ query, venues, interpretation }: Answered): string[] {
  if (query.covered !== false) return []
  const { not_covered: missing, corrections = [] } = interpretation
  if (venues.length > 0) return [`shows ${venues[0]?.slug} for what is not covered`]
  if (!missing) return ['does not say what is not covered']
  const { nearest, covered } = missing
  const isNear = nearest && [nearest.area, nearest.city].some((one) => query.nearest?.includes(one))
  const isNamed = query.kind === 'unoffered' ? missing.kinds.length > 0 : missing.place !== null
  return [
    ...(isNamed ? [] : ['does not name what is not covered']),
    ...(covered.areas.length > 0 && covered.kinds.length > 0 ? [] : ['lists nothing covered']),
    ...(query.nearest && !isNear ? [`names ${nearest?.area ?? 'nothing'} as the nearest`] : []),
    ...corrections.map(({ from, to }) => `corrects ${from} to ${to}`),
  ]
}

function aboutWords(answered: Answered): string[] {
  const { query, venues } = answered
  const said = saidIn(answered)
  const [first] = venues
  const shown = first && plainText([first.name, first.description, ...first.tags].join(' '))
  const isTold = (words: string) =>
    words.split('|').some((word) => said.includes(word) || shown?.includes(word))
  return [
    ...(query.admits ?? []).filter((words) => !isTold(words)).map((one) => `is silent on ${one}`),
    ...(query.unsaid ?? []).filter((word) => said.includes(word)).map((one) => `says "${one}"`),
  ]
}

/** An answer can report as dropped only words of the query, as written or as corrected. */
function aboutDropped({ query, interpretation }: Answered): string[] {
  const { dropped = [], corrections = [] } = interpretation
  const written = plainWords([query.q, ...corrections.map(({ to }) => to)].join(' '))
  return dropped
    .filter((one) => !plainWords(one).every((word) => written.includes(word)))
    .map((one) => `drops "${one}", which nobody wrote`)
}

/** An answer from elsewhere must be said to be widened, unless it is around a landmark. */
function aboutPlace({ query, venues, interpretation }: Answered): string[] {
  const places = testsOf(query.first).map(({ areas, cities, countries }) => ({
    ...(areas && { areas }),
    ...(cities && { cities }),
    ...(countries && { countries }),
  }))
  const [first] = venues
  const isThere = !first || places.some((place) => meets(first, place))
  const isAround = first && interpretation.near && isAroundOneOf(first, places)
  return isThere || isAround || places.length === 0 || interpretation.widened !== null
    ? []
    : [`is silent on going to ${first.area}`]
}

const AROUND_KM = 6

const isAroundOneOf = (venue: AnsweredVenue, places: readonly { areas?: string[] }[]): boolean =>
  demoAreas
    .filter(({ name }) => places.some(({ areas }) => areas?.includes(name)))
    .some((area) => kilometres(area, venue) < AROUND_KM)

/** If the first result is too expensive or too cheap, the answer must say so. */
function aboutPrice({ query, venues, interpretation }: Answered): string[] {
  const [first] = venues
  const prices = testsOf(query.first).map(({ min_price, max_price, max_spend }) => ({
    ...(min_price && { min_price }),
    ...(max_price && { max_price }),
    ...(max_spend && { max_spend }),
  }))
  const isMissed = first && prices.length > 0 && !prices.some((price) => meets(first, price))
  return isMissed && interpretation.widened === null ? ['is silent on the price'] : []
}

function aboutKinds({ query, interpretation }: Answered): string[] {
  const { category, other_categories = [] } = interpretation
  return (query.expect.categories ?? [])
    .filter((kind) => kind !== category && !other_categories.includes(kind))
    .map((kind) => `is silent on the ${kind}`)
}

/** How far from the requested time a slot can be and still count as an answer. */
const NEAR_MINUTES = 90

/** Slots that are missing, or at another time than understood, must be explained. */
function aboutSlots({ venues, interpretation, query }: Answered): string[] {
  if (query.first === null || query.asks) return []
  const unexplained = venues.find(
    (venue) =>
      venue.note === null && !hasSlotAsAsked(venue, interpretation, query.expect.times?.to),
  )
  if (!unexplained) return []
  const { slug, slots } = unexplained
  return [`is silent on why ${slug} has ${slots[0] ?? 'no slots'}`]
}

/** Whether the first slot is near the time or, of a part of the day, before its end. */
function hasSlotAsAsked(
  { slots }: AnsweredVenue,
  { date, time }: Understood,
  end?: string,
): boolean {
  const [first] = slots
  if (first === undefined) return false
  if (!date) return true
  const isThatDay = first.startsWith(date)
  if (isThatDay && end && time && time <= first.slice(11, 16) && first.slice(11, 16) <= end)
    return true
  if (!time) return isThatDay
  const late = (Date.parse(`${first}Z`) - Date.parse(`${date}T${time.slice(0, 5)}Z`)) / 60_000
  // An hour before midnight is near midnight, though of the day before.
  return late <= NEAR_MINUTES && (isThatDay || late >= -NEAR_MINUTES)
}

/** Venues lie within about this many kilometres of the centre of their area. */
const SPREAD_KM = 2.5

function aboutDistance({ query, venues, interpretation }: Answered): string[] {
  const { nearest_to: from } = query
  if (!from || !interpretation.widened?.includes('nearest')) return []
  const centre = demoAreas.find(({ name }) => name === from)
  if (!centre) throw new Error(`no area is called ${from}`)
  const far = venues.map((venue) => kilometres(centre, venue))
  const at = far.findIndex((km, index) => km + SPREAD_KM < (far[index - 1] ?? 0))
  return at < 0 ? [] : [`promises the nearest first, but ${venues[at]?.slug} is nearer`]
}
