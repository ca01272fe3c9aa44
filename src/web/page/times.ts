import months from './months.json' with { type: 'json' }

/** A local date in words, without its year: `24 Nov`. */
export const dayText = (date: string): string =>
  `${Number(date.slice(8, 10))} ${nameOf(date.slice(5, 7)).slice(0, 3)}`

/** A local date in words: `24 Nov 2026`. */
export const dateText = (date: string): string => `${dayText(date)} ${date.slice(0, 4)}`

/** A local time to the minute: `24 Nov 2026, 19:42`. */
export const localText = (local: string): string => `${dateText(local)}, ${local.slice(11, 16)}`

/** A month in words: `2026-11` becomes `November 2026`. */
export function monthText(month: string): string {
  const [year, number = ''] = month.split('-')
  return `${nameOf(number)} ${year}`
}

const nameOf = (month: string): string => months[Number(month) - 1] ?? month

/** A duration in words: `12 ms`, `1.1 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1) return '< 1 ms'
  if (ms < 999.5) return `${Math.round(ms)} ms`
  const tenths = Math.round(ms / 100)
  if (tenths < 600) return `${tenths / 10} s`
  const seconds = Math.round(ms / 1000)
  const rest = seconds % 60
  return `${Math.floor(seconds / 60)} min${rest > 0 ? ` ${rest} s` : ''}`
}
