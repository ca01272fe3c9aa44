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
  const takeNews = () => {
    const news = hasNews
    hasNews = false
    return news
  }
  return {
    takeNews,
    async waitForNews(ms, summary) {
      const timer = new CancellationScope()
      const timeIsUp = timer.run(() => sleep(ms, { summary })).catch(unlessCancelled)
      await Promise.race([timeIsUp, condition(() => hasNews)])
      timer.cancel()
      return takeNews()
    },
  }
}

function unlessCancelled(error: unknown): void {
  if (!isCancellation(error)) throw error
}
