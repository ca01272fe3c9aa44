import { clockShown, type DayHours, spansOf } from '../../availability/rules/opening-week.ts'
import { counted } from '../../base/counted.ts'
import { weekdayOf, weekdays } from '../../base/local-time.ts'
import type { Category, ConfirmMode } from '../../base/venue-kinds.ts'
import type { Slot } from '../../contract/public.ts'
import type { PublicVenue } from '../../venues/operations/public-venue.ts'
import { html } from '../page/html.ts'
import { dayText } from '../page/times.ts'

const regions = new Intl.DisplayNames('en', { type: 'region' })

export const categoryWords: Record<Category, string> = {
  restaurant: 'Restaurant',
  bar: 'Bar',
  gym: 'Gym',
  spa: 'Spa',
}

/** Who confirms a booking and how soon, for each confirmation mode. */
export const confirmWords: Record<ConfirmMode, string> = {
  auto: 'Confirmed instantly.',
  http: 'Confirmed by the venue’s system, usually within seconds. The slot is held meanwhile.',
  request: 'Confirmed by a person at the venue, with a deadline. The slot is held meanwhile.',
}

export const dayName = (day: number): string => weekdays[day] ?? ''

/** A local date, such as `Thu 24 Dec`. */
export const dateWords = (date: string): string =>
  `${dayName(weekdayOf(date)).slice(0, 3)} ${dayText(date)}`

export const countryName = (code: string): string => regions.of(code) ?? code

/** A price level from 1 to 4, such as `$$`. */
export const priceMark = (level: number): string => '$'.repeat(level)
export const priceMarkdown = (level: number): string => '\\$'.repeat(level)
export const priceHtml = (level: number) =>
  html`<abbr title="price level ${level} of 4">${priceMark(level)}</abbr>`

/** `11:00–15:00, 18:00–02:00`, or `closed`. */
export const hoursWords = (hours: DayHours['hours']): string =>
  hours.map(({ open, close }) => `${clockShown(open)}–${clockShown(close)}`).join(', ') || 'closed'

/** The opening hours of a week, with days that have the same hours on one line. */
export const weekWords = (week: readonly DayHours[]): { days: string; hours: string }[] =>
  spansOf(week).map(({ from, to, hours }) => ({
    days: from === to ? dayName(from) : `${dayName(from)}–${dayName(to)}`,
    hours: hoursWords(hours),
  }))

/** The opening hours of a week; none if they are only those of sessions. */
export const openRows = ({ hours, sessions }: Pick<PublicVenue, 'hours' | 'sessions'>) =>
  sessions.length > 0 && hours.every((day) => day.hours.length === 0) ? [] : weekWords(hours)

/** Sessions of classes, as in `Mon 8 Mar, 07:00`, `Vinyasa`, `with Putri`. */
export const sessionRows = ({ sessions }: Pick<PublicVenue, 'sessions'>) =>
  sessions.map(({ date, start, name, with: leader, cancelled }) => {
    const who = cancelled === undefined ? leader && `with ${leader}` : `cancelled: ${cancelled}`
    return [`${dateWords(date)}, ${start}`, name, who ?? ''] as const
  })

/** A venue's area and city, once if they are the same. */
export const areaWords = ({ area, city }: { area: string; city: string }): string[] => [
  ...new Set([area, city]),
]

/** How many places a slot has left, in words. */
export function slotWords({ status, places_left }: Slot): string {
  if (status === 'unavailable') return 'taken'
  if (status === 'closed') return 'closed'
  if (places_left === null) return 'on request'
  return status === 'limited' ? `${places_left} left` : 'free'
}

/** What is shown after a slot's time: nothing while there is plenty of room. */
export const chipWords = (slot: Slot): string =>
  slot.status === 'available' && slot.places_left !== null ? '' : slotWords(slot)

/** Minutes in the largest unit that divides them evenly. */
export function spanWords(minutes: number): string {
  if (minutes % 1440 === 0 && minutes > 0) return counted(minutes / 1440, 'day')
  return minutes % 60 === 0 ? counted(minutes / 60, 'hour') : counted(minutes, 'minute')
}
