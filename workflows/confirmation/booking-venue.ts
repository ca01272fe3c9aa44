import {
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow'
import type { ConfirmationActivities, VenueActivities } from '../../activities/confirmation.ts'
import { VENUES_QUEUE } from '../../src/base/task-queues.ts'
import type {
  BookingStart,
  BookingState,
  Call,
  Decision,
} from '../../src/bookings/rules/booking-messages.ts'
import {
  type CallResult,
  pauseUntilNextCall,
  pauseUntilNextWithdrawal,
  resultOf,
} from '../../src/confirmation/rules/venue-patience.ts'
import { firstOf, type Inbox, retryUntilSuccess, show } from '../bookings/booking-interface.ts'
import { inTask } from '../local-activities.ts'

const { callVenue } = proxyActivities<VenueActivities>({
  taskQueue: VENUES_QUEUE,
  // at most two calls of 10 s: for the booking's status, then for the booking itself
  startToCloseTimeout: '25s',
  scheduleToCloseTimeout: '40s',
  heartbeatTimeout: '10s',
  retry: { maximumAttempts: 1 },
  summary: 'send the venue the request that is due',
})
const notice = {
  taskQueue: VENUES_QUEUE,
  startToCloseTimeout: '12s',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '2s', maximumInterval: '1m' },
  summary: 'send the notices that are due to the venue and the guest',
} as const
/** Allows at least one attempt, even if something else is due. */
const MIN_NOTICE_MS = 15_000
const steps = proxyLocalActivities<ConfirmationActivities>({
  ...inTask,
  summary: 'apply the responses of the venue',
})

/**
 * Keeps asking the venue for the booking, or a change to it, until it decides or time is up.
 * Responses that the venue sends between two calls count too. Returns early if a command has
 * arrived or the history has become long.
 */
export async function untilAnswered(
  start: BookingStart,
  inbox: Inbox,
  pending: BookingState,
): Promise<Decision> {
  const { answerBy } = pending.change ?? pending
  const isOpen = (state: BookingState | null) =>
    pending.change ? state?.change?.phase === 'asked' : state?.status === 'pending'
  const deadline = Date.parse(answerBy ?? '') || 0
  let tries = 0
  let result: CallResult = 'nothing'
  for (;;) {
    const call = inbox.now() < deadline ? await tryCall(start, inbox) : noCall
    tries = resultOf(call) === result ? tries + 1 : 1
    result = resultOf(call)
    const decision = await untilNextCall(start, inbox, { pending, isOpen, call, tries, deadline })
    if (decision) return decision
  }
}

type VenueCall = {
  pending: BookingState
  isOpen: (state: BookingState | null) => boolean
  call: Call
  /** consecutive calls with this result */
  tries: number
  deadline: number
}

/** Applies the venue's responses until the next call; returns a decision that ends the wait. */
async function untilNextCall(
  start: BookingStart,
  inbox: Inbox,
  { pending, isOpen, call, tries, deadline }: VenueCall,
): Promise<Decision | undefined> {
  const { status } = pending
  const { answerBy } = pending.change ?? pending
  let decision = call.decision ?? (await applyVenueResponses(start, inbox, status))
  for (;;) {
    if (!isOpen(decision.state) || isInterrupted(inbox)) return decision
    const pause = pauseUntilNextCall(resultOf(call), tries, inbox.now(), deadline)
    show(start, status, `${outcomeOf(call)} Next call in ${inSeconds(pause)}, until ${answerBy}.`)
    await inbox.waitForNews(pause, 'until the venue is asked again')
    if (inbox.hasCommands()) return decision
    if (!inbox.takeResponses()) return undefined
    decision = await applyVenueResponses(start, inbox, status)
  }
}

/** A long wait is interrupted for commands, or when Temporal suggests continuing as new. */
const isInterrupted = (inbox: Inbox) => inbox.hasCommands() || workflowInfo().continueAsNewSuggested

/**
 * Notifies the venue that the booking is over, or that a change is withdrawn, until it acknowledges
 * that or `applyVenueResponses` gives up. If the booking continues, anything due comes first.
 */
export async function untilAcknowledged(
  start: BookingStart,
  inbox: Inbox,
  ended: BookingState,
): Promise<Decision> {
  const { status } = ended
  const what = ended.change ? 'The end of the change' : 'The withdrawal'
  const isOpen = (state: BookingState | null) =>
    ended.change ? state?.change?.phase === 'restoring' : state?.withdrawDue
  const untilDue = () => (ended.change ? msUntilDue(ended, inbox.now()) : Number.POSITIVE_INFINITY)
  for (let tries = 1; ; tries += 1) {
    const call = await tryCall(start, inbox)
    const decision = await applyVenueResponses(start, inbox, status)
    if (!isOpen(decision.state) || isInterrupted(inbox)) return decision
    const pause = Math.min(pauseUntilNextWithdrawal(tries), untilDue())
    show(start, status, `${outcomeOf(call)} ${what} is sent again in ${inSeconds(pause)}.`)
    await inbox.waitForNews(pause, 'until the withdrawal is sent again')
    inbox.takeResponses()
    if (inbox.hasCommands() || untilDue() <= 0) return decision
  }
}

/** Milliseconds until the booking has something due. */
export const msUntilDue = ({ nextActionAt }: BookingState, now: number): number =>
  Math.max(0, (Date.parse(nextActionAt ?? '') || 0) - now)

/**
 * Sends due notices to the people at the venue and to the guest, until their addresses accept them
 * or have failed too often. A response, a command or due work interrupts the attempt, and the
 * notice is sent afterwards.
 */
export async function notifyStaff(
  start: BookingStart,
  inbox: Inbox,
  state: BookingState,
): Promise<Decision> {
  show(start, state.status, 'The venue’s people or the guest are being notified.')
  if (inbox.takeResponses()) return applyVenueResponses(start, inbox, state.status)
  inbox.noteTime()
  const { notifyVenue } = proxyActivities<VenueActivities>({
    ...notice,
    ...(state.nextActionAt && {
      scheduleToCloseTimeout: Math.max(MIN_NOTICE_MS, msUntilDue(state, inbox.now())),
    }),
  })
  const isDone = await firstOf(async () => {
    await notifyVenue(inbox.withTime(start)).catch(unlessCancelled)
    return true
  }, inbox.hasNews)
  const { noticeDue: _, ...rest } = state
  return { answer: null, state: isDone ? rest : state }
}

function unlessCancelled(error: unknown): void {
  if (isCancellation(error)) throw error
}

/** Applies the venue's responses; returns the booking's state. */
export const applyVenueResponses = (
  start: BookingStart,
  { messages, now, withTime }: Inbox,
  status: string,
): Promise<Decision> =>
  retryUntilSuccess(() => steps.applyVenueResponses(withTime(start), now()), {
    messages,
    summary: 'before trying again to apply the responses of the venue',
    onPause: (seconds) =>
      show(start, status, `The last step failed; the next try is in ${seconds} s.`),
  })

const noCall: Call = { asked: null, heard: null }

/**
 * A failed call counts as no answer, and the next call first queries the status. A response or a
 * command ends the call.
 */
async function tryCall(start: BookingStart, inbox: Inbox): Promise<Call> {
  inbox.noteTime()
  try {
    return (await firstOf(() => callVenue(inbox.withTime(start)), inbox.hasNews)) ?? noCall
  } catch (error) {
    if (isCancellation(error)) throw error
    return { ...noCall, failure: 'the call did not return' }
  }
}

function outcomeOf({ asked, heard, failure }: Call): string {
  if (failure) return `The venue was not reached: ${failure}.`
  return heard ? `To ${asked} the venue answered ${heard}.` : 'The venue was not called.'
}

const inSeconds = (ms: number) => `${Math.ceil(ms / 1000)} s`
