import { setInterval } from 'node:timers'
import { Context } from '@temporalio/activity'

/**
 * Sends a heartbeat every second, or every `ms`, so that a dead worker is noticed within seconds.
 * Local activities need none. The signal aborts when the activity is cancelled or the worker stops.
 */
export async function whileBeating<T>(
  work: (signal: AbortSignal) => Promise<T>,
  ms = 1_000,
): Promise<T> {
  const context = Context.current()
  if (context.info.isLocal) return work(context.cancellationSignal)
  const beat = setInterval(() => context.heartbeat(), ms)
  try {
    return await work(context.cancellationSignal)
  } finally {
    clearInterval(beat)
  }
}
