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
  COMMANDS_GIVEN_SIGNAL,
  type CommandAnswer,
  type GivenCommand,
  VENUE_ANSWERED_SIGNAL,
} from '../../src/bookings/rules/booking-messages.ts'

const venueAnswered = defineSignal(VENUE_ANSWERED_SIGNAL)
const commandsGiven = defineSignal(COMMANDS_GIVEN_SIGNAL)
const command = defineUpdate<CommandAnswer, [GivenCommand]>(COMMAND_UPDATE)

/** What a booking's workflow waits for besides time: news of its venue and of its agent, which are in the database when the message comes. */
export type Inbox = {
  hasNews(): boolean
  /** True when the venue has news that nobody has taken; they are taken by this. */
  takeNews(): boolean
  /** True when there are commands that nobody has looked at since the last look; this is one. */
  takeCommands(): boolean
  hasCommands(): boolean
  /** Commands whose callers wait for the answer. */
  waiting(): string[]
  /** Answers the callers; who still waits is looked after again with the next step. */
  answer(answers: Record<string, CommandAnswer>): void
  lookAgain(): void
  /** Waits up to `ms`, or until there is news of any kind. */
  waitForNews(ms: number, summary: string): Promise<void>
}

/** Takes the messages to this workflow from now on. */
export function openInbox(): Inbox {
  let hasWord = false
  let hasCommands = false
  const waiting = new Map<string, CommandAnswer | null>()
  setHandler(venueAnswered, () => {
    hasWord = true
  })
  setHandler(commandsGiven, () => {
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
  const hasNews = () => hasWord || hasCommands
  const unanswered = () => [...waiting].filter(([, answer]) => !answer).map(([id]) => id)
  return {
    hasNews,
    takeNews() {
      const had = hasWord
      hasWord = false
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
 * Waits for `work` or for `isTrue`, whichever comes first; answers what the work came to, undefined when it was called off because
 * of the condition. A cancelled workflow is not waited for: the cancellation is thrown.
 */
export async function firstOf<T>(
  work: () => Promise<T>,
  isTrue: () => boolean,
): Promise<T | undefined> {
  const scope = new CancellationScope()
  let calledOff = false
  const working = scope.run(work).catch((error: unknown) => {
    if (calledOff && isCancellation(error)) return undefined
    throw error
  })
  await Promise.race([working, condition(isTrue)])
  calledOff = true
  scope.cancel()
  return working
}
