import type { GroupStart } from '../src/itineraries/rules/group-messages.ts'
import type { GroupStatus } from '../src/itineraries/rules/groups.ts'
import { advanceGroup } from '../src/itineraries/steps/advance-group.ts'
import { resumeLostGroups } from '../src/itineraries/steps/resume-lost-groups.ts'
import {
  type GroupDeps,
  tellMembers,
  workOnMember,
} from '../src/itineraries/steps/work-on-member.ts'
import type { BookingActivityDeps } from './bookings.ts'
import { whileBeating } from './while-beating.ts'

export type ItineraryActivities = ReturnType<typeof createItineraryActivities>
export type GroupActivities = ReturnType<typeof createGroupActivities>

/** The steps of a group of bookings. */
export const createItineraryActivities = ({ db, engine, log, steps }: BookingActivityDeps) => ({
  advanceGroup: (start: GroupStart, at: number) => advanceGroup(db, start, steps, new Date(at)),
  resumeLostGroups: (at: number) =>
    whileBeating(() => resumeLostGroups({ db, engine, log }, new Date(at))),
})

/** The waits for the bookings of groups, run only by the worker of the queue `groups`. */
export const createGroupActivities = (deps: GroupDeps) => ({
  workOnMember: (start: GroupStart, status: GroupStatus, position: number, at: number) =>
    whileBeating(() => workOnMember(deps, start, { status, position, at: new Date(at) })),
  tellMembers: (start: GroupStart) => tellMembers(deps, start),
})
