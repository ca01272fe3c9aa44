import type { Pool } from '../../platform/database/sql.ts'
import { DELIVER_SIGNAL } from '../rules/webhooks.ts'
import { expireHeldSince, selectWaitingEndpoints } from '../store/waiting-endpoints.ts'
import type { WebhookEngine } from '../webhook-engine.ts'

const DAY_MS = 24 * 3_600_000
/** Longer than a workflow that lives is ever late. */
const WAITED_MS = 15_000
const PAGE = 200
const STEP = 1_000

/**
 * The guarantee behind every delivery: endpoints with something that has been due for 15 s are told again, and have their workflow started
 * where it was lost. Answers how many.
 */
export async function wakeWaitingEndpoints(
  db: Pool,
  engine: WebhookEngine,
  at: Date,
): Promise<number> {
  const before = new Date(at.getTime() - WAITED_MS)
  let woken = 0
  for (let after: string | null = null; ; ) {
    const page = await selectWaitingEndpoints(db, { before, after, limit: PAGE })
    await Promise.all(page.map((start) => engine.signalEndpoint(start, { name: DELIVER_SIGNAL })))
    woken += page.length
    after = page.at(-1)?.endpointId ?? null
    if (page.length < PAGE) return woken
  }
}

/** Ends what endpoints have held for `days`, in small steps; answers how many deliveries that were. */
export async function expireHeld(db: Pool, days: number, at: Date): Promise<number> {
  const before = new Date(at.getTime() - days * DAY_MS)
  for (let expired = 0; ; ) {
    const step = await expireHeldSince(db, { before, at, limit: STEP })
    expired += step
    if (step < STEP) return expired
  }
}
