import { setTimeout } from 'node:timers/promises'
import { MINUTE_MS } from '../../base/durations.ts'
import { type Db, type Pool, transaction } from '../../platform/database/sql.ts'
import type { EndpointStart } from '../rules/endpoint-messages.ts'
import { DISABLE_AFTER_MS, WARN_AFTER_MS } from '../rules/retry-schedule.ts'
import { type AttemptResult, isUnstorable, settleAttempts, settleOne } from '../store/attempts.ts'
import {
  disableFailedEndpoint,
  type EndpointAddress,
  updateHealth,
  warnOwner,
} from '../store/endpoint-health.ts'
import type { EndpointState } from './endpoint-state.ts'

/** After the last of these retries, the next batch marks the attempts as unknown. */
const PAUSES_MS = [200, 500, 1_000, 2_000, 4_000]

/** What a batch has found since it last saved. */
export type Findings = {
  results: readonly AttemptResult[]
  before: EndpointState
  after: EndpointState
  /** when the URL that answered was verified */
  provedAt: Date | null
  /** when the owner was last warned about the failures */
  warnedAt: Date | null
}

/** The effect on the endpoint. `reset`: the owner has changed its URL or cleared its failures. */
type EndpointEffect = 'disabled' | 'warned' | 'reset' | null

/** Saves results and health in one transaction, retrying for 8 s if the database is unavailable. */
export async function saveResults(db: Pool, start: EndpointStart, findings: Findings, at: Date) {
  for (const pause of PAUSES_MS) {
    try {
      return await saveStorable(db, start, findings, at)
    } catch {
      await setTimeout(pause)
    }
  }
  return saveStorable(db, start, findings, at)
}

/** A response that cannot be stored must not cause other deliveries to be sent again. */
async function saveStorable(db: Pool, start: EndpointStart, findings: Findings, at: Date) {
  try {
    return await save(db, start, findings, at)
  } catch (error) {
    if (!isUnstorable(error)) throw error
    for (const result of findings.results) await settleOne(db, start.endpointId, result, at)
    return save(db, start, { ...findings, results: [] }, at)
  }
}

async function save(db: Pool, start: EndpointStart, findings: Findings, at: Date) {
  const { results, before, after } = findings
  if (!hasChanged(before, after) && nextStep(findings, at) === null) {
    await settleAttempts(db, start.endpointId, results, at)
    return null
  }
  return transaction(db, async (tx) => {
    // Lock order, as everywhere: the endpoint's row first, events last.
    const address = { ...start, provedAt: findings.provedAt }
    const isUpdated = await updateHealth(tx, address, before.health, after.health)
    await settleAttempts(tx, start.endpointId, results, at)
    return isUpdated ? warnOrDisable(tx, address, findings, at) : 'reset'
  })
}

async function warnOrDisable(
  tx: Db,
  start: EndpointStart & EndpointAddress,
  findings: Findings,
  at: Date,
): Promise<EndpointEffect> {
  const { after } = findings
  const step = after.isGone ? 'gone' : nextStep(findings, at)
  if (step === 'gone' || step === 'failing') {
    return (await disableFailedEndpoint(tx, start, step, at)) ? 'disabled' : null
  }
  const { failing_since: failingSince } = after.health
  if (step === null || failingSince === null) return null
  const disabledAt = new Date(
    Math.max(failingSince.getTime() + DISABLE_AFTER_MS, at.getTime() + WARN_AFTER_MS),
  )
  await warnOwner(tx, start, { failingSince, disabledAt, at })
  return 'warned'
}

/** Minimum interval between stored failures. */
const FAILURE_INTERVAL_MS = 15 * MINUTE_MS

function hasChanged({ health: was }: EndpointState, { health: is, isGone }: EndpointState) {
  const later = (is.failed_at?.getTime() ?? 0) - (was.failed_at?.getTime() ?? 0)
  return (
    isGone ||
    was.failing_since?.getTime() !== is.failing_since?.getTime() ||
    was.wait_until?.getTime() !== is.wait_until?.getTime() ||
    later >= FAILURE_INTERVAL_MS
  )
}

/** Warns the owner of a failing endpoint, and disables it no sooner than WARN_AFTER_MS later. */
function nextStep({ after, warnedAt }: Findings, at: Date): 'warn' | 'failing' | null {
  const { failing_since } = after.health
  if (failing_since === null) return null
  const failsFor = at.getTime() - failing_since.getTime()
  if (warnedAt === null || warnedAt < failing_since) {
    return failsFor >= WARN_AFTER_MS ? 'warn' : null
  }
  const wasWarnedInTime = at.getTime() - warnedAt.getTime() >= WARN_AFTER_MS
  return wasWarnedInTime && failsFor >= DISABLE_AFTER_MS ? 'failing' : null
}
