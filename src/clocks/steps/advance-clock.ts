import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClockPart } from '../../contract/clock-part.ts'
import { closeMonthsOf } from '../../ledger/steps/close-months.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { expireHeld } from '../../webhooks/sender/upkeep.ts'
import type { ClockEngine } from '../engine.ts'
import { nextMonth } from '../rules/test-clocks.ts'
import type { Reached } from '../rules/turns.ts'
import { clearTarget, updateAhead } from '../store/clocks.ts'
import { selectOptionalProgress } from '../store/due.ts'

export type ClockDeps = {
  db: Pool
  engine: ClockEngine
  log: Log
  /** everything that waits for the time of its account */
  clockParts: readonly ClockPart<ClockEngine>[]
}

export type AdvanceDeps = ClockDeps & {
  /** held deliveries expire after this many days */
  heldDays: number
}

type Turn = {
  /** waits for what is late, instead of leaving it behind */
  isPatient: boolean
  signal: AbortSignal
}

/** A turn moves no further after this, so that others get theirs. */
const TURN_MS = 2_000
/** What is due is late when it is not done by then; who waits longer waits in the workflow. */
const QUICK_MS = 500
const LOOK_EVERY_MS = 25

/**
 * Moves a clock towards its target for a turn, stop by stop through everything that is due on the
 * way, so that all happens in the order of time. Its row says where it is and where it goes: the
 * next turn continues, also after a crash.
 */
export async function advanceClock(
  deps: AdvanceDeps,
  accountId: string,
  { isPatient, signal }: Turn,
): Promise<Reached> {
  const { db, log } = deps
  const end = performance.now() + TURN_MS
  let reached: 'waiting' | 'moving' = 'waiting'
  // An earlier turn may have ended between a move and this.
  let mayEndMonth = true
  const look = () => settle(deps, accountId, signal)
  for (let found = await look(); found; found = await look()) {
    const { target, now, due, isLate } = found
    if (isLate && isPatient) return reached
    if (isLate) log.warn({ account_id: accountId, due }, 'a test clock has left something behind')
    if (mayEndMonth && (await closeMonthsOf(db, accountId, now)) > 0) continue
    if (now >= target) return arrive(deps, accountId, target, { isPatient, signal })
    if (reached === 'moving' && performance.now() > end) return reached
    const { stop, monthEnds } = nextStop(found)
    await updateAhead(db, accountId, stop.getTime() - Date.now())
    reached = 'moving'
    mayEndMonth = stop >= monthEnds
  }
  return 'ready'
}

type Progress = { target: Date; now: Date; due: Date | null; isLate: boolean }

/** The target, or what comes before it: the end of the month, or what is due and not yet late. */
function nextStop({ target, now, due, isLate }: Progress) {
  const monthEnds = nextMonth(now)
  const stops = due && !isLate ? [target, monthEnds, due] : [target, monthEnds]
  return { stop: new Date(Math.min(...stops.map((stop) => stop.getTime()))), monthEnds }
}

/** Ends the way, once whatever comes next to the others finds them with the right time. */
async function arrive(
  deps: AdvanceDeps,
  accountId: string,
  target: Date,
  { isPatient, signal }: Turn,
): Promise<Reached> {
  await expireHeld(deps, deps.heldDays, target, accountId)
  await tell(deps, accountId, null)
  const found = await settle(deps, accountId, signal)
  if (found?.isLate && isPatient) return 'waiting'
  await clearTarget(deps.db, accountId, target)
  return 'ready'
}

/** Waits a moment until nothing is due by what the clock shows; undefined when it has no target. */
async function settle(
  deps: ClockDeps,
  accountId: string,
  signal: AbortSignal,
): Promise<Progress | undefined> {
  const end = performance.now() + QUICK_MS
  for (let looks = 0; ; looks += 1) {
    const progress = await selectOptionalProgress(deps.db, deps.clockParts, accountId)
    if (!progress?.advancing_to) return undefined
    const { due, advancing_to: target } = progress
    const now = new Date(Date.now() + progress.ahead_ms)
    const isLate = due !== null && due <= now
    if (!isLate || performance.now() > end) return { target, now, due, isLate }
    // Once a turn, since a signal may have come too early, or be lost.
    if (looks === 0) await tell(deps, accountId, now)
    await sleep(LOOK_EVERY_MS, undefined, { signal })
  }
}

const tell = ({ clockParts, ...on }: ClockDeps, accountId: string, until: Date | null) =>
  Promise.all(clockParts.map((part) => part.tell(on, accountId, { until, id: randomUUID() })))
