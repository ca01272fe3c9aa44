import { defineSearchAttributeKey } from '@temporalio/common'
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { searchAttributeTypes as types } from '../../src/contract/rules/task-queues.ts'

const accountId = defineSearchAttributeKey('AccountId', types.AccountId)
const bookingStatus = defineSearchAttributeKey('BookingStatus', types.BookingStatus)
const slotTime = defineSearchAttributeKey('SlotTime', types.SlotTime)
const venueSlug = defineSearchAttributeKey('VenueSlug', types.VenueSlug)

/** What an operator can filter bookings by in the Temporal UI. */
export function describe(start: BookingStart): void {
  upsertSearchAttributes([
    { key: accountId, value: start.accountId },
    { key: bookingStatus, value: 'opening' },
    { key: slotTime, value: new Date(start.startsAt) },
    { key: venueSlug, value: start.venueSlug },
  ])
  detail(start, 'opening', 'The slot is being held.')
}

/** Updates the slot that operators can filter by, after an amendment. */
export function showSlot({ startsAt }: BookingStart): void {
  upsertSearchAttributes([{ key: slotTime, value: new Date(startsAt) }])
}

/** Shows the status and what comes next in the Temporal UI. */
export function show(start: BookingStart, status: string, next: string): void {
  upsertSearchAttributes([{ key: bookingStatus, value: status }])
  detail(start, status, next)
}

function detail(start: BookingStart, status: string, next: string): void {
  const {
    partySize,
    venueName,
    venueSlug: slug,
    slotTime: local,
    timezone,
    accountId: account,
  } = start
  const lines = [
    `**${status}**: ${next}`,
    `Party of ${partySize} at ${venueName} (\`${slug}\`)`,
    `${local.replace('T', ' ')} at the venue (${timezone}), ${start.startsAt}`,
    `Account \`${account}\``,
  ]
  setCurrentDetails(lines.join('\n\n'))
}
