import type { OpeningWindow } from './rules.ts'

/** An ISO weekday (1 is Monday) with its hours; a close past `24:00` is on the next day. */
export type DayHours = { day: number; hours: readonly { open: string; close: string }[] }

const DAYS = [1, 2, 3, 4, 5, 6, 7]

/** The combined opening week of several services, with adjacent or overlapping windows merged. */
export const weekOf = (windows: readonly OpeningWindow[]): DayHours[] =>
  DAYS.map((day) => ({ day, hours: merged(windows.filter((window) => window.day === day)) }))

function merged(windows: readonly OpeningWindow[]): DayHours['hours'] {
  const hours: { open: string; close: string }[] = []
  for (const { open, close } of windows.toSorted((a, b) => a.open.localeCompare(b.open))) {
    const last = hours.at(-1)
    if (!last || last.close < open) hours.push({ open, close })
    else if (last.close < close) last.close = close
  }
  return hours
}

/** Groups consecutive days with the same hours. */
export function spansOf(week: readonly DayHours[]) {
  const spans: { from: number; to: number; hours: DayHours['hours'] }[] = []
  for (const { day, hours } of week) {
    const last = spans.at(-1)
    if (last && JSON.stringify(last.hours) === JSON.stringify(hours)) last.to = day
    else spans.push({ from: day, to: day, hours })
  }
  return spans
}

/** Formats `26:00` as `02:00`. */
export const clockShown = (clock: string): string =>
  `${String(Number(clock.slice(0, 2)) % 24).padStart(2, '0')}${clock.slice(2)}`

const NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** A week in words, as in `Mon-Thu 11:00-22:00, Fri-Sat 11:00-02:00`; null if never open. */
export const hoursInWords = (windows: readonly OpeningWindow[]): string | null =>
  spansOf(weekOf(windows))
    .filter(({ hours }) => hours.length > 0)
    .map(({ from, to, hours }) => {
      const days = [...new Set([from, to])].map((day) => NAMES[day - 1]).join('-')
      const times = hours.map(({ open, close }) => `${clockShown(open)}-${clockShown(close)}`)
      return `${days} ${times.join(' and ')}`
    })
    .join(', ') || null
