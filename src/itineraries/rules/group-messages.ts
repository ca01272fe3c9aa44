import type { OnClock } from '../../base/account-time.ts'
import type { RefusalData } from '../../base/errors.ts'
import type { GroupKind } from '../../bookings/rules/booking.ts'
import type { GroupStatus } from './groups.ts'

/** The input of a group's workflow. The Temporal UI shows it: no guest details. */
export type GroupStart = OnClock & {
  groupId: string
  accountId: string
  kind: GroupKind
  /** RFC 3339 in UTC; null for alternatives, as each venue has its own deadline */
  answerBy: string | null
  members: readonly {
    bookingId: string
    venueName: string
    venueSlug: string
    slotTime: string
    partySize: number
  }[]
}

/** A group's status, and the positions of members to work on now; none once the group is over. */
export type GroupProgress = { status: GroupStatus; work: readonly number[] }

/** The update that waits for a group to settle, and the signal that its agent is cancelling it. */
export const SETTLED_UPDATE = 'settled'
export const CANCEL_ASKED_SIGNAL = 'cancelAsked'

/** The final answer to a group's request, stored with it for repeated requests. */
export type GroupAnswer = { output: Record<string, unknown> } | { refusal: RefusalData }
