import { defineSearchAttributeKey } from '@temporalio/common'
import { searchAttributeTypes as types } from '../../src/base/task-queues.ts'
import type { GroupStart } from '../../src/itineraries/rules/group-messages.ts'
import { showDetails } from '../messages.ts'
import { upsertChanged } from '../search-attributes.ts'

const accountId = defineSearchAttributeKey('AccountId', types.AccountId)
const bookingStatus = defineSearchAttributeKey('BookingStatus', types.BookingStatus)
const groupIdKey = defineSearchAttributeKey('GroupId', types.GroupId)

/** Search attributes by which operators filter groups in the Temporal UI. */
const attributesOf = ({ accountId: account, groupId }: GroupStart) => [
  { key: accountId, value: account },
  { key: groupIdKey, value: groupId },
]

/** What operators who request the cancellation of a group's workflow should do instead. */
export const HOW_TO_CANCEL_GROUP =
  'The group continues. Send the update `cancel` to the workflow of each booking in it that has ' +
  'one; after an alternative, the next is tried.'

const inWords: Record<string, string> = {
  trying: 'The alternatives are tried in order; the first yes wins.',
  holding: 'Every part is held before any venue is asked.',
  asking: 'All parts are held; the venues that confirm for themselves are being asked.',
  undoing: 'Not all parts can be booked: whatever is held or confirmed is being released.',
  cancelling: 'Its agent cancels it: every part is being cancelled.',
  confirmed: 'Booked. Nothing more will happen here.',
  failed: 'Nothing is booked. Nothing more will happen here.',
  cancelled: 'It was cancelled. Nothing more will happen here.',
}

/** Shows in the Temporal UI the group's status and its bookings in progress. */
export function showGroup(start: GroupStart, status: string, work: readonly number[]): void {
  upsertChanged([...attributesOf(start), { key: bookingStatus, value: status }])
  const members = start.members.map(
    ({ venueName, venueSlug, slotTime, partySize, bookingId }, index) =>
      `${work.includes(index + 1) ? '**now** ' : ''}${index + 1}. party of ${partySize} at ` +
      `${venueName} (\`${venueSlug}\`), ${slotTime.replace('T', ' ')} there: ` +
      `\`booking/${bookingId}\``,
  )
  const deadline = start.answerBy ? [`All venues answer by ${start.answerBy}`] : []
  const lines = [`**${status}**: ${inWords[status]}`, ...members, ...deadline]
  showDetails([...lines, `Account \`${start.accountId}\``], HOW_TO_CANCEL_GROUP)
}
