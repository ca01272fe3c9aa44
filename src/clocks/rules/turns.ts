import { MINUTE_MS, SECOND_MS } from '../../base/durations.ts'

/** How far a turn got: to the target, part of the way, or nowhere. `busy`: it got no turn. */
export type Reached = 'ready' | 'moving' | 'waiting' | 'busy'

/** A clock's next pause, and its total wait for late work at this stop and on this move. */
export type Wait = { pauseMs: number; atStopMs: number; onWayMs: number }

/** A waiting clock checks less and less often. */
const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 30 * SECOND_MS
/** Work that is late for longer than this is left behind. */
const STOP_TIMEOUT_MS = MINUTE_MS
const WAY_TIMEOUT_MS = 5 * MINUTE_MS

export const noWait: Wait = { pauseMs: FIRST_PAUSE_MS, atStopMs: 0, onWayMs: 0 }

/** Whether a clock still waits for late work. */
export const isPatient = ({ atStopMs, onWayMs }: Wait): boolean =>
  atStopMs < STOP_TIMEOUT_MS && onWayMs < WAY_TIMEOUT_MS

/** A clock's waits after a turn and the pause that followed it. */
export function afterTurn(reached: Reached, { pauseMs, atStopMs, onWayMs }: Wait): Wait {
  if (reached === 'ready') return noWait
  if (reached === 'moving') return { ...noWait, onWayMs }
  const lateMs = reached === 'waiting' ? pauseMs : 0
  return {
    pauseMs: Math.min(pauseMs * 2, MAX_PAUSE_MS),
    atStopMs: atStopMs + lateMs,
    onWayMs: onWayMs + lateMs,
  }
}
