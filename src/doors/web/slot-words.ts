const partsOf = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
  return (localTime: string): string =>
    format.format(new Date(`${localTime.slice(0, 16)}Z`)).replace(' at ', ', ')
}
const clock = { hour: '2-digit', minute: '2-digit' } as const
const day = { day: 'numeric', month: 'short' } as const

/** A local time at a venue: `25 Nov 2026, 17:00`. */
export const slotWords = partsOf({ ...day, year: 'numeric', ...clock })

/** The same where the year is plain: `25 Nov, 17:00`. */
export const shortSlotWords = partsOf({ ...day, ...clock })
