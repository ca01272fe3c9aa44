import type { AnsweredVenue } from './grade.ts'

/** A local date, and minutes after its midnight. */
export type Slot = { day: string; minutes: number }

/** Minutes after midnight; more than a day's are in the night that follows. */
export type Window = { from?: number | undefined; to?: number | undefined }

const DAY_MINUTES = 24 * 60
/** Until this hour, a time can belong to the night before. */
const NIGHT_MINUTES = 5 * 60

/**
 * The slots of each venue's first day, which are offered as what was asked for, if no note says
 * otherwise. Those of later days come after them, under their own date.
 */
export const offered = (venues: readonly AnsweredVenue[]): Slot[][] =>
  venues.flatMap(({ slots, note }) => {
    const all = note === null ? slots.map(slotOf) : []
    const first = all.filter(({ day }) => day === all[0]?.day)
    return first.length > 0 ? [first] : []
  })

const slotOf = (local: string): Slot => ({
  day: local.slice(0, 10),
  minutes: minutesOf(local.slice(11)),
})

/** Minutes after midnight of a time as in 19:30. */
export const minutesOf = (clock: string): number =>
  Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** A time as in 19:30. */
export const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

export const isNight = (minutes: number): boolean => minutes < NIGHT_MINUTES

/** Whether a time lies in a window, with its bounds; the night can belong to the day before. */
export const isWithin = (minutes: number, { from = 0, to = 2 * DAY_MINUTES }: Window): boolean =>
  [minutes, ...(isNight(minutes) ? [minutes + DAY_MINUTES] : [])].some(
    (one) => from <= one && one <= to,
  )
