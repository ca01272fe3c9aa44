import { isWish, readWish, type WishedWords } from '../../availability/operations/wanted-service.ts'
import { selectOptionalServices } from '../../availability/store/venue-services.ts'
import { selectOptionalVenueRef } from '../../availability/store/venues.ts'
import { invalidRequest, refuse } from '../../base/errors.ts'
import {
  addDays,
  dateOf,
  parseSlotTime,
  toInstant,
  toLocal,
  utcOffset,
} from '../../base/local-time.ts'
import { clockOf, daysAheadOf } from '../../base/said-time.ts'
import { type Context, isTest, venueNotFound } from '../../contract/operation.ts'
import type { BookingStart } from '../rules/booking-messages.ts'

type SlotRequest = WishedWords & { venue_id: string; slot_time: string }
type VenueClock = { timezone: string; at: Date }

/**
 * The venue, by id or slug, the slot in the venue's time, and what is wished for. Throws
 * `venue_not_found`, `service_not_offered` and time errors.
 */
export async function findSlot(ctx: Context, request: SlotRequest) {
  const { venue_id, slot_time } = request
  const { venue, wish } = await findVenue(ctx, venue_id, request)
  const slot = localSlot(slot_time, { timezone: venue.timezone, at: ctx.at })
  noteSlot(ctx, slot_time, slot.local)
  return { venue, slot, wish }
}

async function findVenue(ctx: Context, id: string, words: WishedWords) {
  const today = dateOf(ctx.at.toISOString())
  const [venue, found] = await Promise.all([
    selectOptionalVenueRef(ctx.db, id, isTest(ctx)),
    isWish(words)
      ? selectOptionalServices(ctx.db, id, isTest(ctx), { from: today, to: today })
      : undefined,
  ])
  if (!venue) throw venueNotFound(ctx, id)
  return { venue, wish: found ? readWish(found.services, words, ctx.understood) : {} }
}

/** What an amendment wishes for at the booking's venue. */
export const findWish = async (ctx: Context, venueId: string, words: WishedWords) =>
  isWish(words) ? (await findVenue(ctx, venueId, words)).wish : {}

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

/** Rewrites requests to venue ids and plain local times, so that equal ones have equal bodies. */
export function plainSlots<R extends SlotRequest>(
  ctx: Context,
  requests: readonly R[],
): Promise<R[]> {
  return Promise.all(
    requests.map(async (request) => {
      if (isUuid(request.venue_id) && 'local' in parseSlotTime(request.slot_time)) return request
      const { venue, slot } = await findSlot(ctx, request)
      return { ...request, venue_id: venue.id, slot_time: slot.local }
    }),
  )
}

const isUuid = (text: string) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text)

/** The slot in canonical form. Refuses a local time that a clock change skips. */
function localSlot(text: string, clock: VenueClock): { local: string; startsAt: Date } {
  const { timezone } = clock
  const parsed = parseSlotTime(withDate(text, clock))
  if ('problem' in parsed) {
    if (parsed.problem === 'offset') return slotWithOffset(text, timezone)
    const detail = 'expected a local date-time as in 2026-12-24T19:00:00'
    throw invalidRequest([{ pointer: '/slot_time', detail }])
  }
  return { local: parsed.local, startsAt: startOf(parsed.local, timezone) }
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
