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
  /** Waits up to `ms`; true as soon as there are news that nobody has taken yet. */
  waitForNews(ms: number, summary: string): Promise<boolean>
}

/** Takes the signals of this workflow from now on. */
export function openInbox(): Inbox {
  let hasNews = false
  setHandler(venueAnswered, () => {
    hasNews = true
  })
  return {
    async waitForNews(ms, summary) {
      const timer = new CancellationScope()
      const timeIsUp = timer.run(() => sleep(ms, { summary })).catch(unlessCancelled)
      await Promise.race([timeIsUp, condition(() => hasNews)])
      timer.cancel()
      const news = hasNews
      hasNews = false
      return news
    },
  }
}

function unlessCancelled(error: unknown): void {
  if (!isCancellation(error)) throw error
}
