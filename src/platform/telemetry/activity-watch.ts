import { ApplicationFailure } from '@temporalio/common'
import type {
  ActivityInboundCallsInterceptor,
  ActivityInterceptorsFactory,
} from '@temporalio/worker'
import { bookingIdOf } from '../../base/ids.ts'
import { isDatabaseUnavailable } from '../database/unavailable.ts'
import { isHandedOver } from '../temporal/hand-over.ts'
import { UNAVAILABLE } from '../temporal/runs.ts'
import { type Log, loggable } from './log.ts'
import type { Metrics } from './metrics.ts'

type Info = Parameters<ActivityInterceptorsFactory>[0]['info']

/** Logs and measures each attempt of an activity, with the booking's status or the refusal code. */
export function watchActivities(log: Log, metrics: Metrics): ActivityInterceptorsFactory {
  return ({ info }) => ({ inbound: { execute: watch(info) } })

  function watch(info: Info): NonNullable<ActivityInboundCallsInterceptor['execute']> {
    return async (input, next) => {
      const startedAt = performance.now()
      try {
        const result = await next(input)
        record(info, performance.now() - startedAt, 'ok', outcomeOf(result))
        return result
      } catch (error) {
        if (isHandedOver(error)) throw error
        record(info, performance.now() - startedAt, 'failed', null, error)
        if (!isDatabaseUnavailable(error)) throw error
        throw ApplicationFailure.create({ message: error.message, type: UNAVAILABLE, cause: error })
      }
    }
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

const outcomeOf = (result: unknown): string | null => {
  const { answer, state, status } = (result ?? {}) as Outcome
  return answer?.refusal?.code ?? state?.status ?? status ?? null
}
