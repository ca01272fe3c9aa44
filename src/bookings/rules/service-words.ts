import type { Booking } from '../../contract/public.ts'

/**
 * What was booked, for people: `Hot stone massage, 90 min, Ayu`. Null if its venue has not said
 * what kind of service it is, as for plain tables.
 */
export function serviceWords({ service }: Pick<Booking, 'service'>): string | null {
  if (!service?.kind) return null
  return [service.name, `${service.minutes} min`, ...(service.with ?? [])].join(', ')
}
