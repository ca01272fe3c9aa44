import {
  allHandlersFinished,
  condition,
  defineUpdate,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
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

/** Between two tries of a decision that keeps failing: from a second to five minutes. */
const longestPause = 300

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
  let answer: ConfirmAnswer | undefined
  setHandler(confirm, async () => {
    await condition(() => answer !== undefined)
    return answer as ConfirmAnswer
  })

  describe(start)
  const decision = await decide(start)
  answer = decision.answer
  const end = decision.state ? await live(start, decision.state) : refused(start, decision.answer)
  await condition(allHandlersFinished)
  return end
}

/**
 * Decides, however long the database is away. Between tries the workflow sleeps: a local activity that backs off would keep its
 * workflow task, and with it a place in the worker, and would judge the slot by the time of its first try.
 */
async function decide(start: BookingStart): Promise<Decision> {
  for (let pause = 1; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      return await decideBooking(start, Date.now())
    } catch (error) {
      if (isCancellation(error)) throw error
      show(start, 'opening', `The last try failed; the next is in ${pause} s.`)
      await sleep(pause * 1000, { summary: 'before trying again to decide' })
    }
  }
}

/** Waits for each next action and takes it, until the booking is over; answers its last status. */
async function live(start: BookingStart, from: BookingState): Promise<string> {
  let state = from
  while (state.nextActionAt) {
    show(start, state.status, `Completes by itself at ${state.nextActionAt}.`)
    const wait = Math.max(0, Date.parse(state.nextActionAt) - Date.now())
    await sleep(wait, { summary: 'until the slot is over' })
    state = await completeBooking(start, Date.now())
  }
  show(start, state.status, 'Nothing more will happen.')
  return state.status
}

function refused(start: BookingStart, answer: ConfirmAnswer): string {
  const { code, message } = 'refusal' in answer ? answer.refusal : { code: 'unknown', message: '' }
  show(start, 'refused', `${code}: ${message}`)
  return `refused: ${code}`
}
