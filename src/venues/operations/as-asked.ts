import { briefService } from '../../availability/rules/compact-slots.ts'
import { fullName } from '../../availability/rules/sessions.ts'
import type { OfferedServices } from '../../availability/store/party-services.ts'
import { presentServices } from '../../availability/store/present-services.ts'
import { MINUTE_MS } from '../../base/durations.ts'
import type { Slot, Venue } from '../../contract/public.ts'
import type { AskedServices } from '../search/asked-services.ts'
import type { FoundVenues } from '../search/find-venues.ts'

/** A venue in a list, before its services are read. */
export type BareVenue = Omit<Venue, 'services'>

/**
 * A found venue with all its services and, if the query asked for some, the input that books them,
 * and which of them fit equally well.
 */
export function asAsked(
  venue: BareVenue,
  {
    asked,
    offered,
    mentions: words,
    lacking,
    search,
  }: Partial<AskedServices> & { offered: OfferedServices; search?: FoundVenues },
): Venue {
  const mentions = words?.get(venue.id)
  const services = presentServices(offered.byVenue.get(venue.id) ?? [])
  const lacks = lacking?.get(venue.id)
  const notes = [lacks && `No service here is ${lacks.join(' ')}.`, venue.availability.note]
  const availability = { ...venue.availability, note: notes.filter(Boolean).join(' ') || null }
  const about = { ...venue, availability, ...(mentions && { mentions: [...mentions] }), services }
  const { slots, note } = availability
  const own = asked?.get(venue.id)
  const bySession = own?.services.some(({ rules }) => rules.session !== undefined)
  const { minutes, ofLength } = byLength(slots, own?.minutes)
  const named = ofLength.map((one) =>
    bySession ? { ...one, service: fullName(one.service, one.sessions?.[0]?.name) } : one,
  )
  const all = own?.services.map(({ name, rules }) => fullName(name, rules.session)) ?? []
  const name = named[0]?.service ?? all[0]
  if (!own || name === undefined) return about
  const { with: leader, unmet } = own
  const fits = presentServices(own.services).map((one, index) => ({
    ...briefService(one),
    name: all[index] ?? one.name,
  }))
  const names = [...new Set(all)]
  const subject = names.length > MAX_NAMED ? `All ${names.length} that fit` : names.join(' or ')
  const said = [unmet && `${subject}: ${unmet}.`, note && `${subject}: ${note}`]
  return {
    ...about,
    availability: {
      ...availability,
      note: said.filter(Boolean).join(' ') || null,
      slots: named,
      book_with: {
        service: name,
        ...(minutes && { minutes }),
        ...(leader && { with: leader }),
        ...notesOf(search),
      },
      ...(fits.length > 1 && { fits }),
    },
  }
}

/** The times of the first one's length, if a length was requested. */
function byLength(slots: readonly Slot[], asked: number | undefined) {
  if (asked === undefined) return { ofLength: slots }
  const minutes = slots[0] ? lengthOf(slots[0]) : asked
  return { minutes, ofLength: slots.filter((one) => lengthOf(one) === minutes) }
}

const lengthOf = ({ starts_at, ends_at }: Slot): number =>
  (Date.parse(ends_at) - Date.parse(starts_at)) / MINUTE_MS

const MAX_NAMED = 3

const notesOf = (search: FoundVenues | undefined) => {
  const notes = search?.understood.notes
  return notes ? { notes } : {}
}
