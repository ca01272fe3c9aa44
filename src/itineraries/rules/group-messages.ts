import type { GroupKind } from '../../bookings/rules/booking.ts'
import type { RefusalData } from '../../contract/rules/errors.ts'
import type { GroupStatus } from './groups.ts'

/** Everything the workflow of a group is started with: readable in the Temporal UI, no guest details. */
export type GroupStart = {
  groupId: string
  accountId: string
  kind: GroupKind
  /** RFC 3339 in UTC; null for alternatives, whose venues have deadlines of their own */
  answerBy: string | null
  members: readonly {
    bookingId: string
    venueName: string
    venueSlug: string
    slotTime: string
    partySize: number
  }[]
}

/** Where a group stands, and the positions of the members on which there is work to do now; none when it is over. */
export type GroupProgress = { status: GroupStatus; work: readonly number[] }

/** The update that waits for the end of what a group does now, and the signal that its agent wants it cancelled. */
export const SETTLED_UPDATE = 'settled'
export const CANCEL_ASKED_SIGNAL = 'cancelAsked'

const workflowTypes: Record<GroupKind, string> = { any_of: 'anyOf', itinerary: 'itinerary' }
const idPrefixes: Record<GroupKind, string> = { any_of: 'any-of', itinerary: 'itinerary' }

/** The workflow of a group: its type and an id that reads well in the Temporal UI. */
export const groupWorkflow = ({ kind, groupId }: Pick<GroupStart, 'kind' | 'groupId'>) => ({
  type: workflowTypes[kind],
  workflowId: `${idPrefixes[kind]}/${groupId}`,
})

/** The final answer to the request for a group, stored with it and given to whoever asks again. */
export type GroupAnswer = { output: Record<string, unknown> } | { refusal: RefusalData }
