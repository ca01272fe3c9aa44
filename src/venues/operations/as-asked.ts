import { presentServices } from '../../availability/store/present-services.ts'
import type { Venue } from '../../contract/public.ts'
import type { BlockPlan } from './block-plans.ts'

/**
 * A found venue with all its services and, if the query asked for one, only the times of that
 * service, with the input that books it.
 */
export function asAsked(
  venue: Venue,
  { asked, offered }: Pick<BlockPlan, 'asked' | 'offered'>,
): Venue {
  const services = presentServices(offered.byVenue.get(venue.id) ?? [])
  const own = asked.get(venue.id)
  const { slots, note } = venue.availability
  const name = slots[0]?.service ?? own?.services[0]?.name
  if (!own || name === undefined) return { ...venue, services }
  const { minutes, with: leader } = own
  return {
    ...venue,
    services,
    availability: {
      ...venue.availability,
      note: note && `${name}: ${note}`,
      slots: slots.filter(({ service }) => service === name),
      book_with: { service: name, ...(minutes && { minutes }), ...(leader && { with: leader }) },
    },
  }
}
