import {
  allHandlersFinished,
  condition,
  continueAsNew,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow'
import type { Activities, VenueActivities } from '../../activities/index.ts'
import {
  type BookingStart,
  type BookingState,
  type Call,
  type Decision,
  NOTICE_TRIES,
} from '../../src/bookings/rules/booking-messages.ts'
import {
  type Heard,
  pauseUntilNextCall,
  pauseUntilNextWithdrawal,
} from '../../src/confirmation/rules/venue-patience.ts'
import { VENUES_QUEUE } from '../../src/contract/rules/task-queues.ts'
import { show } from '../bookings/booking-display.ts'
import { firstOf, type Inbox } from '../bookings/booking-inbox.ts'
import { insist } from '../insist.ts'

const { callVenue } = proxyActivities<VenueActivities>({
  taskQueue: VENUES_QUEUE,
  // at most two calls of 10 s: what became of the booking, and the booking again
  startToCloseTimeout: '25s',
  scheduleToCloseTimeout: '40s',
  heartbeatTimeout: '5s',
  retry: { maximumAttempts: 1 },
  summary: 'tell the venue what is due, bring back its answer',
})
const { notifyVenue } = proxyActivities<VenueActivities>({
  taskQueue: VENUES_QUEUE,
  startToCloseTimeout: '12s',
  scheduleToCloseTimeout: '1m',
  retry: { initialInterval: '2s', maximumAttempts: NOTICE_TRIES },
  summary: 'tell the people at the venue that something waits for them',
})
const steps = proxyLocalActivities<Activities>({
  scheduleToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', maximumAttempts: 3 },
  summary: 'act upon what the venue said',
})

/**
 * Asks the venue, for the booking or for a change of it, until it has decided or its time is over. Its answers count whenever they
 * come, also between two calls.
 */
export async function untilAnswered(
  start: BookingStart,
  inbox: Inbox,
  asked: BookingState,
): Promise<Decision> {
  const { status } = asked
  const { answerBy } = asked.change ?? asked
  const isOpen = (state: BookingState | null) =>
    asked.change ? state?.change?.phase === 'asked' : state?.status === 'pending'
  const deadline = Date.parse(answerBy ?? '') || 0
  let tries = 0
  let heard: Heard = 'nothing'
  for (;;) {
    const call = Date.now() < deadline ? await tryCall(start, inbox) : nobodyCalled
    tries = heardIn(call) === heard ? tries + 1 : 1
    heard = heardIn(call)
    let pause: number
    do {
      const decision = await hearVenue(start, status)
      if (!isOpen(decision.state) || inbox.hasCommands()) return decision
      pause = pauseUntilNextCall(heard, tries, Date.now(), deadline)
      show(start, status, `${cameOf(call)} Next call in ${inSeconds(pause)}, until ${answerBy}.`)
      await inbox.waitForNews(pause, 'until the venue is asked again')
      if (inbox.hasCommands()) return decision
    } while (inbox.takeNews())
  }
}

/**
 * Tells the venue that the booking is over, or that it stays as it was before a change, until it has acknowledged that, however long
 * it takes; what is due of a booking that stays comes first.
 */
export async function untilAcknowledged(
  start: BookingStart,
  inbox: Inbox,
  told: BookingState,
): Promise<Decision> {
  const { status } = told
  const what = told.change ? 'What holds' : 'The withdrawal'
  const isOpen = (state: BookingState | null) =>
    told.change ? state?.change?.phase === 'restoring' : state?.withdrawDue
  const untilDue = () => (told.change ? msUntilDue(told) : Number.POSITIVE_INFINITY)
  for (let tries = 1; ; tries += 1) {
    const call = await tryCall(start, inbox)
    const decision = await hearVenue(start, status)
    if (!isOpen(decision.state) || inbox.hasCommands()) return decision
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished)
      await continueAsNew(start)
    }
    const pause = Math.min(pauseUntilNextWithdrawal(tries), untilDue())
    show(start, status, `${cameOf(call)} ${what} is sent again in ${inSeconds(pause)}.`)
    await inbox.waitForNews(pause, 'until the withdrawal is sent again')
    inbox.takeNews()
    if (inbox.hasCommands() || untilDue() <= 0) return decision
  }
}

/** Milliseconds until a booking has something to do by itself. */
export const msUntilDue = ({ nextActionAt }: BookingState): number =>
  Math.max(0, (Date.parse(nextActionAt ?? '') || 0) - Date.now())

/**
 * Sends the people at the venue the notice that is due, a few times if need be; who cannot be reached finds everything on the
 * venue's page. What they or the agent say meanwhile comes first.
 */
export async function tellVenue(
  start: BookingStart,
  inbox: Inbox,
  state: BookingState,
): Promise<Decision> {
  show(start, state.status, 'The people at the venue are being told.')
  if (inbox.takeNews()) return hearVenue(start, state.status)
  const isOver = await firstOf(async () => {
    await notifyVenue(start).catch(unlessCancelled)
    return true
  }, inbox.hasNews)
  const { noticeDue: _, ...told } = state
  return { answer: null, state: isOver ? told : state }
}

function unlessCancelled(error: unknown): void {
  if (isCancellation(error)) throw error
}

/** Acts upon what the venue has said; answers where the booking stands. */
export const hearVenue = (start: BookingStart, status: string): Promise<Decision> =>
  insist(
    () => steps.hearVenue(start, Date.now()),
    (seconds) => show(start, status, `The last step failed; the next try is in ${seconds} s.`),
    'before trying again to act upon what the venue said',
  )

const nobodyCalled: Call = { asked: null, heard: null }

/**
 * A call that did not come back is like a venue that did not answer: the next one asks what became of it. What the venue says by
 * itself meanwhile ends the call.
 */
async function tryCall(start: BookingStart, inbox: Inbox): Promise<Call> {
  try {
    return (await firstOf(() => callVenue(start), inbox.hasNews)) ?? nobodyCalled
  } catch (error) {
    if (isCancellation(error)) throw error
    return { ...nobodyCalled, failure: 'the call did not come back' }
  }
}

function heardIn({ heard }: Call): Heard {
  if (heard === null || heard === 'unknown') return 'nothing'
  return heard === 'pending' ? 'pending' : 'decided'
}

function cameOf({ asked, heard, failure }: Call): string {
  if (failure) return `The venue was not reached: ${failure}.`
  return heard ? `To ${asked} the venue said ${heard}.` : 'The venue was not called.'
}

const inSeconds = (ms: number) => `${Math.ceil(ms / 1000)} s`
