import type { GroupStart } from '../src/itineraries/rules/group-messages.ts'
import type { GroupStatus } from '../src/itineraries/rules/groups.ts'
import { advanceGroup } from '../src/itineraries/steps/advance-group.ts'
import { tellMembers, workOnMember } from '../src/itineraries/steps/work-on-member.ts'
import type { BookingActivityDeps } from './bookings.ts'

export type ItineraryActivities = ReturnType<typeof createItineraryActivities>

/** The steps of a group of bookings. */
export const createItineraryActivities = ({ db, engine, steps }: BookingActivityDeps) => ({
  advanceGroup: (start: GroupStart, at: number) => advanceGroup(db, start, steps, new Date(at)),
  /** Has these members opened, asked or undone, all at once. */
  async beginWork(start: GroupStart, status: GroupStatus, positions: number[], at: number) {
    const begin = (position: number) =>
      workOnMember({ db, engine }, start, { status, position, at: new Date(at) })
    await Promise.all(positions.map(begin))
  },
  tellMembers: (start: GroupStart) => tellMembers({ db, engine }, start),
})
