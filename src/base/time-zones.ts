const MAX_KNOWN = 1_000
const validity = new Map<string, boolean>()

/** Whether this process recognises a text as a time zone, such as `Asia/Makassar` or `UTC`. */
export function isTimeZone(text: string): boolean {
  const isKnown = validity.get(text)
  if (isKnown !== undefined) return isKnown
  const isZone = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(text) && hasFormat(text)
  // Bounded, because callers can send any text.
  if (validity.size === MAX_KNOWN) validity.clear()
  validity.set(text, isZone)
  return isZone
}

function hasFormat(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== undefined
  } catch {
    return false
  }
}
