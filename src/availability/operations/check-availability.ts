import { z } from 'zod'
import { defineOperation } from '../../contract/define.ts'
import {
  availability,
  type DayAvailability,
  dayAvailability,
  venueRef,
} from '../../contract/public.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { invalidRequest } from '../../contract/rules/invalid-request.ts'
import { addDays, dateOf, toInstantPastGap, toLocal } from '../../contract/rules/slot-time.ts'
import { createOfSameBasis } from '../../platform/database/same-basis.ts'
import { selectDays } from '../store/day-availability.ts'
import {
  type PartyOffering,
  partyOfferingsOf,
  selectRecentOfferings,
} from '../store/party-offerings.ts'
import { selectRecentVenue, slugOrId } from '../store/venues.ts'
import { localDate, partySize, refuseParty, refusePast } from './wanted-slot.ts'

const MOST_DAYS = 14
const DAY_MS = 86_400_000

const { as_of, timezone } = availability.shape

const output = z.object({
  venue: venueRef,
  as_of,
  timezone,
  party_size: z.int().describe('The slots are for so many guests'),
  days: z.array(dayAvailability),
})

export const checkAvailability = defineOperation({
  name: 'availability',
  summary: 'All times of a venue on a day or on several',
  description:
    'Shows every time of a venue on a local date (today, if none is named) or on up to 14 days in a row, for a party (2, or ' +
    'the nearest that it takes): what is free, what is taken, and why a day is closed. `slot_time` of a slot that is available or ' +
    'limited is what a booking takes. A time after midnight is listed on its own date.',
  tier: 'free',
  input: z.strictObject({
    slug: z.string().describe('`slug` or `id` of a venue from search or listing'),
    date: localDate.optional().describe('The first local date, YYYY-MM-DD; today if left out'),
    days: z.int().min(1).max(MOST_DAYS).optional().describe('So many days from `date` on'),
    to: localDate.optional().describe('The last date, instead of `days`'),
    party_size: partySize.optional(),
  }),
  output,
  errors: [
    'venue_not_found',
    'slot_in_past',
    'beyond_horizon',
    'party_too_small',
    'party_too_large',
  ],
  async run({ db, at, settings }, { slug, party_size, date, ...until }) {
    const found = slugOrId.test(slug) ? await selectRecentVenue(db, slug) : undefined
    if (!found) throw refuse('venue_not_found')
    const { id, name, timezone } = found
    const today = dateOf(toLocal(timezone, at))
    const dates = datesOf({ date: date ?? today, ...until })
    refusePast(dates[0], { timezone, at })
    const offerings = await selectRecentOfferings(db, id, periodOf(timezone, dates))
    const offers = partyOfferingsOf(offerings, party_size)
    const size = party_size ?? offers[0]?.query.partySize ?? 2
    if (offers.length === 0) refuseParty(offerings, size)
    refuseBeyond(dates[0], offers, at)
    const days = await selectDays(db, offers, { dates, at, feePct: settings.feePct })
    const basis = [found, size, Math.floor(at.getTime() / 1000)]
    return answers(days, basis, () => ({
      venue: { id, slug: found.slug, name },
      as_of: at.toISOString(),
      timezone,
      party_size: size,
      days: [...days],
    }))
  },
})

type Answer = z.input<typeof output>

/** Made once a second while nothing has changed: `as_of` may be so long ago. */
const answers = createOfSameBasis<readonly DayAvailability[], Answer>()

type Dates = [string, ...string[]]

function datesOf({
  date,
  days,
  to,
}: {
  date: string
  days?: number | undefined
  to?: string | undefined
}): Dates {
  if (days !== undefined && to !== undefined) throw invalid('/to', 'give `days` or `to`, not both')
  const length = to === undefined ? (days ?? 1) : (Date.parse(to) - Date.parse(date)) / DAY_MS + 1
  if (length < 1) throw invalid('/to', `expected ${date} or later`)
  if (length > MOST_DAYS) {
    throw invalid(
      '/to',
      `expected ${addDays(date, MOST_DAYS - 1)} or earlier: ${MOST_DAYS} days at most`,
    )
  }
  return [date, ...Array.from({ length: length - 1 }, (_, index) => addDays(date, index + 1))]
}

const invalid = (pointer: string, detail: string) => invalidRequest([{ pointer, detail }])

function periodOf(timezone: string, dates: Dates) {
  const midnight = (date: string) => toInstantPastGap(timezone, `${date}T00:00:00`)
  return { from: midnight(dates[0]), until: midnight(addDays(dates.at(-1) ?? dates[0], 1)) }
}

/** A first day beyond every horizon is refused; a later one is shown without slots. */
function refuseBeyond(first: string, offers: readonly PartyOffering[], at: Date): void {
  const latest = offers
    .map(({ offering: { rules, timezone } }) =>
      dateOf(toLocal(timezone, new Date(at.getTime() + rules.horizon_days * DAY_MS))),
    )
    .sort()
    .at(-1)
  if (latest === undefined || first <= latest) return
  const what = `Bookings do not open before ${first}: the last day that can be booked is ${latest}.`
  throw refuse('beyond_horizon', what, { latest })
}
