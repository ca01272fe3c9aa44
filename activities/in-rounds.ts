import { setTimeout as sleep } from 'node:timers/promises'
import { ApplicationFailure, Context } from '@temporalio/activity'
import type { Rounds } from '../src/base/rounds.ts'
import { type Log, loggable } from '../src/platform/telemetry/log.ts'
import { handOver } from '../src/platform/temporal/hand-over.ts'
import { whileBeating } from './while-beating.ts'

/** Well below the heartbeat timeout of 15 s. Each heartbeat is a write in Temporal. */
const BEAT_MS = 6_000

export type RoundsDeps = {
  log: Log
  /** aborts when the worker begins to stop, long before it cancels its activities */
  stopping?: AbortSignal | undefined
}

/**
 * Repeats a scheduled run's work until the next run begins. Uses a single activity, because a
 * workflow that waits between rounds writes six events for each, even if there is no work. The next
 * round makes up for a failed one; if the last round fails, so does the run. A round that takes
 * until the next run begins is the last, because two slow rounds could outlast the run.
 */
export const inRounds = <T>(
  { count, seconds }: Rounds,
  { log, stopping }: RoundsDeps,
  work: (at: Date, signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  whileBeating(async (cancelled) => {
    const { activityType: activity, scheduledTimestampMs } = Context.current().info
    const end = scheduledTimestampMs + count * seconds * 1000
    const failRound = (error: unknown, isLast: boolean) => {
      if (cancelled.aborted) throw error
      if (isLast) throw ApplicationFailure.fromError(error, { nonRetryable: true })
      log.warn({ activity, error: loggable(error) }, 'a scheduled round failed')
    }
    for (;;) {
      const next = Date.now() + seconds * 1000
      const isLast = () => Math.max(next, Date.now()) >= end
      try {
        const done = await work(new Date(), cancelled)
        if (isLast()) return done
      } catch (error) {
        failRound(error, isLast())
      }
      await pause(next - Date.now(), cancelled, stopping)
    }
  }, BEAT_MS)

async function pause(ms: number, cancelled: AbortSignal, stopping = cancelled): Promise<void> {
  const signal = AbortSignal.any([cancelled, stopping])
  await sleep(Math.max(0, ms), undefined, { signal }).catch(() => {
    cancelled.throwIfAborted()
    throw handOver()
  })
}
