import type {
  ActivityInboundCallsInterceptor,
  ActivityInterceptorsFactory,
} from '@temporalio/worker'
import { bookingIdOf } from '../../contract/rules/ids.ts'
import type { Pass } from '../process/work-through.ts'
import { type Log, loggable } from './log.ts'
import type { Metrics } from './metrics.ts'

type Info = Parameters<ActivityInterceptorsFactory>[0]['info']

/**
 * Logs and measures each attempt of an activity, with the booking's status or refusal code, and
 * counts the rows that a step of the sweep failed for and the bookings that it resumed.
 */
export function watchActivities(log: Log, metrics: Metrics): ActivityInterceptorsFactory {
  return ({ info }) => ({ inbound: { execute: watch(info) } })

  function watch(info: Info): NonNullable<ActivityInboundCallsInterceptor['execute']> {
    return async (input, next) => {
      const started = performance.now()
      try {
        const result = await next(input)
        record(info, performance.now() - started, 'ok', outcomeOf(result))
        const passes = isPass(result) ? { [info.activityType]: result } : Object(result)
        for (const [step, pass] of Object.entries(passes)) if (isPass(pass)) countPass(step, pass)
        return result
      } catch (error) {
        record(info, performance.now() - started, 'failed', null, error)
        throw error
      }
    }
  }

  function countPass(activity: string, { done, failed }: Pass) {
    metrics.sweepFailures.inc({ activity }, failed)
    if (activity === 'resumeLostBookings') metrics.resumedBookings.inc(done)
  }

  function record(
    info: Info,
    ms: number,
    result: 'ok' | 'failed',
    outcome: string | null,
    error?: unknown,
  ) {
    const { activityType: activity, attempt } = info
    const workflowId = info.workflowExecution?.workflowId ?? ''
    const bookingId = bookingIdOf(workflowId)
    metrics.activities.observe({ activity, result }, ms / 1000)
    if (bookingId && outcome) metrics.bookingSteps.inc({ activity, outcome })
    const line = {
      activity,
      workflow_id: workflowId,
      booking_id: bookingId,
      attempt,
      result,
      outcome,
      ms: Math.round(ms * 10) / 10,
    }
    if (result === 'failed') log.warn({ ...line, error: loggable(error) }, 'activity failed')
    else log[bookingId ? 'info' : 'debug'](line, 'activity')
  }
}

type Outcome = {
  answer?: { refusal?: { code: string } }
  state?: { status: string }
  status?: string
}

const isPass = (result: unknown): result is Pass =>
  typeof result === 'object' && result !== null && 'failed' in result && 'next' in result

const outcomeOf = (result: unknown): string | null => {
  const { answer, state, status } = (result ?? {}) as Outcome
  return answer?.refusal?.code ?? state?.status ?? status ?? null
}
