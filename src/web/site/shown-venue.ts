import { isFree } from '../../availability/rules/compact-slots.ts'
import { counted } from '../../base/counted.ts'
import type { ErrorCode } from '../../base/error-catalogue.ts'
import { PROTOCOL } from '../../base/ids.ts'
import { money } from '../../base/money.ts'
import { shellQuoted } from '../../base/shell-text.ts'
import { factLabel, factsByValue } from '../../base/venue-facts.ts'
import type { DayAvailability, Slot } from '../../contract/public.ts'
import type { ShownService } from '../../contract/services.ts'
import type { PublicVenue } from '../../venues/operations/public-venue.ts'
import { confirmWords, spanWords } from './venue-text.ts'

/** The data for a venue's page; `problem` is why there are no times. */
export type ShownVenue = PublicVenue & {
  /** as requested; empty if not given */
  date: string
  time: string
  partySize: number
  /** the service whose times are shown; empty for any */
  service: string
  days: readonly DayAvailability[]
  problem: string | null
  feePct: number
  publicUrl: string
}

/** Refusals that a corrected form can resolve: the page shows the problem. */
export const formProblems: ReadonlySet<ErrorCode> = new Set([
  'invalid_request',
  'slot_in_past',
  'beyond_horizon',
  'party_too_small',
  'party_too_large',
  'service_not_offered',
])

export const DEMO_NOTICE = 'Demo venue. Bookings work, but no one is expecting you.'
export const NO_SLOT = 'Choose a day with free times to see the request.'

export const freeSlots = ({ days }: Pick<ShownVenue, 'days'>): Slot[] =>
  days.flatMap(({ slots }) => slots).filter(isFree)

/** The slot at the chosen time, if it is free. */
export const chosenSlot = ({ days, date, time }: ShownVenue): Slot | undefined =>
  freeSlots({ days }).find(
    ({ slot_time }) => time !== '' && slot_time.startsWith(`${date}T${time}`),
  )

/** The slot for which calls are shown: the chosen one, or else the first free one. */
export const exampleSlot = (view: ShownVenue): Slot | undefined =>
  chosenSlot(view) ?? freeSlots(view)[0]

/** Requests that book a slot, one per door, ready to send with the reader's own key. */
export function bookingCalls(view: ShownVenue, { slot_time }: Slot) {
  const { publicUrl, venue, partySize, service } = view
  const wish = service && { service }
  const booking = { venue_id: venue.id, slot_time, party_size: partySize, ...wish }
  const curl = (path: string, body: unknown) =>
    [
      `curl -s ${publicUrl}${path} \\`,
      `  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\`,
      `  -d ${shellQuoted(JSON.stringify(body))}`,
    ].join('\n')
  const envelope = { protocol: PROTOCOL, intent: 'booking.confirm', payload: booking }
  const tool = { name: 'confirm_booking', arguments: booking }
  return [
    { label: 'REST', code: curl('/api/bookings', booking) },
    { label: 'A2A', code: curl('/a2a/v1', envelope) },
    { label: 'MCP tool call', code: JSON.stringify(tool, null, 2) },
  ]
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' })

/** A service's lengths with their prices, such as `60 or 90 min, IDR 250,000 per guest`. */
export function lengthsAndPrices({ minutes, prices = [] }: ShownService): string[] {
  if (prices.length > 1) return prices.map(({ text }, index) => `${minutes[index]} min, ${text}`)
  const lengths = `${alternatives.format(minutes.map(String))} min`
  return [[lengths, ...prices.map(({ text }) => text)].join(', ')]
}

/** Whether the services have details that the terms do not show. */
export const hasMenu = ({ services }: Pick<ShownVenue, 'services'>) =>
  services.length > 1 || services.some(({ prices }) => prices)

/** What a `++` after a price means; undefined if no price has it. */
export const taxNote = ({ services }: Pick<ShownVenue, 'services'>) =>
  services.some(({ prices = [] }) => prices.some(({ taxes }) => taxes === 'excluded'))
    ? '++: tax and service are added.'
    : undefined

/** `1 to 4 guests` */
export const guestsWords = (min: number, max: number) =>
  min === max ? counted(max, 'guest') : `${min} to ${max} guests`

/** The known facts about a venue in words, and the facts to ask it for. */
export function knownFacts({ facts, cuisine, opening_hours }: ShownVenue['venue']) {
  const { yes, no, unknown } = factsByValue(facts)
  const labels = (names: typeof yes) => names.map(factLabel).join(', ')
  const rows: (readonly [string, string])[] = [
    ['Hours', opening_hours ?? ''],
    ['Cuisine', cuisine.join(', ')],
    ['Yes', labels(yes)],
    ['No', labels(no)],
    ['Not known, ask the venue', labels(unknown)],
  ]
  return rows.filter(([, text]) => text !== '')
}

/** The terms to which a guest agrees by booking. */
export const bindingTerms = new Set(['Confirmation', 'Free cancellation', 'Asked by the venue'])

type Terms = (readonly [term: string, text: string])[]

/** The terms of a booking as its guest needs them, each with its name. */
export function terms({ venue, services, terms }: ShownVenue): Terms {
  const confirmation = ['Confirmation', confirmWords[venue.confirm_mode]] as const
  if (!terms) return [confirmation, ['Booking', 'Not bookable at the moment.']]
  const { partyMin, partyMax, horizonDays, cancelMinutes, spendPerGuestMinor, deposits } = terms
  const free = cancelMinutes === 0 ? 'until it begins' : `until ${spanWords(cancelMinutes)} before`
  return [
    confirmation,
    ['Party', guestsWords(partyMin, partyMax)],
    ['Bookable', `${spanWords(horizonDays * 1440)} ahead`],
    ['Free cancellation', free],
    ...deposits.map((text) => ['Asked by the venue', text] as const),
    ...(services.some(({ prices }) => !prices)
      ? [['Usual spend', `${money(spendPerGuestMinor, venue.currency)} per guest`] as const]
      : []),
  ]
}

/** What those who program agents need beyond that. */
export function developerTerms({ venue, services, terms, feePct }: ShownVenue): Terms {
  const bases = [
    ...(services.some(({ prices }) => prices) ? ['the price'] : []),
    ...(services.some(({ prices }) => !prices) ? ['the usual spend'] : []),
  ]
  return [
    ...(terms ? [['Network fee', `${feePct} % of ${bases.join(', or else of ')}`] as const] : []),
    ['Currency', venue.currency],
    ['Venue id', venue.id],
  ]
}
