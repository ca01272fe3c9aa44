const FIRST_MINUTE = 6 * 60
const LAST_MINUTE = 23 * 60 + 45
const STEP_MINUTES = 15

/** Largest party the venue seats. */
export const PARTY_MAX = 12

const two = (number: number) => String(number).padStart(2, '0')

/** Start times in minutes of the local day: every 15 minutes from 06:00 to 23:45. */
export const slotMinutes = Array.from(
  { length: (LAST_MINUTE - FIRST_MINUTE) / STEP_MINUTES + 1 },
  (_, index) => FIRST_MINUTE + index * STEP_MINUTES,
)

const clocks = new Set(slotMinutes.map(clockOf))

/** Time of day in wire format. */
export function clockOf(minute: number): string {
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}:00`
}

/** Whether a booking can start at this local time. */
export const isSlotTime = (slotTime: string): boolean => clocks.has(slotTime.slice(11))

/** The dates from the first to the last, both included. */
export function datesBetween(from: string, to: string): string[] {
  const dates: string[] = []
  for (let day = Date.parse(from); day <= Date.parse(to); day += 86_400_000)
    dates.push(new Date(day).toISOString().slice(0, 10))
  return dates
}

/** The local time in this zone, written like a slot_time. */
export function localNow(timezone: string, now: Date): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  return format.format(now).replace(' ', 'T')
}
