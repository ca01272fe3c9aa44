import type { OpeningWindow } from './rules.ts'

/** An ISO weekday (1 is Monday) with its hours, local `HH:MM`; a close past `24:00` lies in the night after. */
export type DayHours = { day: number; hours: readonly { open: string; close: string }[] }

const DAYS = [1, 2, 3, 4, 5, 6, 7]

/** The whole week of the windows of several offerings: those of a day that touch are one. */
export const weekOf = (windows: readonly OpeningWindow[]): DayHours[] =>
  DAYS.map((day) => ({ day, hours: joined(windows.filter((window) => window.day === day)) }))

function joined(windows: readonly OpeningWindow[]): DayHours['hours'] {
  const hours: { open: string; close: string }[] = []
  for (const { open, close } of windows.toSorted((a, b) => a.open.localeCompare(b.open))) {
    const last = hours.at(-1)
    if (!last || last.close < open) hours.push({ open, close })
    else if (last.close < close) last.close = close
  }
  return hours
}

/** Days in a row that have the same hours, as `from` and `to`. */
export function spansOf(
  week: readonly DayHours[],
): { from: number; to: number; hours: DayHours['hours'] }[] {
  const spans: { from: number; to: number; hours: DayHours['hours'] }[] = []
  for (const { day, hours } of week) {
    const last = spans.at(-1)
    if (last && JSON.stringify(last.hours) === JSON.stringify(hours)) last.to = day
    else spans.push({ from: day, to: day, hours })
  }
  return spans
}

/** A clock of a window as clocks show it: `26:00` is `02:00`. */
export const clockShown = (clock: string): string =>
  `${String(Number(clock.slice(0, 2)) % 24).padStart(2, '0')}${clock.slice(2)}`
