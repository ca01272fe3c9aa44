import {
  CancellationScope,
  condition,
  defineSignal,
  defineUpdate,
  isCancellation,
  setHandler,
  sleep,
} from '@temporalio/workflow'
import {
  COMMAND_UPDATE,
  COMMANDS_SUBMITTED_SIGNAL,
  type CommandAnswer,
  type SubmittedCommand,
  VENUE_RESPONDED_SIGNAL,
} from '../../src/bookings/rules/booking-messages.ts'

const venueResponded = defineSignal(VENUE_RESPONDED_SIGNAL)
const commandsSubmitted = defineSignal(COMMANDS_SUBMITTED_SIGNAL)
const command = defineUpdate<CommandAnswer, [SubmittedCommand]>(COMMAND_UPDATE)

/**
 * What a booking's workflow waits for besides time: responses of its venue and commands of its
 * agent. Both are in the database before the message comes.
 */
export type Inbox = {
  /** whether the venue has responded or there are commands */
  hasNews(): boolean
  /** Whether the venue has responded since the last call. */
  takeResponses(): boolean
  /** Whether commands have arrived since the last call. */
  takeCommands(): boolean
  hasCommands(): boolean
  /** The commands whose callers wait for an answer. */
  waiting(): string[]
  /** Answers those callers. */
  answer(answers: Record<string, CommandAnswer>): void
  /** Looks for the answers of callers that still wait. */
  lookAgain(): void
  /** Waits up to `ms`, or until there is news. */
  waitForNews(ms: number, summary: string): Promise<void>
}

/** Registers the handlers of this workflow's messages. */
export function openInbox(): Inbox {
  let hasResponse = false
  let hasCommands = false
  const waiting = new Map<string, CommandAnswer | null>()
  setHandler(venueResponded, () => {
    hasResponse = true
  })
  setHandler(commandsSubmitted, () => {
    hasCommands = true
  })
  setHandler(command, async ({ id }) => {
    waiting.set(id, null)
    hasCommands = true
    await condition(() => waiting.get(id) != null)
    const answer = waiting.get(id)
    waiting.delete(id)
    return answer as CommandAnswer
  })
  const hasNews = () => hasResponse || hasCommands
  const unanswered = () => [...waiting].filter(([, answer]) => !answer).map(([id]) => id)
  return {
    hasNews,
    takeResponses() {
      const had = hasResponse
      hasResponse = false
      return had
    },
    hasCommands: () => hasCommands,
    takeCommands() {
      const had = hasCommands
      hasCommands = false
      return had
    },
    waiting: unanswered,
    answer(answers) {
      for (const [id, answer] of Object.entries(answers)) {
        if (waiting.has(id)) waiting.set(id, answer)
      }
    },
    lookAgain() {
      hasCommands ||= unanswered().length > 0
    },
    async waitForNews(ms, summary) {
      await firstOf(() => sleep(ms, { summary }), hasNews)
    },
  }
}

/**
 * Waits for `work` or for `isTrue`, whichever comes first. Answers the result of the work, or
 * undefined when the condition cancelled it. Throws when the workflow itself is cancelled.
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
