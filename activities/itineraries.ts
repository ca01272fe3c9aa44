import { timeAt } from '../src/base/account-time.ts'
import type { GroupStart } from '../src/itineraries/rules/group-messages.ts'
import type { GroupStatus } from '../src/itineraries/rules/groups.ts'
import { advanceGroup } from '../src/itineraries/steps/advance-group.ts'
import { notifyMembers, workOnMember } from '../src/itineraries/steps/work-on-member.ts'
import { readClock } from '../src/platform/database/account-time.ts'
import type { BookingActivityDeps } from './bookings.ts'

export type ItineraryActivities = ReturnType<typeof createItineraryActivities>

/** The steps of a group of bookings. */
export const createItineraryActivities = ({ db, engine, steps }: BookingActivityDeps) => ({
  async advanceGroup(group: GroupStart, workflowTime: number) {
    const start = await readClock(db, group)
    return advanceGroup(db, start, steps, timeAt(start, workflowTime))
  },
  /** Opens, requests or undoes these members concurrently. */
  async beginWork(group: GroupStart, status: GroupStatus, positions: number[], time: number) {
    const start = await readClock(db, group)
    const begin = (position: number) =>
      workOnMember({ db, engine }, start, { status, position, at: timeAt(start, time) })
    await Promise.all(positions.map(begin))
  },
  notifyMembers: (start: GroupStart) => notifyMembers({ db, engine }, start),
})
