import { ApplicationFailure } from '@temporalio/activity'
import {
  deliverCommands,
  eraseGuestDetails,
  eraseOldKeys,
  resumeLostBookings,
} from '../src/bookings/steps/sweep.ts'
import type { ClockDeps } from '../src/clocks/steps/advance-clock.ts'
import { resumeClocks } from '../src/clocks/steps/resume-clocks.ts'
import { deliverVenueResponses } from '../src/confirmation/steps/deliver-venue-responses.ts'
import type { Rounds } from '../src/contract/rules/rounds.ts'
import { resumeLostGroups } from '../src/itineraries/steps/resume-lost-groups.ts'
import { openWork } from '../src/open-work.ts'
import type { Pass } from '../src/platform/process/work-through.ts'
import { loggable } from '../src/platform/telemetry/log.ts'
import type { CountPass } from '../src/platform/telemetry/pass-metrics.ts'
import { replaceBroken } from '../src/platform/temporal/open-work.ts'
import { deliverReplies, eraseOldCalls } from '../src/sandbox/steps/deliver-replies.ts'
import { wakeWaitingEndpoints } from '../src/webhooks/sender/upkeep.ts'
import type { Facilitator } from '../src/x402/facilitator.ts'
import { sendRefunds } from '../src/x402/steps/send-refunds.ts'
import type { BookingActivityDeps } from './bookings.ts'
import { inRounds, type RoundsDeps } from './in-rounds.ts'

export type SweepActivities = ReturnType<typeof createSweepActivities>
export type SweepActivityDeps = BookingActivityDeps &
  RoundsDeps &
  ClockDeps & { countPass: CountPass; facilitator?: Facilitator | undefined }

type Step = (at: Date) => Promise<Pass>

/** What each step of the sweep did; null if it failed. */
export type Swept = Record<string, Pass | null>

/** The sweep: all steps at once, each by itself. */
export function createSweepActivities(deps: SweepActivityDeps) {
  const { log } = deps
  const steps: Record<string, Step> = {
    replaceBroken: () => replaceBroken(openWork, deps),
    resumeLostBookings: (at) => resumeLostBookings(deps, at),
    resumeLostGroups: (at) => resumeLostGroups(deps, at),
    resumeClocks: (at) => resumeClocks(deps, at),
    deliverVenueResponses: (at) => deliverVenueResponses(deps, at),
    deliverCommands: (at) => deliverCommands(deps, at),
    wakeWaitingEndpoints: (at) => wakeWaitingEndpoints(deps, at),
    sendRefunds: (at) => sendRefunds(deps, at),
    eraseGuestDetails: (at) => eraseGuestDetails(deps, at),
    eraseOldKeys: (at) => eraseOldKeys(deps, at),
    deliverReplies: (at) => deliverReplies(deps, at),
    eraseOldCalls: (at) => eraseOldCalls(deps, at),
  }

  async function sweepOnce(at: Date): Promise<Swept> {
    const run = async ([step, work]: [string, Step]) => {
      try {
        const pass = await work(at)
        deps.countPass(step, pass)
        return [step, pass] as const
      } catch (error) {
        log.warn({ step, error: loggable(error) }, 'a step of the sweep failed')
        return [step, null] as const
      }
    }
    return unlessFailed(Object.fromEntries(await Promise.all(Object.entries(steps).map(run))))
  }

  return { sweepInRounds: (rounds: Rounds) => inRounds(rounds, deps, sweepOnce) }
}

/** Throws if a step failed, with what the others did. */
function unlessFailed(swept: Swept): Swept {
  const failed = Object.keys(swept).filter((name) => !swept[name])
  if (failed.length === 0) return swept
  const message = `failed: ${failed.join(', ')}`
  throw ApplicationFailure.create({ message, type: 'SweepFailed', details: [swept] })
}
