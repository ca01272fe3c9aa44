import {
  CancellationScope,
  condition,
  defineSignal,
  isCancellation,
  setHandler,
  sleep,
} from '@temporalio/workflow'
import { VENUE_ANSWERED_SIGNAL } from '../src/model/booking-messages.ts'

export const venueAnswered = defineSignal(VENUE_ANSWERED_SIGNAL)

/** What a booking's workflow waits for besides time: news of its venue, which are in the database when the signal comes. */
export type Inbox = {
  hasNews(): boolean
  /** True when there are news that nobody has taken; they are taken by this. */
  takeNews(): boolean
  /** Waits up to `ms`; true as soon as there are news that nobody has taken yet. */
  waitForNews(ms: number, summary: string): Promise<boolean>
}

/** Takes the signals of this workflow from now on. */
export function openInbox(): Inbox {
  let hasNews = false
  setHandler(venueAnswered, () => {
    hasNews = true
  })
  const hasNewsNow = () => hasNews
  const takeNews = () => {
    const news = hasNews
    hasNews = false
    return news
  }
  return {
    hasNews: hasNewsNow,
    takeNews,
    async waitForNews(ms, summary) {
      await firstOf(() => sleep(ms, { summary }), hasNewsNow)
      return takeNews()
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
