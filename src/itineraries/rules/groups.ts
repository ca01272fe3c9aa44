import type { BookingStatus, CancelledBy } from '../../base/booking-status.ts'
import type { ConfirmMode } from '../../base/venue-kinds.ts'
import type { GroupKind } from '../../bookings/rules/booking.ts'

export const groupStatuses = [
  'trying',
  'holding',
  'asking',
  'undoing',
  'cancelling',
  'confirmed',
  'failed',
  'cancelled',
] as const
export type GroupStatus = (typeof groupStatuses)[number]

/** Alternatives are tried in turn. For an itinerary, all parts are held before venues are asked. */
export const groupTransitions: Record<GroupStatus, readonly GroupStatus[]> = {
  trying: ['confirmed', 'failed'],
  holding: ['asking', 'undoing'],
  asking: ['confirmed', 'undoing'],
  undoing: ['failed', 'cancelled'],
  confirmed: ['cancelling'],
  cancelling: ['cancelled'],
  failed: [],
  cancelled: [],
}

/** Whether a group's workflow has work to do. */
export const isInProgress = (status: GroupStatus) =>
  status !== 'confirmed' && status !== 'failed' && status !== 'cancelled'

/** Maximum number of parts; the constraint `group_member_position_check` enforces it. */
export const MAX_MEMBERS = 10
/** Maximum itineraries in progress per account; the index `booking_group_lane` enforces it. */
export const MAX_ITINERARIES = 5
/** Default and maximum time for the venues of an itinerary to answer. */
export const ITINERARY_MINUTES = 15
export const MAX_ITINERARY_MINUTES = 240
/** Holds outlast the deadline by this much, so that a late yes still finds the other parts held. */
export const ITINERARY_GRACE_MS = 60_000

/**
 * `waiting` until its turn, `opening` while its request is being decided, `refused` if it got no
 * booking, otherwise the status of its booking.
 */
export type MemberStatus = 'waiting' | 'opening' | 'refused' | BookingStatus

export type GroupMember = {
  position: number
  status: MemberStatus
  confirmMode: ConfirmMode | null
  cancelledBy: CancelledBy | null
  /** the account has a booking like this, or its card fails: no other choice is to be tried */
  isFinal?: boolean
}

export type Group = {
  kind: GroupKind
  status: GroupStatus
  cancelBy: 'guest' | 'agent' | null
  members: readonly GroupMember[]
  /** whether an itinerary's deadline and grace period have passed */
  isLate: boolean
}

/** A new status, or the positions of members to work on; none once the group is over. */
export type Next = { to: GroupStatus } | { work: readonly number[] }

const undecided: readonly MemberStatus[] = ['waiting', 'opening', 'held', 'pending', 'offered']
const booked: readonly MemberStatus[] = ['confirmed', 'completed', 'no_show']
const occupies: readonly MemberStatus[] = ['opening', 'held', 'pending', 'offered', 'confirmed']

/** The next step, which depends only on the states of the group and its members. */
export function nextOf(group: Group): Next {
  switch (group.status) {
    case 'trying':
      return nextChoice(group)
    case 'holding':
      return nextHold(group)
    case 'asking':
      return nextAnswer(group)
    case 'undoing':
      return undo(group, group.cancelBy ? 'cancelled' : 'failed')
    case 'cancelling':
      return undo(group, 'cancelled')
    default:
      return { work: [] }
  }
}

/** Tries one alternative at a time. An agent that cancels the current one wants no other. */
function nextChoice({ members }: Group): Next {
  for (const { position, status, cancelledBy, isFinal } of members) {
    if (undecided.includes(status)) return { work: [position] }
    if (booked.includes(status)) return { to: 'confirmed' }
    if (isFinal || cancelledBy === 'agent' || cancelledBy === 'guest') return { to: 'failed' }
  }
  return { to: 'failed' }
}

function nextHold({ members, cancelBy, isLate }: Group): Next {
  const isOpen = ({ status }: GroupMember) => status === 'waiting' || status === 'opening'
  if (cancelBy || isLate || members.some((one) => !isOpen(one) && one.status !== 'held')) {
    return { to: 'undoing' }
  }
  const open = members.find(isOpen)
  return open ? { work: [open.position] } : { to: 'asking' }
}

function nextAnswer({ members, cancelBy, isLate }: Group): Next {
  const asks = members.filter(({ confirmMode }) => confirmMode !== 'auto')
  const isLost = ({ status }: GroupMember) => !undecided.includes(status) && status !== 'confirmed'
  if (cancelBy || isLate || members.some(isLost)) return { to: 'undoing' }
  const unanswered = asks.filter(({ status }) => status !== 'confirmed')
  return unanswered.length > 0
    ? { work: unanswered.map(({ position }) => position) }
    : { to: 'confirmed' }
}

function undo({ members }: Group, to: GroupStatus): Next {
  const occupying = members.filter(({ status }) => occupies.includes(status))
  return occupying.length > 0 ? { work: occupying.map(({ position }) => position) } : { to }
}
