import { slotAt } from '../../availability/rules/slots.ts'
import { type PartyService, partyServicesOf } from '../../availability/store/party-services.ts'
import { shownPrice } from '../../availability/store/present-services.ts'
import { choosable, selectServicesAt } from '../../availability/store/venue-services.ts'
import { MINUTE_MS } from '../../base/durations.ts'
import type { Context } from '../../contract/operation.ts'
import type { Booking } from '../../contract/public.ts'
import { serviceWords } from '../rules/service-words.ts'
import type { FoundSlot } from './requested-slot.ts'
import type { BookingRequest } from './store-request.ts'

const MAX_OTHERS = 5

/** What was chosen for a request that left it open, and what else could be, if anything. */
export async function chosenNote(
  { db }: Pick<Context, 'db'>,
  { venue, slot, wish, body }: FoundSlot<BookingRequest>,
  { service }: Pick<Booking, 'service'>,
): Promise<string | undefined> {
  if (!service || (wish.serviceId !== undefined && wish.minutes !== undefined)) return undefined
  const all = choosable(await selectServicesAt(db, venue.id, slot.local))
  const own = all.find(({ id }) => id === service.id)
  const lengths = wish.minutes === undefined ? (own?.rules.lengths ?? []) : []
  const others = wish.serviceId === undefined ? all.filter((one) => one !== own) : []
  if (others.length === 0 && lengths.length < 2) return undefined
  const then = partyServicesOf(others, body.party_size).flatMap((one) => atTime(one, slot.local))
  const minutes = lengths.map((one) => one.minutes).filter((one) => one !== service.minutes)
  const also = [
    ...(minutes.length > 0 ? [`${minutes.join(' or ')} min of it`] : []),
    ...then.slice(0, MAX_OTHERS),
    ...(then.length > MAX_OTHERS ? [`${then.length - MAX_OTHERS} more`] : []),
  ]
  const what = [serviceWords({ service }), service.price?.text].filter(Boolean).join(', ')
  const open = others.length > 0 ? 'service' : 'length'
  const rest =
    also.length > 0
      ? `also: ${also.join('; ')}`
      : `at other times also: ${others
          .slice(0, MAX_OTHERS)
          .map(({ name }) => name)
          .join('; ')}`
  return `${what} was chosen because no ${open} was named: tell your user; ${rest}.`
}

/** A service with its length and price, if it has this time. */
function atTime({ service: { name, rules, currency }, query }: PartyService, time: string) {
  const slot = slotAt(query, time)
  if (!slot) return []
  const minutes = (slot.endsAt.getTime() - slot.startsAt.getTime()) / MINUTE_MS
  const price = shownPrice(rules, minutes, currency)?.text
  return [[slot.session?.name ?? name, `${minutes} min`, price].filter(Boolean).join(', ')]
}
