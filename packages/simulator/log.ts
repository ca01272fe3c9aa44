export type LogLine = {
  at: string
  type: string
  venue_id?: string
  booking_id?: string
  revision?: number | null
  answered: string
  script?: unknown
}

/** One log line per message; it has no field for guest details. */
export type Log = (line: LogLine) => void

/** One line of text that ends with the applied script as JSON. */
export function logText({ at, type, venue_id, booking_id, revision, answered, script }: LogLine) {
  const subject = [
    venue_id && `venue=${JSON.stringify(venue_id)}`,
    booking_id && `booking=${JSON.stringify(booking_id)}`,
    revision !== undefined && revision !== null && `revision=${revision}`,
  ]
  const applied = script === undefined ? '' : ` script=${JSON.stringify(script)}`
  return `${[at, type, ...subject].filter(Boolean).join(' ')} → ${answered}${applied}`
}
