import type { OpeningWindow } from '../../availability/rules/rules.ts'

const names = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']

/** Weekly windows in OpenStreetMap's `opening_hours` syntax, days with the same hours together; `off` when there are none. */
export function hoursText(windows: readonly OpeningWindow[]): string {
  const runs: { from: number; to: number; times: string }[] = []
  for (let day = 1; day <= 7; day++) {
    const times = windows
      .filter((window) => window.day === day)
      .map(({ open, close }) => `${open}-${close}`)
      .join(',')
    const last = runs.at(-1)
    if (last?.times === times && last.to === day - 1) last.to = day
    else if (times !== '') runs.push({ from: day, to: day, times })
  }
  const days = (from: number, to: number) => names.slice(from - 1, to)
  const range = (from: number, to: number) =>
    from === to ? names[from - 1] : `${days(from, to)[0]}-${days(from, to).at(-1)}`
  const rules = runs.map(({ from, to, times }) => `${range(from, to)} ${times}`)
  // After a semicolon the rule of a day also takes back what the night before reaches into it.
  const isLate = windows.some(({ close }) => close > '24:00')
  return rules.join(isLate ? ', ' : '; ') || 'off'
}
