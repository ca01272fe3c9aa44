import { DAY_MS, SECOND_MS } from '../../contract/rules/durations.ts'
import type { Pool } from '../../platform/database/sql.ts'
import { DELIVER_SIGNAL } from '../rules/endpoint-messages.ts'
import { expireHeldSince, selectWaitingEndpoints } from '../store/waiting-endpoints.ts'
import type { WebhookEngine } from '../webhook-engine.ts'

/** Longer than a running workflow is ever late. */
const OVERDUE_MS = 15 * SECOND_MS
const PAGE = 200
const STEP = 1_000

/** The guarantee behind every delivery: signals endpoints with work over 15 s late. */
export async function wakeWaitingEndpoints(
  db: Pool,
  engine: WebhookEngine,
  at: Date,
): Promise<number> {
  const before = new Date(at.getTime() - OVERDUE_MS)
  let woken = 0
  for (let after: string | null = null; ; ) {
    const page = await selectWaitingEndpoints(db, before, { after, limit: PAGE })
    await Promise.all(page.map((start) => engine.signalEndpoint(start, { name: DELIVER_SIGNAL })))
    woken += page.length
    after = page.at(-1)?.endpointId ?? null
    if (page.length < PAGE) return woken
  }
}

/** Expires deliveries that endpoints have held for `days`; returns how many. */
export async function expireHeld(db: Pool, days: number, at: Date): Promise<number> {
  const before = new Date(at.getTime() - days * DAY_MS)
  for (let expired = 0; ; ) {
    const step = await expireHeldSince(db, before, at, STEP)
    expired += step
    if (step < STEP) return expired
  }
}
