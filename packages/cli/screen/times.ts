/** A local time of a venue with its weekday, as in `Tue 2026-11-24 19:00`. */
export function localSlot(slotTime: string): string {
  const [date = '', time = ''] = slotTime.split('T')
  return `${weekdayOf(date)} ${date} ${time.slice(0, 5)}`
}

/** A deadline in the venue's time: `Tue 2026-11-24 19:00 +08:00`, from its `…_local` field. */
export const localDeadline = (local: string): string =>
  `${localSlot(local)} ${local.slice(19).split(' ')[0]}`

/** A date with its weekday, as in `Tue 2026-11-24`. */
export const localDay = (date: string): string => `${weekdayOf(date)} ${date}`

export const timeOf = (slotTime: string): string => slotTime.slice(11, 16)

/**
 * An instant in the reader's time zone: `2026-11-24 19:00 GMT+8`. Anything else is returned
 * unchanged.
 */
export function instant(text: string, zone: string): string {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) return text
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).formatToParts(at)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  const date = `${part('year')}-${part('month')}-${part('day')}`
  return `${date} ${part('hour')}:${part('minute')} ${part('timeZoneName')}`
}

function weekdayOf(date: string): string {
  const day = new Date(`${date}T00:00:00Z`)
  return Number.isNaN(day.getTime())
    ? ''
    : new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' }).format(day)
}
