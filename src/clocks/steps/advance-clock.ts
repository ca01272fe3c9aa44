import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClockPart } from '../../contract/clock-part.ts'
import type { Engine } from '../../contract/operation.ts'
import { closeMonthsOf } from '../../ledger/steps/close-months.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { expireHeld } from '../../webhooks/sender/upkeep.ts'
import { nextMonth } from '../rules/test-clocks.ts'
import { clearTarget, updateAhead } from '../store/clocks.ts'
import { selectOptionalProgress } from '../store/due.ts'

export type ClockDeps = {
  db: Pool
  engine: Engine
  log: Log
  /** everything that waits for the time of its account */
  clockParts: readonly ClockPart[]
}

export type AdvanceDeps = ClockDeps & {
  /** held deliveries expire after this many days */
  heldDays: number
}

/** Something that takes longer than this at one stop is left behind. */
const PATIENCE_MS = 60_000
const LOOK_EVERY_MS = 25
/** A signal that came too early, or was lost, is repeated after so many looks. */
const TELL_EVERY = 40

/**
 * Moves a clock to its target, stop by stop through everything that is due on the way, so that all
 * happens in the order of time. Its row says where it is and where it goes: after a crash another
 * call continues.
 */
export async function advanceClock(
  deps: AdvanceDeps,
  accountId: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, heldDays } = deps
  let { target, hangs } = await settle(deps, accountId, signal, false)
  while (target) {
    const progress = await selectOptionalProgress(db, deps.clockParts, accountId)
    if (!progress) return
    const now = new Date(Date.now() + progress.ahead_ms)
    if (now >= target) break
    const monthEnds = nextMonth(now)
    const stop = earliest(target, monthEnds, hangs ? null : progress.due)
    await updateAhead(db, accountId, stop.getTime() - Date.now())
    ;({ target, hangs } = await settle(deps, accountId, signal, true))
    if (stop < monthEnds) continue
    const invoices = await closeMonthsOf(db, accountId, stop)
    if (invoices > 0) ({ target, hangs } = await settle(deps, accountId, signal, true))
  }
  if (!target) return
  // Another call may have ended between a move and this.
  await closeMonthsOf(db, accountId, target)
  await expireHeld(deps, heldDays, target, accountId)
  // Whatever comes next to the others finds them with the right time.
  await tell(deps, accountId, null)
  await settle(deps, accountId, signal, false)
  await clearTarget(db, accountId, target)
}

const earliest = (target: Date, ...others: (Date | null)[]): Date =>
  new Date(Math.min(target.getTime(), ...others.flatMap((other) => other?.getTime() ?? [])))

type Settled = { target: Date | null; hangs: boolean }

/**
 * Waits until nothing is due by what the clock shows, or until it must move on without what
 * `hangs`; returns its target.
 */
async function settle(
  deps: ClockDeps,
  accountId: string,
  signal: AbortSignal,
  hasMoved: boolean,
): Promise<Settled> {
  const end = performance.now() + PATIENCE_MS
  for (let look = hasMoved ? 0 : 1; ; look += 1) {
    const progress = await selectOptionalProgress(deps.db, deps.clockParts, accountId)
    if (!progress) return { target: null, hangs: false }
    const { due, advancing_to: target } = progress
    const now = new Date(Date.now() + progress.ahead_ms)
    if (due === null || due > now) return { target, hangs: false }
    if (performance.now() > end) {
      deps.log.warn({ account_id: accountId, due }, 'a test clock has left something behind')
      return { target, hangs: true }
    }
    if (look % TELL_EVERY === 0) await tell(deps, accountId, now)
    await sleep(LOOK_EVERY_MS, undefined, { signal })
  }
}

const tell = ({ clockParts, ...on }: ClockDeps, accountId: string, until: Date | null) =>
  Promise.all(clockParts.map((part) => part.tell(on, accountId, { until, id: randomUUID() })))
