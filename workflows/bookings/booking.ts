import {
  allHandlersFinished,
  condition,
  defineUpdate,
  patched,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import {
  type BookingStart,
  type BookingState,
  CONFIRM_UPDATE,
  type ConfirmAnswer,
  type Decision,
} from '../../src/bookings/rules/booking-messages.ts'
import {
  hearVenue,
  msUntilDue,
  tellVenue,
  untilAcknowledged,
  untilAnswered,
} from '../confirmation/booking-venue.ts'
import { insist } from '../insist.ts'
import { describe, show, showSlot } from './booking-display.ts'
import { type Inbox, openInbox } from './booking-inbox.ts'

const retry = { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' } as const
const { decideBooking } = proxyLocalActivities<Activities>({
  scheduleToCloseTimeout: '10s',
  retry: { ...retry, maximumAttempts: 3 },
  summary: 'hold the slot, confirm it with its fee; or refuse',
})
const { actWhenDue, completeBooking } = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry,
  summary: 'do what is due',
})
const { runCommands } = proxyActivities<Activities>({
  startToCloseTimeout: '20s',
  retry,
  summary: 'do what the agent wants',
})

const confirm = defineUpdate<ConfirmAnswer>(CONFIRM_UPDATE)

/**
 * One booking for its whole life. The main function does the work from the start argument; the update only waits for the
 * answer, so a lost caller changes nothing. Started again after a loss, it finds in the database what was already done.
 */
export async function booking(asked: BookingStart): Promise<string> {
  let start = asked
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
  for (;;) {
    while (
      state?.nextActionAt ||
      state?.noticeDue ||
      inbox.hasCommands() ||
      (state && inbox.takeNews())
    ) {
      const obeys = inbox.takeCommands()
      ;({ answer: decided, state } = obeys
        ? await obey(start, inbox)
        : await next(start, inbox, state))
      answer ??= decided
      start = asItIs(start, state)
      // A command that the venue decides about is unanswered until the venue has been heard.
      if (!obeys) inbox.lookAgain()
    }
    const end = state ? over(start, state) : refused(start, answer)
    // Whoever asks in the last moment is answered as well.
    await condition(() => allHandlersFinished() || inbox.hasCommands())
    if (!inbox.hasCommands()) return end
  }
}

/** What the booking is about now: it may have been amended. */
function asItIs(start: BookingStart, state: BookingState | null): BookingStart {
  const { now } = state ?? {}
  if (!now || (now.slotTime === start.slotTime && now.partySize === start.partySize)) return start
  const moved = { ...start, ...now }
  showSlot(moved)
  return moved
}

/** Runs the commands that were given, and answers those who wait for them. */
async function obey(start: BookingStart, inbox: Inbox): Promise<Decision> {
  const { answers, ...decision } = await runCommands(start, inbox.waiting(), Date.now())
  inbox.answer(answers)
  return decision
}

const decide = (start: BookingStart): Promise<Decision> =>
  insist(
    () => decideBooking(start, Date.now()),
    (seconds) => show(start, 'opening', `The last try failed; the next is in ${seconds} s.`),
    'before trying again to decide',
  )

/** Takes the booking one step further: what comes next depends on where it stands, and on nothing else. */
async function next(
  start: BookingStart,
  inbox: Inbox,
  state: BookingState | null,
): Promise<Decision> {
  if (!state) return { answer: null, state }
  if (state.noticeDue) return tellVenue(start, inbox, state)
  if (state.status === 'pending' && state.confirmMode !== 'request') {
    return untilAnswered(start, inbox, state)
  }
  if (state.withdrawDue) return untilAcknowledged(start, inbox, state)
  if (state.change && isFirst(state) && patched('changes')) {
    return (state.change.phase === 'asked' ? untilAnswered : untilAcknowledged)(start, inbox, state)
  }
  if (!state.nextActionAt) return hearVenue(start, state.status)
  return untilDue(start, inbox, state)
}

/** While the venue is asked for a change it alone is waited for; one that is off goes on beside the booking. */
const isFirst = (state: BookingState) => state.change?.phase === 'asked' || msUntilDue(state) > 0

/** Waits until something is due and does it, unless the venue or the agent has something to say before. */
async function untilDue(start: BookingStart, inbox: Inbox, state: BookingState): Promise<Decision> {
  const { status } = state
  show(start, status, outlook(state))
  await inbox.waitForNews(msUntilDue(state), 'until something is due')
  if (inbox.hasCommands()) return { answer: null, state }
  if (inbox.takeNews()) return hearVenue(start, status)
  const act = patched('holds') ? actWhenDue : completeBooking
  const { answer = null, ...acted } = await act(start, Date.now())
  return { answer, state: acted }
}

/** What is waited for, as the Temporal UI shows it. */
function outlook({ status, nextActionAt, answerBy }: BookingState): string {
  if (status === 'offered') return `The venue offers another time; the agent has until ${answerBy}.`
  if (status !== 'pending') return `Goes on by itself at ${nextActionAt}.`
  const reminder =
    nextActionAt === answerBy ? 'it has been reminded' : `reminded at ${nextActionAt}`
  return `Waiting for a person at the venue until ${answerBy}; ${reminder}.`
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
