import { condition, proxyActivities } from '@temporalio/workflow'
import type { NoticeActivities } from '../../activities/notices.ts'
import { VENUES_QUEUE } from '../../src/base/task-queues.ts'
import {
  type NoticeOrder,
  type NoticeProgress,
  type NoticeStart,
  noticeOrders,
  ORDER_SIGNAL,
  STATUS_SIGNAL,
} from '../../src/notices/rules/notice-run.ts'
import { retryUntilSuccess } from '../bookings/booking-interface.ts'
import { onSignal, outlive, showDetails } from '../messages.ts'
import { faultIn, oneOf } from '../shapes.ts'

const { tryChannel } = proxyActivities<NoticeActivities>({
  taskQueue: VENUES_QUEUE,
  // one message of at most 10 s, and its rows
  startToCloseTimeout: '25s',
  scheduleToCloseTimeout: '60s',
  heartbeatTimeout: '10s',
  // Every failure of a channel is a result; the workflow waits out what fails on our side.
  retry: { maximumAttempts: 1 },
  summary: 'notify the person by the channel that is next',
})

const statusChanged = {
  name: STATUS_SIGNAL,
  about: 'Looks at the notice again. Harmless at any time. No input.',
}
const orderGiven = {
  name: ORDER_SIGNAL,
  about:
    'Input "resend": uses the next channel now. Input "stop": ends the notice, and no more is ' +
    'sent. Anything else is ignored.',
}

const HOW_TO_STOP = 'The notice continues. To end it, send it the signal `order` with "stop".'

/**
 * Notifies one person of one matter, channel after channel, until the person has seen it, somebody
 * has answered or the time is over. The rows decide; this workflow only keeps the time.
 */
export const notice = (start: NoticeStart): Promise<string> =>
  outlive(HOW_TO_STOP, () => runNotice(start))

async function runNotice(start: NoticeStart): Promise<string> {
  let messages = 0
  let seen = 0
  let order: NoticeOrder | undefined
  onSignal(statusChanged, () => {
    messages += 1
  })
  onSignal(orderGiven, (...values) => {
    if (faultIn(values, [oneOf(noticeOrders)])) return
    messages += 1
    order = values[0] as NoticeOrder
  })
  for (let tries = 0; ; ) {
    seen = messages
    const input = { tries, order }
    order = undefined
    const progress = await retryUntilSuccess(() => tryChannel(start.noticeId, input), {
      messages: () => messages,
      summary: 'before the notice is tried again',
    })
    tries = progress.tries
    show(start, progress)
    if (progress.ended) return progress.ended
    const pause = progress.nextAt - Date.now()
    if (pause > 0) await condition(() => messages > seen, pause, { summary: 'until the next step' })
  }
}

function show(start: NoticeStart, { ended, nextAt, tries, attempts }: NoticeProgress): void {
  const next = new Date(nextAt).toISOString()
  const failures = tries > 0 ? ` Failures in a row: ${tries}.` : ''
  showDetails(
    [
      ended ? `**${ended}**` : `**waiting**: The next step is due ${next}.${failures}`,
      ...attempts,
      `${start.kind} to a person at \`${start.venueSlug}\``,
      ...(start.bookingId ? [`Booking \`${start.bookingId}\``] : []),
    ],
    HOW_TO_STOP,
  )
}
