import type { Client } from '@temporalio/client'
import { BOOKINGS_QUEUE } from '../model/booking-messages.ts'

/** A worker's long poll lasts 60 s, so one that has not asked for this long is gone. */
const POLLER_GONE_MS = 75_000

/** The identities (`pid@host`) of the workers that take bookings now. */
export async function bookingWorkers(client: Client): Promise<string[]> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: BOOKINGS_QUEUE },
    taskQueueType: 1,
  })
  return pollers
    .filter(({ lastAccessTime }) => {
      const seconds = Number(lastAccessTime?.seconds ?? 0)
      return Date.now() - seconds * 1000 < POLLER_GONE_MS
    })
    .map(({ identity }) => identity ?? '')
}
