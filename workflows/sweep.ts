import { proxyActivities, setWorkflowOptions } from '@temporalio/workflow'
import type { SweepActivities, Swept } from '../activities/sweep.ts'
import { once, roundsOptions, scheduled, stayPinned } from './rounds.ts'

const { sweepInRounds } = proxyActivities<SweepActivities>({
  ...roundsOptions,
  summary: 'resume and announce what was lost, erase what is due',
})

/**
 * The guarantee behind every booking. Every 15 s, restarts lost booking workflows and repeats
 * unnoticed announcements of responses, commands and deliveries. Steps are independent; if one
 * fails in the last round, the run fails too.
 */
export const sweep = (rounds = once): Promise<Swept> => scheduled(() => sweepInRounds(rounds))
setWorkflowOptions(stayPinned, sweep)
