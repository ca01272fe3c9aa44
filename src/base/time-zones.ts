const MAX_KNOWN = 1_000
const known = new Map<string, boolean>()

/** Whether a text names a time zone that this process has, as `Asia/Makassar` or `UTC`. */
export function isTimeZone(text: string): boolean {
  const isKnown = known.get(text)
  if (isKnown !== undefined) return isKnown
  const isZone = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(text) && hasFormat(text)
  // Anybody may send any text.
  if (known.size === MAX_KNOWN) known.clear()
  known.set(text, isZone)
  return isZone
}

function hasFormat(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== undefined
  } catch {
    return false
  }
}

/** Every zone by its canonical name, with `UTC` first. */
export const timeZones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')]
