import { fullName } from '../../availability/rules/sessions.ts'
import { presentServices } from '../../availability/store/present-services.ts'
import type { Venue } from '../../contract/public.ts'
import type { BlockPlan } from './block-plans.ts'

/**
 * A found venue with all its services. If the query asked for one, keeps only the times of that
 * service, with the input that books it.
 */
export function asAsked(
  venue: Venue,
  { asked, offered }: Pick<BlockPlan, 'asked' | 'offered'>,
): Venue {
  const services = presentServices(offered.byVenue.get(venue.id) ?? [])
  const own = asked.get(venue.id)
  const { slots, note } = venue.availability
  const bySession = own?.services.some(({ rules }) => rules.session !== undefined)
  const nameOf = ({ service, sessions: [only] = [] }: (typeof slots)[number]) =>
    bySession ? fullName(service, only?.name) : service
  const [first] = own?.services ?? []
  const name = slots[0] ? nameOf(slots[0]) : first && fullName(first.name, first.rules.session)
  if (!own || name === undefined) return { ...venue, services }
  const { minutes, with: leader, unmet } = own
  const said = [unmet && `${name}: ${unmet}.`, note && `${name}: ${note}`].filter(Boolean).join(' ')
  return {
    ...venue,
    services,
    availability: {
      ...venue.availability,
      note: said || null,
      slots: slots.filter((one) => nameOf(one) === name),
      book_with: { service: name, ...(minutes && { minutes }), ...(leader && { with: leader }) },
    },
  }
}
