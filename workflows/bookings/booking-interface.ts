import { defineSearchAttributeKey } from '@temporalio/common'
import { CancellationScope, condition, isCancellation, upsertMemo } from '@temporalio/workflow'
import type { OnClock } from '../../src/base/account-time.ts'
import { searchAttributeTypes as types } from '../../src/base/task-queues.ts'
import {
  type BookingStart,
  type CommandAnswer,
  type SubmittedCommand,
  summaryOf,
} from '../../src/bookings/rules/booking-messages.ts'
import { openClock } from '../account-clock.ts'
import { onSignal, onUpdate, showDetails } from '../messages.ts'
import { upsertChanged } from '../search-attributes.ts'
import * as messagesOf from './booking-messages.ts'
import { inWords, localTime } from './booking-words.ts'

export type Inbox = ReturnType<typeof openInbox>

/**
 * The inbox of a booking's workflow, for its venue's responses and its agent's commands. Both are
 * in the database before the message arrives. Registers the message handlers. `hasCommands`: the
 * previous run may have left commands unread.
 */
export function openInbox(start: OnClock, hasCommands: boolean) {
  let hasResponse = false
  let hasAdvanced = false
  let messages = 0
  let isEnding = false
  const waiting = new Set<SubmittedCommand & { answer: CommandAnswer | null }>()
  /** The commands that the venue was deciding about at the last check. */
  let names: readonly string[] = []
  onSignal(messagesOf.venueResponded, () => {
    messages += 1
    hasResponse = true
  })
  onSignal(messagesOf.commandsSubmitted, () => {
    messages += 1
    hasCommands = true
  })
  const awaitAnswer = async (submitted: SubmittedCommand, waitMs: number) => {
    messages += 1
    // A caller that renews its wait for the venue every minute brings no new command.
    hasCommands ||= !names.includes(submitted.id)
    const caller = { ...submitted, answer: null as CommandAnswer | null }
    waiting.add(caller)
    await condition(() => caller.answer !== null || isEnding, waitMs)
    waiting.delete(caller)
    return caller.answer ?? 'pending'
  }
  onUpdate(messagesOf.command, awaitAnswer)
  const clock = openClock(start, () => {
    messages += 1
    hasAdvanced = true
  })
  const hasNews = () => hasResponse || hasCommands || hasAdvanced
  const open = () => [...waiting].filter(({ answer }) => !answer)
  const unanswered = () => open().map(({ id }) => id)
  return {
    /** The time of the booking's account, and the next run's argument. */
    ...clock,
    /** How many messages this run has received. */
    messages: () => messages,
    /** From now on, answers callers with `pending`, so that the run can end. */
    close() {
      isEnding = true
    },
    isEnding: () => isEnding,
    /** Whether the venue has responded, there are commands, or a test clock has moved. */
    hasNews,
    /** Adopts the clock's offset as read in a step, unless the clock has moved since. */
    correctTime({ aheadMs }: OnClock) {
      if (!hasAdvanced) clock.correct(aheadMs)
    },
    /** Forgets that the clock has moved, because the work due by then is in progress. */
    noteTime() {
      hasAdvanced = false
    },
    /** Whether the venue has responded since the last call. */
    takeResponses(): boolean {
      const had = hasResponse
      hasResponse = false
      return had
    },
    hasCommands: () => hasCommands,
    /** Whether commands have arrived since the last call. */
    takeCommands(): boolean {
      const had = hasCommands
      hasCommands = false
      return had
    },
    awaitAnswer,
    /** The commands whose callers are waiting for an answer. */
    waiting: unanswered,
    /** The commands that have arrived since the last check, for operators. */
    news: () => inWords(open().filter(({ id }) => !names.includes(id))),
    /** Answers these callers. */
    answer(answers: Record<string, CommandAnswer>) {
      for (const caller of waiting) caller.answer ??= answers[caller.id] ?? null
      names = unanswered()
    },
    /** Treats the commands of callers still waiting as new. */
    lookAgain() {
      names = []
      hasCommands ||= unanswered().length > 0
    },
    /** Waits up to `ms`, or until there is news. */
    async waitForNews(ms: number, summary: string) {
      hasAdvanced = false
      await condition(hasNews, Math.max(1, ms), { summary })
    },
  }
}

const accountId = defineSearchAttributeKey('AccountId', types.AccountId)
const bookingStatus = defineSearchAttributeKey('BookingStatus', types.BookingStatus)
const groupId = defineSearchAttributeKey('GroupId', types.GroupId)
const slotLocal = defineSearchAttributeKey('SlotLocal', types.SlotLocal)
const slotTime = defineSearchAttributeKey('SlotTime', types.SlotTime)
const venueSlug = defineSearchAttributeKey('VenueSlug', types.VenueSlug)

/** Search attributes by which operators filter bookings in the Temporal UI. */
const attributesOf = (start: BookingStart, status: string) => [
  { key: accountId, value: start.accountId },
  { key: bookingStatus, value: status },
  { key: slotTime, value: new Date(start.startsAt) },
  { key: slotLocal, value: localTime(start.slotTime) },
  { key: venueSlug, value: start.venueSlug },
  ...(start.group ? [{ key: groupId, value: start.group.id }] : []),
]

/** Updates the summary in the memo, which survives continuing as new. */
export const showAmended = (start: BookingStart): void => upsertMemo({ summary: summaryOf(start) })

/** Shows the status and the next step in the Temporal UI, including its list. */
export function show(start: BookingStart, status: string, next: string): void {
  upsertChanged(attributesOf(start, status))
  detail(start, status, next)
}

/** Shows an undecided booking only in its details, because listing it would delay the decision. */
export function detail(start: BookingStart, status: string, next: string): void {
  const lines = [
    `**${status}**: ${next}`,
    `Party of ${start.partySize} at ${start.venueName} (\`${start.venueSlug}\`)`,
    `${localTime(start.slotTime)} at the venue (${start.timezone}), ${start.startsAt}`,
    ...(start.amended ? [`Amended: ${start.amended}`] : []),
    `Account \`${start.accountId}\``,
  ]
  showDetails(lines, messagesOf.HOW_TO_CANCEL)
}

/** Pauses between attempts grow from a second to five minutes. */
const MAX_PAUSE_S = 300

type Pause = { messages: () => number; summary: string; onPause?: (seconds: number) => void }

/**
 * Runs a step until it succeeds, however long the database is unavailable. The workflow sleeps
 * between attempts, at most until the next message. A local activity that backed off would keep its
 * workflow task, and hence a slot of the worker, and would use the time of its first attempt.
 */
export async function retryUntilSuccess<T>(
  step: () => Promise<T>,
  { messages, summary, onPause }: Pause,
): Promise<T> {
  for (let pause = 1; ; pause = Math.min(pause * 2, MAX_PAUSE_S)) {
    try {
      return await step()
    } catch {
      onPause?.(pause)
      const before = messages()
      await condition(() => messages() > before, pause * 1000, { summary })
    }
  }
}

/**
 * Waits for `work` or for `isTrue`, whichever comes first. Returns the work's result, or undefined
 * if the condition cancelled it.
 */
export async function firstOf<T>(
  work: () => Promise<T>,
  isTrue: () => boolean,
): Promise<T | undefined> {
  const scope = new CancellationScope()
  let isCancelled = false
  const working = scope.run(work).catch((error: unknown) => {
    if (isCancelled && isCancellation(error)) return undefined
    throw error
  })
  await Promise.race([working, condition(isTrue)])
  isCancelled = true
  scope.cancel()
  return working
}
