import {
  allHandlersFinished,
  condition,
  defineUpdate,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import {
  type BookingStart,
  type BookingState,
  CONFIRM_UPDATE,
  type ConfirmAnswer,
  type Decision,
} from '../src/model/booking-messages.ts'
import { describe, show } from './booking-display.ts'
import { type Inbox, openInbox } from './booking-inbox.ts'
import { hearVenue, untilAnswered, untilWithdrawn } from './booking-venue.ts'
import { insist } from './insist.ts'

const retry = { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' } as const
const { decideBooking } = proxyLocalActivities<Activities>({
  scheduleToCloseTimeout: '10s',
  retry: { ...retry, maximumAttempts: 3 },
  summary: 'hold the slot, confirm it with its fee; or refuse',
})
const { completeBooking } = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry,
  summary: 'complete the booking',
})

export const confirm = defineUpdate<ConfirmAnswer>(CONFIRM_UPDATE)

/**
 * One booking for its whole life. The main function does the work from the start argument; the update only waits for the
 * answer, so a lost caller changes nothing. Started again after a loss, it finds in the database what was already done.
 */
export async function booking(start: BookingStart): Promise<string> {
  let answer: ConfirmAnswer | null = null
  setHandler(confirm, async () => {
    await condition(() => answer !== null)
    return answer as unknown as ConfirmAnswer
  })
  const inbox = openInbox()

  describe(start)
  let { answer: decided, state } = await decide(start)
  answer = decided
  // A venue may have news of a booking that is over: then this run began with them.
  while (state?.nextActionAt || (state && inbox.takeNews())) {
    ;({ answer: decided, state } = await next(start, inbox, state))
    answer ??= decided
  }
  const end = state ? over(start, state) : refused(start, answer)
  await condition(allHandlersFinished)
  return end
}

const decide = (start: BookingStart): Promise<Decision> =>
  insist(
    () => decideBooking(start, Date.now()),
    (seconds) => show(start, 'opening', `The last try failed; the next is in ${seconds} s.`),
    'before trying again to decide',
  )

/** Takes the booking one step further: what comes next depends on where it stands, and on nothing else. */
function next(start: BookingStart, inbox: Inbox, state: BookingState): Promise<Decision> {
  if (state.status === 'pending') return untilAnswered(start, inbox, state)
  if (state.withdrawDue) return untilWithdrawn(start, inbox, state)
  if (!state.nextActionAt) return hearVenue(start, state.status)
  return untilOver(start, inbox, state)
}

/** Waits until the slot is over and completes the booking, unless the venue has to say something before. */
async function untilOver(
  start: BookingStart,
  inbox: Inbox,
  { status, nextActionAt }: BookingState,
): Promise<Decision> {
  show(start, status, `Completes by itself at ${nextActionAt}.`)
  const wait = Math.max(0, Date.parse(nextActionAt ?? '') - Date.now())
  if (await inbox.waitForNews(wait, 'until the slot is over')) return hearVenue(start, status)
  return { answer: null, state: await completeBooking(start, Date.now()) }
}

function over(start: BookingStart, { status }: BookingState): string {
  show(start, status, 'Nothing more will happen.')
  return status
}

function refused(start: BookingStart, answer: ConfirmAnswer | null): string {
  const { code, message } =
    answer && 'refusal' in answer ? answer.refusal : { code: 'unknown', message: '' }
  show(start, 'refused', `${code}: ${message}`)
  return `refused: ${code}`
}
