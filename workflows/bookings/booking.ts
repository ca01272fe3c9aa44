import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  proxyLocalActivities,
  sleep,
  workflowInfo,
} from '@temporalio/workflow'
import type { BookingActivities } from '../../activities/bookings.ts'
import type { PaymentActivities } from '../../activities/payments.ts'
import { VENUES_QUEUE } from '../../src/base/task-queues.ts'
import type {
  BookingStart,
  BookingState,
  ConfirmAnswer,
  Decision,
} from '../../src/bookings/rules/booking-messages.ts'
import { actsAt } from '../../src/bookings/rules/in-time.ts'
import {
  applyVenueResponses,
  msUntilDue,
  notifyStaff,
  untilAcknowledged,
  untilAnswered,
} from '../confirmation/booking-venue.ts'
import { inTask } from '../local-activities.ts'
import { onUpdate, outlive } from '../messages.ts'
import { createGroupNotifier } from './booking-group.ts'
import {
  detail,
  type Inbox,
  openInbox,
  retryUntilSuccess,
  show,
  showAmended,
} from './booking-interface.ts'
import { confirm, HOW_TO_CANCEL } from './booking-messages.ts'
import { changeOf, nextStep } from './booking-words.ts'
import { handleOperatorActs } from './operator-acts.ts'

const retry = { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' } as const
// If refused because others come first, a step waits in the workflow: a local activity that backed
// off would occupy a workflow task.
const unlessRefused = {
  ...inTask,
  retry: { ...inTask.retry, nonRetryableErrorTypes: ['Refusal'] },
}
const { decideBooking } = proxyLocalActivities<BookingActivities>({
  ...unlessRefused,
  summary: 'hold the slot and confirm it, or refuse the request',
})
const { actWhenDue } = proxyLocalActivities<BookingActivities>({
  ...unlessRefused,
  summary: 'send the reminder, end the hold or complete: what is due',
})
/** Tries to settle the payment for up to `ms`, after which the booking ends without it. */
const settleActivity = (ms: number) =>
  proxyActivities<PaymentActivities>({
    taskQueue: VENUES_QUEUE,
    scheduleToCloseTimeout: Math.max(ms, 1_000),
    startToCloseTimeout: '60s',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
    summary: 'settle the payment, or ask what became of it',
  })
/** The pause between two checks of a payment that makes no progress. */
const PAUSE_MS = 5_000
/** Runs the agent's commands; `summary` names them. */
const commandsActivity = (summary: string) =>
  proxyActivities<BookingActivities>({ startToCloseTimeout: '20s', retry, summary })

/*
 * stateDiagram-v2
 *   [*] --> held: slot held
 *   held --> confirmed: at once, by the agent, or paid
 *   held --> pending: venue is asked
 *   held --> expired: hold or slot is over
 *   held --> released: by the agent
 *   held --> failed: not paid
 *   pending --> confirmed: venue says yes
 *   pending --> offered: venue offers another time
 *   pending --> declined: venue says no
 *   pending --> expired: venue is silent
 *   pending --> cancelled: by the agent
 *   offered --> confirmed: agent accepts
 *   offered --> declined: agent refuses, or venue says no
 *   offered --> expired: agent is silent
 *   offered --> cancelled: by the agent
 *   confirmed --> completed: slot is over
 *   confirmed --> cancelled: by the agent or the venue
 *   confirmed --> no_show: venue reports it
 *   completed --> no_show: venue reports it
 *   no_show --> completed: venue takes it back
 */

/**
 * A booking for its whole life. The main function works from its argument, and the update only
 * waits for the answer, so a lost caller makes no difference. When restarted after a loss, or
 * continued as new, the workflow finds its earlier work in the database.
 */
export const booking = (request: BookingStart, isContinued = false): Promise<string> =>
  outlive(HOW_TO_CANCEL, () => runBooking(request, isContinued))

async function runBooking(request: BookingStart, isContinued: boolean): Promise<string> {
  let start = request
  let answer: ConfirmAnswer | null = null
  const inbox = openInbox(request, isContinued)
  const group = createGroupNotifier(request)
  onUpdate<ConfirmAnswer | 'pending', [number]>(confirm, async (waitMs) => {
    await condition(() => answer !== null || inbox.isEnding(), waitMs)
    return answer ?? 'pending'
  })
  handleOperatorActs(request, inbox)
  const take = (decision: Decision) => {
    answer ??= decision.answer
    inbox.correctTime(decision)
    start = withCurrentSlot(start, decision.state)
    group.tell(decision)
    return decision.state
  }

  detail(start, 'opening', 'The slot is being held.')
  let state = take(await decide(start, inbox))
  // A venue's response about a booking that is over may have started this run.
  for (;;) {
    while (
      state?.nextActionAt ||
      state?.noticeDue ||
      inbox.hasCommands() ||
      (state && inbox.takeResponses())
    ) {
      if (workflowInfo().continueAsNewSuggested) {
        await group.told()
        await startNewRun(start, inbox)
      }
      // Commands wait until the outcome of the booking's payment is known.
      if (!state?.payBy && inbox.takeCommands()) {
        const { runCommands } = commandsActivity(inbox.news())
        const { answers, ...decision } = await retryUntilSuccess(
          () => runCommands(inbox.withTime(start), inbox.waiting(), inbox.now()),
          { messages: inbox.messages, summary: 'before trying the commands again' },
        )
        inbox.answer(answers)
        state = take(decision)
      } else {
        state = take(await next(start, inbox, state))
        // The venue's response may have answered a command.
        inbox.lookAgain()
      }
    }
    const end = state ? over(start, state) : refused(start, answer)
    await group.told()
    // Callers that arrive at the last moment must be answered too.
    await condition(() => allHandlersFinished() || inbox.hasCommands())
    if (!inbox.hasCommands()) return end
  }
}

/**
 * Ends this run between two steps, because its history has become long. Waiting callers join the
 * next run, which begins with the commands and responses in the database.
 */
async function startNewRun(start: BookingStart, inbox: Inbox): Promise<never> {
  inbox.close()
  await condition(allHandlersFinished)
  return continueAsNew<typeof booking>(inbox.withTime(start), true)
}

/** The booking may have been amended since it was requested. */
function withCurrentSlot(start: BookingStart, state: BookingState | null): BookingStart {
  const { now } = state ?? {}
  if (!now || (now.slotTime === start.slotTime && now.partySize === start.partySize)) return start
  const current = { ...start, ...now }
  const amended = { ...current, amended: changeOf(start, current) }
  showAmended(amended)
  return amended
}

const decide = (start: BookingStart, { messages, now, withTime }: Inbox): Promise<Decision> =>
  retryUntilSuccess(() => decideBooking(withTime(start), now()), {
    messages,
    summary: 'before trying again to decide',
    onPause: (seconds) =>
      show(start, 'opening', `The last try failed; the next is in ${seconds} s.`),
  })

/** Takes the booking one step further. Which step depends only on its state. */
async function next(
  start: BookingStart,
  inbox: Inbox,
  state: BookingState | null,
): Promise<Decision> {
  if (!state) return { answer: null, state }
  if (state.payBy) return settle(start, inbox, state, state.payBy)
  if (state.noticeDue) return notifyStaff(start, inbox, state)
  if (state.status === 'pending' && state.confirmMode !== 'request') {
    return untilAnswered(start, inbox, state)
  }
  if (state.withdrawDue) return untilAcknowledged(start, inbox, state)
  if (state.change && state.confirmMode !== 'request' && isFirst(state, inbox.now())) {
    return (state.change.phase === 'asked' ? untilAnswered : untilAcknowledged)(start, inbox, state)
  }
  if (!state.nextActionAt) return applyVenueResponses(start, inbox, state.status)
  return untilDue(start, inbox, state)
}

/** Settles the payment of a held booking until `payBy`, then decides again. */
async function settle(
  start: BookingStart,
  inbox: Inbox,
  state: BookingState,
  payBy: string,
): Promise<Decision> {
  show(start, state.status, `The payment is being settled, until ${payBy}.`)
  const { settlePayment } = settleActivity(Date.parse(payBy) - inbox.now())
  // However the activity ends, the payment's state is in its row.
  await settlePayment(start).catch(() => {})
  const decision = await decide(start, inbox)
  if (decision.state?.payBy)
    await sleep(PAUSE_MS, { summary: 'before looking at the payment again' })
  return decision
}

/** A requested change comes before due work; the withdrawal of a change comes after it. */
const isFirst = (state: BookingState, now: number) =>
  state.change?.phase === 'asked' || msUntilDue(state, now) > 0

/** Waits until something is due and does it, unless the venue or the agent comes first. */
async function untilDue(start: BookingStart, inbox: Inbox, state: BookingState): Promise<Decision> {
  const { status } = state
  show(start, status, outlook(start, state))
  const { answerBy } = state.change ?? {}
  // The time of the venue's people to agree to a change can end before anything else is due.
  const untilAnswer = answerBy ? actsAt(new Date(answerBy)).getTime() - inbox.now() : Infinity
  const pause = Math.max(0, Math.min(msUntilDue(state, inbox.now()), untilAnswer))
  await inbox.waitForNews(pause, nextStep(start, state))
  if (inbox.hasCommands()) return { answer: null, state }
  if (inbox.takeResponses()) return applyVenueResponses(start, inbox, status)
  const { answer = null, aheadMs, ...acted } = await act(start, inbox, status)
  return { answer, state: acted, ...(aheadMs !== undefined && { aheadMs }) }
}

const act = (start: BookingStart, { messages, now, withTime }: Inbox, status: string) =>
  retryUntilSuccess(() => actWhenDue(withTime(start), now()), {
    messages,
    summary: 'before trying again to do what is due',
    onPause: (seconds) =>
      show(start, status, `The last step failed; the next try is in ${seconds} s.`),
  })

/** What the booking is waiting for, as the Temporal UI shows it. */
function outlook(start: BookingStart, state: BookingState): string {
  const { status, nextActionAt, answerBy } = state
  if (status === 'offered')
    return `The venue offers another time; the agent can accept until ${answerBy}.`
  if (status !== 'pending') return `Next: ${nextStep(start, state)}, at ${nextActionAt}.`
  const reminder =
    nextActionAt && answerBy && nextActionAt > answerBy
      ? 'they have been reminded'
      : `reminder at ${nextActionAt}`
  return `Waiting for the people at the venue until ${answerBy}; ${reminder}.`
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
