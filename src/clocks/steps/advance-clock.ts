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
  /** everything that waits for its account's clock */
  clockParts: readonly ClockPart<ClockEngine>[]
}

export type AdvanceDeps = ClockDeps & {
  /** held deliveries expire after this many days */
  heldDays: number
}

type Turn = {
  /** waits for late work instead of leaving it behind */
  isPatient: boolean
  signal: AbortSignal
}

/** After this long, a turn moves no further, so that other clocks get their turns. */
const TURN_MS = 2_000
/** Due work counts as late after this long; the workflow handles longer waits. */
const QUICK_MS = 500
const LOOK_EVERY_MS = 25

/**
 * Moves a clock towards its target for a turn, stopping at everything due on the way, in order of
 * time. Its row holds its position and target, so the next turn continues from there, even after a
 * crash.
 */
export async function advanceClock(
  deps: AdvanceDeps,
  accountId: string,
  { isPatient, signal }: Turn,
): Promise<Reached> {
  const { db, log } = deps
  const end = performance.now() + TURN_MS
  let state: 'waiting' | 'moving' = 'waiting'
  // An earlier turn may have ended between a move and this point.
  let mayEndMonth = true
  const look = () => settle(deps, accountId, signal)
  for (let progress = await look(); progress; progress = await look()) {
    const { target, now, due, isLate } = progress
    if (isLate && isPatient) return state
    if (isLate) log.warn({ account_id: accountId, due }, 'a test clock has left something behind')
    if (mayEndMonth && (await closeMonthsOf(db, accountId, now)) > 0) continue
    if (now >= target) return arrive(deps, accountId, target, { isPatient, signal })
    if (state === 'moving' && performance.now() > end) return state
    const { stop, monthEnds } = nextStop(progress)
    await updateAhead(db, accountId, stop.getTime() - Date.now())
    state = 'moving'
    mayEndMonth = stop >= monthEnds
  }
  return 'ready'
}

type Progress = { target: Date; now: Date; due: Date | null; isLate: boolean }

/** The target, or an earlier stop: the end of the month, or work that is due but not late. */
function nextStop({ target, now, due, isLate }: Progress) {
  const monthEnds = nextMonth(now)
  const stops = due && !isLate ? [target, monthEnds, due] : [target, monthEnds]
  return { stop: new Date(Math.min(...stops.map((stop) => stop.getTime()))), monthEnds }
}

/** Ends the move once every workflow has been sent the final time. */
async function arrive(
  deps: AdvanceDeps,
  accountId: string,
  target: Date,
  { isPatient, signal }: Turn,
): Promise<Reached> {
  await expireHeld(deps, deps.heldDays, target, accountId)
  await tell(deps, accountId, null)
  const progress = await settle(deps, accountId, signal)
  if (progress?.isLate && isPatient) return 'waiting'
  await clearTarget(deps.db, accountId, target)
  return 'ready'
}

/** Waits briefly until nothing is due on the clock; undefined if the clock has no target. */
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
    // Signals once per turn, because an earlier signal may have come too early or been lost.
    if (looks === 0) await tell(deps, accountId, now)
    await sleep(LOOK_EVERY_MS, undefined, { signal })
  }
}

const tell = ({ clockParts, ...on }: ClockDeps, accountId: string, until: Date | null) =>
  Promise.all(clockParts.map((part) => part.tell(on, accountId, { until, id: randomUUID() })))
