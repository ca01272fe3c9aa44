import type { ActivityOptions } from '@temporalio/workflow'
import type { Rounds } from '../src/contract/rules/rounds.ts'

/** What a run does that was started by hand. */
export const once: Rounds = { count: 1, seconds: 0 }

/**
 * One activity does all rounds of a scheduled run (activities/in-rounds.ts). When its worker stops
 * or dies, another does those that are left.
 */
export const roundsOptions = {
  startToCloseTimeout: '15m',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
} as const satisfies ActivityOptions
