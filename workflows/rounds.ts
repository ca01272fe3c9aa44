import type { WorkflowDefinitionOptions } from '@temporalio/common'
import { type ActivityOptions, workflowInfo } from '@temporalio/workflow'
import type { Rounds } from '../src/base/rounds.ts'
import { outlive } from './messages.ts'

/** The number of rounds in a run that was started by hand. */
export const once: Rounds = { count: 1, seconds: 0 }

/** Runs scheduled work even if asked to cancel it, so that no work has to wait for the next run. */
export const scheduled = <R>(work: () => Promise<R>): Promise<R> =>
  outlive('It ends by itself. To keep the next run from beginning, pause its schedule.', work)

/** Otherwise, the worker that runs the workflow would keep its long activities for itself. */
export const toAnyWorker = { allowEagerDispatch: false } as const

/**
 * A single activity does all rounds of a scheduled run (activities/in-rounds.ts). If its worker
 * stops or dies, another worker does the rest.
 */
export const roundsOptions = {
  ...toAnyWorker,
  startToCloseTimeout: '15m',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
} as const satisfies ActivityOptions

/**
 * Options for a workflow that ends within the hour, which stays on the worker version on which it
 * began. A worker without a build id must not declare a behaviour, or every task would fail.
 */
export function stayPinned(): WorkflowDefinitionOptions {
  const { deploymentName } = workflowInfo().currentDeploymentVersion ?? {}
  return deploymentName ? { versioningBehavior: 'PINNED' } : {}
}
