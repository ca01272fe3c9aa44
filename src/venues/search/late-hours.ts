import { sessionsOn } from '../../availability/rules/slots.ts'
import { clockAfter, clockOn, minutesBetween, minutesOf } from '../../base/local-time.ts'
import type { OfferedVenue, Preference } from './preference.ts'

/** Prefers venues that are open late on a local date or, without a date, on any day of the week. */
export function latePreference(
  venues: readonly OfferedVenue[],
  { date, isFixed, until }: { date: string | null; isFixed: boolean; until: number },
): Preference & { said: string } {
  const late = clockAfter(until % (24 * 60))
  const closings = venues.map(({ services }) => closingOf(services, date))
  return {
    fits: closings.map((closing) => closing >= until),
    order: closings.map((closing) => (isFixed ? 0 : -closing)),
    isLimit: true,
    said: `Open until ${late} or later.`,
    unmet: `is open until ${late}: ${isFixed ? 'others are shown' : 'the latest come first'}.`,
  }
}

/** The latest closing time among a venue's windows, in minutes after midnight; 0 if closed. */
function closingOf(services: readonly OfferedVenue['services'][number][], date: string | null) {
  const closings = services.flatMap(({ rules, exceptions, timezone }) =>
    date === null
      ? rules.windows.map(({ close }) => minutesOf(close))
      : sessionsOn({ rules, exceptions, timezone }, date).map(({ closes }) => after(date, closes)),
  )
  return Math.max(0, ...closings)
}

const after = (date: string, local: string) => minutesBetween(clockOn(date, '00:00'), local)
