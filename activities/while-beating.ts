import { setInterval } from 'node:timers'
import { Context } from '@temporalio/activity'

/**
 * Lets the Temporal server know that the work goes on, so that a worker which dies is missed within seconds. The signal aborts when the
 * workflow calls it off or the worker ends.
 */
export async function whileBeating<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const context = Context.current()
  const beat = setInterval(() => context.heartbeat(), 1_000)
  try {
    return await work(context.cancellationSignal)
  } finally {
    clearInterval(beat)
  }
}
