import type { Booking } from '../../contract/public.ts'

/** What was booked, for people: `Hot stone massage, 90 min, Ayu`. Null before the slot is held. */
export const serviceWords = ({ service }: Pick<Booking, 'service'>): string | null =>
  service && [service.name, `${service.minutes} min`, ...(service.with ?? [])].join(', ')
