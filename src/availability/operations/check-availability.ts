import { z } from 'zod'
import { DAY_MS } from '../../base/durations.ts'
import { invalidRequest, Refusal, refuse } from '../../base/errors.ts'
import { addDays, dateOf, toLocal } from '../../base/local-time.ts'
import { compactDays, detail } from '../../contract/compact.ts'
import { type Context, defineOperation, isTest, variantOf } from '../../contract/operation.ts'
import { availability, dayAvailability, venueRef } from '../../contract/public.ts'
import { shownService } from '../../contract/services.ts'
import { compactDays as inBrief } from '../rules/compact-slots.ts'
import { partyRefusal } from '../rules/party-limits.ts'
import { wished } from '../rules/service-terms.ts'
import { wrongLength } from '../steps/evaluate-services.ts'
import { venueNotFound } from '../steps/venue-not-found.ts'
import { selectDays } from '../store/day-availability.ts'
import { type PartyService, partyServicesOf } from '../store/party-services.ts'
import { presentServices } from '../store/present-services.ts'
import { slotFeeFor } from '../store/present-slot.ts'
import { choosable, selectOptionalServices } from '../store/venue-services.ts'
import { readWish, wishFields } from './wanted-service.ts'
import { dateOrDay, dateSaid, localDate, partySize, refusePast } from './wanted-slot.ts'

const MAX_DAYS = 14

const { as_of, timezone } = availability.shape

const full = z.object({
  detail: z.literal('full'),
  venue: venueRef,
  as_of,
  timezone,
  party_size: z.int().describe('Number of guests the slots are for'),
  services: z.array(shownService).describe('The services to choose from'),
  days: z.array(dayAvailability),
})
/** Full answers have `as_of` and slots; compact ones have times and the shared fields. */
const compact = z.object({ detail: z.literal('compact'), ...compactDays.shape })

const input = z.strictObject({
  slug: z.string().describe('`slug` or `id` of a venue from search or listing'),
  date: dateOrDay.optional().describe('First local date, YYYY-MM-DD (default: today)'),
  days: z.int().min(1).max(MAX_DAYS).optional().describe('Number of days, starting at `date`'),
  to: localDate.optional().describe('Last date, instead of `days`'),
  party_size: partySize.optional(),
  ...wishFields,
  detail,
})

export const checkAvailability = defineOperation({
  name: 'availability',
  summary: 'All slots of a venue on one or more days',
  description:
    'Lists the times of a venue on a local date (default: today) or on up to 14 days in a row, ' +
    'for a party (default: 2, or the nearest size that the venue accepts): which are free, ' +
    'which are taken, and why a day is closed. Book with a date and one of its `times`. A time ' +
    'after midnight is listed on its own date.',
  input,
  output: z.discriminatedUnion('detail', [compact, full]),
  errors: [
    'venue_not_found',
    'venue_removed',
    'service_not_offered',
    'slot_in_past',
    'beyond_horizon',
    'party_too_small',
    'party_too_large',
  ],
  async run(ctx, { detail, ...query }) {
    const answer = await readDays(ctx, query)
    return detail === 'full' ? answer : { detail, ...inBrief(answer) }
  },
})

/** The full output of `availability`, for pages. Not in the catalogue. */
export const checkAvailabilityInFull = variantOf(checkAvailability, {
  input: input.omit({ detail: true }),
  output: full,
  run: readDays,
})

async function readDays(
  ctx: Context,
  { slug, party_size, date: requestedDate, ...query }: Omit<z.output<typeof input>, 'detail'>,
): Promise<z.output<typeof full>> {
  const { db, at, charge, understood } = ctx
  const row = await selectOptionalServices(
    db,
    slug,
    isTest(ctx),
    datesAround(dateSaid(requestedDate ?? 'today', { timezone: 'UTC', at })),
  )
  if (!row) throw await venueNotFound(ctx, slug)
  const { id, name, timezone } = row.venue
  const date = dateSaid(requestedDate ?? 'today', { timezone, at })
  if (requestedDate !== undefined && requestedDate !== date && understood) understood.date = date
  const dates = datesIn({ ...query, date })
  charge?.(dates.length - 1)
  refusePast(dates[0], { timezone, at })
  const all = row.services
  const wish = readWish(all, query, understood)
  const services = partyServicesOf(all, party_size, wish)
  const size = party_size ?? services[0]?.query.partySize ?? 2
  if (services.length === 0) {
    const unfit = wrongLength(choosable(all), { ...wish, partySize: size })
    const refusal = unfit ?? partyRefusal(choosable(all), size)
    if (refusal) throw new Refusal(refusal)
  }
  refuseBeyond(dates[0], services, at)
  return {
    detail: 'full',
    venue: { id, slug: row.venue.slug, name },
    as_of: at.toISOString(),
    timezone,
    party_size: size,
    services: presentServices(wished(all, wish)),
    days: await selectDays(db, services, { dates, at, ...slotFeeFor(ctx) }),
  }
}

type Dates = [string, ...string[]]

type Range = { date: string; days?: number | undefined; to?: string | undefined }

function datesIn({ date, days, to }: Range): Dates {
  if (days !== undefined && to !== undefined) throw invalid('/to', 'give `days` or `to`, not both')
  const length = to === undefined ? (days ?? 1) : (Date.parse(to) - Date.parse(date)) / DAY_MS + 1
  if (length < 1) throw invalid('/to', `expected ${date} or later`)
  const last = addDays(date, MAX_DAYS - 1)
  if (length > MAX_DAYS) throw invalid('/to', `expected ${last} or earlier (${MAX_DAYS} days)`)
  return [date, ...Array.from({ length: length - 1 }, (_, index) => addDays(date, index + 1))]
}

const invalid = (pointer: string, detail: string) => invalidRequest([{ pointer, detail }])

/** Every date whose sessions can extend into any of the days, in any time zone. */
const datesAround = (first: string) => ({
  from: addDays(first, -2),
  to: addDays(first, MAX_DAYS + 1),
})

/** Refuses a first day beyond every booking horizon, as no later day could have slots either. */
function refuseBeyond(first: string, services: readonly PartyService[], at: Date): void {
  const latest = services
    .map(({ service: { rules, timezone } }) =>
      dateOf(toLocal(timezone, new Date(at.getTime() + rules.horizon_days * DAY_MS))),
    )
    .sort()
    .at(-1)
  if (latest === undefined || first <= latest) return
  const what = `${first} is too far ahead: the last day that can be booked is ${latest}.`
  throw refuse('beyond_horizon', what, { latest })
}
