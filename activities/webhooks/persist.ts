import { setTimeout } from 'node:timers/promises'
import { DISABLED_AFTER_MS, WARNED_AFTER_MS } from '../../src/model/sending.ts'
import type { EndpointStart } from '../../src/model/webhooks.ts'
import { type Settled, settleAttempts } from '../../src/store/attempts.ts'
import { disableForAnswers, updateHealth, warnOfFailing } from '../../src/store/endpoint-health.ts'
import { type Db, type Pool, transaction } from '../../src/store/sql.ts'
import type { Standing } from './standing.ts'

/** Before giving up what was learnt, and leaving it to the next batch to call it unknown. */
const PAUSES_MS = [200, 500, 1_000, 2_000, 4_000]

/** What a batch has learnt since it last wrote anything down. */
export type Learnt = {
  settled: readonly Settled[]
  before: Standing
  after: Standing
  isWarned: boolean
}

/** What became of the endpoint by that. */
export type Effect = 'disabled' | 'warned' | null

/** Writes down what came of attempts and what that says of their endpoint, in one; tried again for some seconds while the database is away. */
export async function persist(
  db: Pool,
  start: EndpointStart,
  learnt: Learnt,
  at: Date,
): Promise<Effect> {
  for (const pause of PAUSES_MS) {
    try {
      return await write(db, start, learnt, at)
    } catch {
      await setTimeout(pause)
    }
  }
  return write(db, start, learnt, at)
}

async function write(db: Pool, start: EndpointStart, learnt: Learnt, at: Date): Promise<Effect> {
  const { settled, before, after } = learnt
  if (!isNews(before, after) && !isDue(learnt, at)) {
    await settleAttempts(db, settled, at)
    return null
  }
  return transaction(db, async (tx) => {
    // The row of the endpoint first, as everybody locks it, and events last.
    await updateHealth(tx, start.endpointId, after.health)
    await settleAttempts(tx, settled, at)
    return judgeEndpoint(tx, start, learnt, at)
  })
}

async function judgeEndpoint(
  tx: Db,
  start: EndpointStart,
  { after, isWarned }: Learnt,
  at: Date,
): Promise<Effect> {
  const failingSince = after.health.failingSince
  const failsFor = failingSince ? at.getTime() - failingSince.getTime() : 0
  if (after.isGone || failsFor >= DISABLED_AFTER_MS) {
    const reason = after.isGone ? 'gone' : 'failing'
    return (await disableForAnswers(tx, start, reason, at)) ? 'disabled' : null
  }
  if (!failingSince || failsFor < WARNED_AFTER_MS || isWarned) return null
  const disabledAt = new Date(failingSince.getTime() + DISABLED_AFTER_MS)
  await warnOfFailing(tx, start, { failingSince, disabledAt, at })
  return 'warned'
}

const isNews = (before: Standing, after: Standing) =>
  after.isGone ||
  before.health.failingSince?.getTime() !== after.health.failingSince?.getTime() ||
  before.health.waitUntil?.getTime() !== after.health.waitUntil?.getTime()

function isDue({ after, isWarned }: Learnt, at: Date): boolean {
  const { failingSince } = after.health
  if (!failingSince) return false
  const failsFor = at.getTime() - failingSince.getTime()
  return failsFor >= DISABLED_AFTER_MS || (!isWarned && failsFor >= WARNED_AFTER_MS)
}
