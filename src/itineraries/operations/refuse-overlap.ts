import { slotAt } from '../../availability/rules/slots.ts'
import { partyServicesOf } from '../../availability/store/party-services.ts'
import { selectServicesAt } from '../../availability/store/venue-services.ts'
import { refuse } from '../../base/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import { overlapsOf } from '../rules/overlaps.ts'
import type { NewGroupMember } from '../store/groups.ts'

/**
 * Throws `parts_overlap`, before anything is held, if the same guests cannot be at two parts. Takes
 * a part to be of the first service that has its time; `warnings` tell if it became a longer one.
 */
export async function refuseOverlap(db: Db, members: readonly NewGroupMember[]): Promise<void> {
  const parts = await Promise.all(
    members.map(async ({ venueId, slotTime, startsAt, partySize, wish }, index) => {
      const services = await selectServicesAt(db, venueId, slotTime)
      const [stay] = partyServicesOf(services, partySize, wish).flatMap(({ query }) => {
        const slot = slotAt(query, slotTime)
        return slot ? [{ timezone: query.timezone, ends_at: slot.endsAt.toISOString() }] : []
      })
      const starts_at = startsAt.toISOString()
      return { part: index + 1, booking: stay ? { ...stay, slot_time: slotTime, starts_at } : null }
    }),
  )
  const [first] = overlapsOf(parts)
  if (first) throw refuse('parts_overlap', first.message, { parts: first.parts })
}
