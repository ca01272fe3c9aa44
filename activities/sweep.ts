import { ApplicationFailure } from '@temporalio/activity'
import type { Rounds } from '../src/base/rounds.ts'
import type { Pass } from '../src/platform/process/work-through.ts'
import { loggable } from '../src/platform/telemetry/log.ts'
import { inRounds, type RoundsDeps } from './in-rounds.ts'

export type SweepActivities = ReturnType<typeof createSweepActivities>

type Step = (at: Date) => Promise<Pass>

/** The result of each step of the sweep; null if it failed. */
export type Swept = Record<string, Pass | null>

/** The sweep, whose steps run concurrently and independently. */
export function createSweepActivities(deps: RoundsDeps, steps: Record<string, Step>) {
  const { log } = deps

  async function sweepOnce(at: Date): Promise<Swept> {
    const run = async ([step, work]: [string, Step]) => {
      try {
        return [step, await work(at)] as const
      } catch (error) {
        log.warn({ step, error: loggable(error) }, 'a step of the sweep failed')
        return [step, null] as const
      }
    }
    return unlessFailed(Object.fromEntries(await Promise.all(Object.entries(steps).map(run))))
  }

  return { sweepInRounds: (rounds: Rounds) => inRounds(rounds, deps, sweepOnce) }
}

/** If a step failed, throws an error that contains the other steps' results. */
function unlessFailed(swept: Swept): Swept {
  const failed = Object.keys(swept).filter((name) => !swept[name])
  if (failed.length === 0) return swept
  const message = `failed: ${failed.join(', ')}`
  throw ApplicationFailure.create({ message, type: 'SweepFailed', details: [swept] })
}
