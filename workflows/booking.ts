import { defineSearchAttributeKey } from '@temporalio/common'
import {
  allHandlersFinished,
  condition,
  defineUpdate,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import {
  type BookingStart,
  type BookingState,
  CONFIRM_UPDATE,
  type ConfirmAnswer,
} from '../src/model/booking-messages.ts'

const retry = { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' } as const
const { openBooking } = proxyLocalActivities<Activities>({
  startToCloseTimeout: '10s',
  retry,
  summary: 'take the slot, or refuse',
})
const { confirmBooking } = proxyLocalActivities<Activities>({
  startToCloseTimeout: '10s',
  retry,
  summary: 'confirm and record the fee',
})
const { completeBooking } = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry,
  summary: 'complete the booking',
})

export const confirm = defineUpdate<ConfirmAnswer>(CONFIRM_UPDATE)
const bookingStatus = defineSearchAttributeKey('BookingStatus', 'KEYWORD')

/**
 * One booking for its whole life. The main function does the work from the start argument; the update only waits for the
 * answer, so a lost caller changes nothing. Started again after a loss, it finds in the database what was already done.
 */
export async function booking(start: BookingStart): Promise<string> {
  let answer: ConfirmAnswer | undefined
  setHandler(confirm, async () => {
    await condition(() => answer !== undefined)
    return answer as ConfirmAnswer
  })

  const opening = await openBooking(start, Date.now())
  if ('refusal' in opening) {
    answer = opening
    show('refused', `${opening.refusal.code}: ${opening.refusal.message}`)
    await condition(allHandlersFinished)
    return `refused: ${opening.refusal.code}`
  }

  const decision = await confirmBooking(start, Date.now())
  answer = decision.answer
  const resumed = opening.status !== 'held'
  const state = await live(start, resumed ? opening : decision.state)
  show(state.status, 'Nothing more will happen.')
  await condition(allHandlersFinished)
  return state.status
}

/** Waits for each next action and takes it, until the booking is over. */
async function live(start: BookingStart, from: BookingState): Promise<BookingState> {
  let state = from
  while (state.nextActionAt) {
    show(state.status, `Completes by itself at ${state.nextActionAt}.`)
    const wait = Math.max(0, Date.parse(state.nextActionAt) - Date.now())
    await sleep(wait, { summary: 'until the slot is over' })
    state = await completeBooking(start.bookingId, Date.now())
  }
  return state
}

/** What an operator sees in the Temporal UI: the status as a search attribute, and what comes next. */
function show(status: string, next: string): void {
  upsertSearchAttributes([{ key: bookingStatus, value: status }])
  setCurrentDetails(`**${status}**\n\n${next}`)
}
