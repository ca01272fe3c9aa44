import { isWish, readWish, type WishedWords } from '../../availability/operations/wanted-service.ts'
import { plainWish } from '../../availability/rules/service-terms.ts'
import { venueNotFound } from '../../availability/steps/venue-not-found.ts'
import { selectOptionalServices } from '../../availability/store/venue-services.ts'
import { selectOptionalVenueRef } from '../../availability/store/venues.ts'
import { invalidRequest, Refusal, refuse } from '../../base/errors.ts'
import {
  addDays,
  dateOf,
  noSuchDay,
  parseSlotTime,
  toInstant,
  toLocal,
  utcOffset,
  weekdayOf,
  weekdays,
} from '../../base/local-time.ts'
import { clockOf, daysAheadOf } from '../../base/said-time.ts'
import { type Context, isTest } from '../../contract/operation.ts'
import type { BookingStart } from '../rules/booking-messages.ts'
import { selectBooking } from '../store/booking-view.ts'

type SlotRequest = WishedWords & { venue_id: string; slot_time: string }
type VenueClock = { timezone: string; at: Date }

/**
 * The venue, found by id or slug, the slot in the venue's time, and the wish; `body` is the request
 * with ids and a plain local time, so that equal requests have equal bodies. Throws
 * `venue_not_found`, `service_not_offered` and time errors.
 */
export async function findSlot<R extends SlotRequest>(ctx: Context, request: R) {
  const { venue_id, slot_time } = request
  const { venue, wish } = await findVenue(ctx, venue_id, request)
  const slot = localSlot(slot_time, { timezone: venue.timezone, at: ctx.at })
  noteSlot(ctx, slot_time, slot.local)
  const body: R = { ...request, venue_id: venue.id, slot_time: slot.local, ...plainWish(wish) }
  return { venue, slot, wish, body }
}
export type FoundSlot<R extends SlotRequest> = Awaited<ReturnType<typeof findSlot<R>>>

/** The slots of several requests, in the field `name` of the input. */
export const findSlots = <R extends SlotRequest>(ctx: Context, name: string, requests: R[]) =>
  Promise.all(
    requests.map(async (request, index) => {
      const understood = {}
      const found = await findSlot({ ...ctx, understood }, request).catch((error) => {
        if (!(error instanceof Refusal)) throw error
        const facts = { pointer: `/${name}/${index}`, ...error.data.facts }
        throw new Refusal({ ...error.data, facts })
      })
      for (const [field, value] of Object.entries(understood)) {
        if (ctx.understood) ctx.understood[`${name}/${index}/${field}`] = value
      }
      return found
    }),
  )

async function findVenue(ctx: Context, id: string, words: WishedWords) {
  const today = dateOf(ctx.at.toISOString())
  const [venue, found] = await Promise.all([
    selectOptionalVenueRef(ctx.db, id, isTest(ctx)),
    isWish(words)
      ? selectOptionalServices(ctx.db, id, isTest(ctx), { from: today, to: today })
      : undefined,
  ])
  if (!venue) throw await venueNotFound(ctx, id)
  return { venue, wish: found ? readWish(found.services, words, ctx.understood) : {} }
}

/** The wish of an amendment; a length or person without a service applies to the booked service. */
export async function findWish(
  ctx: Context,
  { venueId, bookingId, session }: BookingStart,
  words: WishedWords,
) {
  const own = async () => {
    const { service } = await selectBooking(ctx.db, bookingId)
    return plainWish({ serviceId: service?.id, session }).service
  }
  return (await findVenue(ctx, venueId, { ...words, service: words.service ?? (await own()) })).wish
}

/** A booking's new slot, in the venue's time; a time without a date means the same day. */
export function movedSlot(
  ctx: Context,
  { slotTime, timezone }: Pick<BookingStart, 'slotTime' | 'timezone'>,
  requested: string,
): string {
  const clock = clockOf(requested)
  const text = clock === undefined ? requested : `${dateOf(slotTime)}T${clock}:00`
  const { local } = localSlot(text, { timezone, at: ctx.at })
  noteSlot(ctx, requested, local)
  return local
}

/** Records how a slot time in an unusual form was understood. */
function noteSlot({ understood }: Context, original: string, local: string): void {
  if (local !== original && understood) understood.slot_time = local
}

/** The slot in canonical form. Refuses a local time that a clock change skips. */
function localSlot(text: string, clock: VenueClock): { local: string; startsAt: Date } {
  const { timezone } = clock
  const parsed = parseSlotTime(withDate(text, clock))
  if ('problem' in parsed) {
    if (parsed.problem === 'offset') return slotWithOffset(text, timezone)
    const detail = noSuchDay(text) ?? `expected a local date-time as in ${exampleFor(text, clock)}`
    throw invalidRequest([{ pointer: '/slot_time', detail }])
  }
  return { local: parsed.local, startsAt: startOf(parsed.local, timezone) }
}

/** An example, on the coming day of the week that a text names. */
function exampleFor(text: string, { timezone, at }: VenueClock): string {
  const weekday = weekdays.findIndex((name) => name && new RegExp(name, 'i').test(text))
  if (weekday < 0) return '2026-12-24T19:00:00'
  const today = dateOf(toLocal(timezone, at))
  const date = addDays(today, ((weekday - weekdayOf(today) + 6) % 7) + 1)
  return `${date}T19:00:00 (the coming ${weekdays[weekday]})`
}

function startOf(local: string, timezone: string): Date {
  const startsAt = toInstant(timezone, local)
  if (!startsAt) throw refuse('slot_off_grid', `${local} does not exist in ${timezone}.`)
  return startsAt
}

/** "tomorrow" means tomorrow at the venue. */
function withDate(text: string, { timezone, at }: VenueClock): string {
  const [, day = '', rest = ''] = /^(\D+)T(\d.*)$/.exec(text) ?? []
  const ahead = daysAheadOf(day)
  return ahead === undefined ? text : `${addDays(dateOf(toLocal(timezone, at)), ahead)}T${rest}`
}

/** The venue's own offset is redundant; any other leaves open which of two times is meant. */
function slotWithOffset(text: string, timezone: string) {
  const [, localPart = '', offset = ''] = /^(.*?)(z|[+-]\d\d(?::?\d\d)?)$/i.exec(text) ?? []
  const parsed = parseSlotTime(localPart)
  const instant = new Date(text)
  if ('problem' in parsed || Number.isNaN(instant.getTime())) {
    throw refuse('slot_time_has_offset', undefined, { timezone })
  }
  const { local } = parsed
  const startsAt = startOf(local, timezone)
  if (startsAt.getTime() === instant.getTime()) return { local, startsAt }
  const there = toLocal(timezone, instant)
  const what =
    `Does the guest come at ${local} or at ${there}, on the clock of the venue (${timezone})? ` +
    `The offset ${offset} is not that of the venue.`
  const utc_offset = utcOffset(timezone, startsAt)
  throw refuse('slot_time_has_offset', what, { timezone, utc_offset, slot_times: [local, there] })
}
