import saidDays from './said-days.json' with { type: 'json' }

/** Words for days, with their distance in days from the current date at the venue. */
const daysAhead: Readonly<Record<string, number>> = saidDays

/** How many days ahead a word for a day means; undefined for any other text. */
export const daysAheadOf = (text: string): number | undefined =>
  daysAhead[text.trim().toLowerCase().replaceAll(/\s+/g, ' ')]

/** A time as people write it (7pm, 7.30 pm, 19.00, 19:00:00) as `HH:MM`; undefined if unclear. */
export function clockOf(text: string): string | undefined {
  const match = /^(\d{1,2})(?:[:.](\d\d)(?::00(?:\.0+)?)?)?\s*([ap])?\.?(?:m\.?)?$/i.exec(
    text.trim(),
  )
  if (!match) return undefined
  const [, hours = '', minutes = '00', half] = match
  // A number alone could mean morning or evening.
  if (half === undefined && match[2] === undefined) return undefined
  const hour = Number(hours)
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined
  const exact = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return exact < 24 && minutes < '60' ? `${String(exact).padStart(2, '0')}:${minutes}` : undefined
}

const MAX_CHARS = 60
const slotPattern = /^(.*?\S)(?:(?<=\d)\s*T\s*|T(?=\d)|\s+at\s+|\s+jam\s+|,?\s+)(\d.*)$/i
const zonePattern = /\s*(?:(z)|(?:utc|gmt)?\s*([+-])(\d{1,2})(?::?(\d\d))?)(?:\s*\[[^\]]*\])?$/i

/**
 * Normalises a slot time to `YYYY-MM-DDTHH:MM:00`; keeps a word for the day, and an offset as
 * `+08:00`. Returns other texts unchanged, for the schema to reject.
 */
export function plainSlotTime(text: string): string {
  if (text.length > MAX_CHARS) return text
  const [, day = '', rest = ''] = slotPattern.exec(text.trim()) ?? []
  const [zoneText = '', zulu = '', sign, hours = '', minutes = '00'] = zonePattern.exec(rest) ?? []
  const clock = clockOf(rest.slice(0, rest.length - zoneText.length))
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) || daysAheadOf(day) !== undefined
  if (!isDay || !clock) return text
  const zone = sign ? `${sign}${hours.padStart(2, '0')}:${minutes}` : zulu.toUpperCase()
  return `${day.toLowerCase()}T${clock}:00${zone}`
}
