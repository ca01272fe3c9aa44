import {
  allHandlersFinished,
  condition,
  continueAsNew,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow'
import type { Activities, VenueActivities } from '../activities/index.ts'
import {
  type BookingStart,
  type BookingState,
  type Call,
  type Decision,
  NOTICE_TRIES,
  VENUES_QUEUE,
} from '../src/model/booking-messages.ts'
import {
  type Heard,
  pauseUntilNextCall,
  pauseUntilNextWithdrawal,
} from '../src/model/venue-patience.ts'
import { show } from './booking-display.ts'
import { firstOf, type Inbox } from './booking-inbox.ts'
import { insist } from './insist.ts'

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

/** Asks the venue until it has decided or its time is over. Its answers count whenever they come, also between two calls. */
export async function untilAnswered(
  start: BookingStart,
  inbox: Inbox,
  { answerBy }: BookingState,
): Promise<Decision> {
  const deadline = Date.parse(answerBy ?? '') || 0
  let tries = 0
  let heard: Heard = 'nothing'
  for (;;) {
    const call = Date.now() < deadline ? await tryCall(start, inbox) : nobodyCalled
    tries = heardIn(call) === heard ? tries + 1 : 1
    heard = heardIn(call)
    let pause: number
    do {
      const decision = await hearVenue(start, 'pending')
      if (decision.state?.status !== 'pending' || inbox.hasCommands()) return decision
      pause = pauseUntilNextCall(heard, tries, Date.now(), deadline)
      show(start, 'pending', `${told(call)} Next call in ${inSeconds(pause)}, until ${answerBy}.`)
      await inbox.waitForNews(pause, 'until the venue is asked again')
      if (inbox.hasCommands()) return decision
    } while (inbox.takeNews())
  }
}

/** Tells the venue that the booking is over until it has acknowledged that, however long it takes. */
export async function untilWithdrawn(
  start: BookingStart,
  inbox: Inbox,
  { status }: BookingState,
): Promise<Decision> {
  for (let tries = 1; ; tries += 1) {
    const call = await tryCall(start, inbox)
    const decision = await hearVenue(start, status)
    if (!decision.state?.withdrawDue || inbox.hasCommands()) return decision
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished)
      await continueAsNew(start)
    }
    const pause = pauseUntilNextWithdrawal(tries)
    show(start, status, `${told(call)} The withdrawal is sent again in ${inSeconds(pause)}.`)
    await inbox.waitForNews(pause, 'until the withdrawal is sent again')
    inbox.takeNews()
    if (inbox.hasCommands()) return decision
  }
}

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

function told({ asked, heard, failure }: Call): string {
  if (failure) return `The venue was not reached: ${failure}.`
  return heard ? `To ${asked} the venue said ${heard}.` : 'The venue was not called.'
}

const inSeconds = (ms: number) => `${Math.ceil(ms / 1000)} s`
