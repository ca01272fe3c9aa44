import { setTimeout } from 'node:timers/promises'
import { type Db, type Pool, transaction } from '../../platform/database/sql.ts'
import { DISABLED_AFTER_MS, WARNED_AFTER_MS } from '../rules/sending.ts'
import type { EndpointStart } from '../rules/webhooks.ts'
import { isUnstorable, type Settled, settleAlone, settleAttempts } from '../store/attempts.ts'
import {
  type Address,
  disableFailedEndpoint,
  updateHealth,
  warnOwner,
} from '../store/endpoint-health.ts'
import type { EndpointState } from './endpoint-state.ts'

/** Before giving up what was learnt, and leaving it to the next batch to call it unknown. */
const PAUSES_MS = [200, 500, 1_000, 2_000, 4_000]

/** What a batch has learnt since it last wrote anything down. */
export type Learnt = {
  settled: readonly Settled[]
  before: EndpointState
  after: EndpointState
  /** when the address that answered proved itself */
  provedAt: Date | null
  /** when its owner was last told that it fails */
  warnedAt: Date | null
}

/** What became of the endpoint by that. */
export type Effect = 'disabled' | 'warned' | 'moved' | null

/** Writes down what came of attempts and what that says of their endpoint, in one; tried again for some seconds while the database is away. */
export async function persist(
  db: Pool,
  start: EndpointStart,
  learnt: Learnt,
  at: Date,
): Promise<Effect> {
  for (const pause of PAUSES_MS) {
    try {
      return await writeWhatCan(db, start, learnt, at)
    } catch {
      await setTimeout(pause)
    }
  }
  return writeWhatCan(db, start, learnt, at)
}

/** One answer that cannot be stored must not have the others sent again. */
async function writeWhatCan(
  db: Pool,
  start: EndpointStart,
  learnt: Learnt,
  at: Date,
): Promise<Effect> {
  try {
    return await write(db, start, learnt, at)
  } catch (error) {
    if (!isUnstorable(error)) throw error
    for (const settled of learnt.settled) await settleAlone(db, start.endpointId, settled, at)
    return write(db, start, { ...learnt, settled: [] }, at)
  }
}

async function write(db: Pool, start: EndpointStart, learnt: Learnt, at: Date): Promise<Effect> {
  const { settled, before, after } = learnt
  if (!isNews(before, after) && stepFor(learnt, at) === null) {
    await settleAttempts(db, start.endpointId, settled, at)
    return null
  }
  return transaction(db, async (tx) => {
    // The row of the endpoint first, as everybody locks it, and events last.
    const address = { ...start, provedAt: learnt.provedAt }
    const isThere = await updateHealth(tx, address, after.health)
    await settleAttempts(tx, start.endpointId, settled, at)
    return isThere ? judgeEndpoint(tx, address, learnt, at) : 'moved'
  })
}

async function judgeEndpoint(
  tx: Db,
  start: EndpointStart & Address,
  learnt: Learnt,
  at: Date,
): Promise<Effect> {
  const { after } = learnt
  const step = after.isGone ? 'gone' : stepFor(learnt, at)
  if (step === 'gone' || step === 'failing') {
    return (await disableFailedEndpoint(tx, start, step, at)) ? 'disabled' : null
  }
  const { failingSince } = after.health
  if (step === null || failingSince === null) return null
  const disabledAt = new Date(
    Math.max(failingSince.getTime() + DISABLED_AFTER_MS, at.getTime() + WARNED_AFTER_MS),
  )
  await warnOwner(tx, start, { failingSince, disabledAt, at })
  return 'warned'
}

/** A failure is written down when the one in the row is so much older. */
const FAILURE_EACH_MS = 15 * 60_000

function isNews({ health: was }: EndpointState, { health: is, isGone }: EndpointState): boolean {
  const later = (is.failedAt?.getTime() ?? 0) - (was.failedAt?.getTime() ?? 0)
  return (
    isGone ||
    was.failingSince?.getTime() !== is.failingSince?.getTime() ||
    was.waitUntil?.getTime() !== is.waitUntil?.getTime() ||
    later >= FAILURE_EACH_MS
  )
}

/** What is to become of an endpoint that only fails: nobody is disabled who was not warned in time. */
function stepFor({ after, warnedAt }: Learnt, at: Date): 'warn' | 'failing' | null {
  const { failingSince } = after.health
  if (failingSince === null) return null
  const failsFor = at.getTime() - failingSince.getTime()
  if (warnedAt === null || warnedAt < failingSince) {
    return failsFor >= WARNED_AFTER_MS ? 'warn' : null
  }
  const isWarned = at.getTime() - warnedAt.getTime() >= WARNED_AFTER_MS
  return isWarned && failsFor >= DISABLED_AFTER_MS ? 'failing' : null
}
