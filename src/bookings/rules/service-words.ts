import type { Booking } from '../../contract/public.ts'

/** What was booked, for people: `Hot stone massage, 90 min, Ayu`. Null before the slot is held. */
export function serviceWords({ service }: Pick<Booking, 'service'>): string | null {
  if (!service) return null
  const { name, session = [], minutes, with: people = [] } = service
  return [name, session, `${minutes} min`, people].flat().join(', ')
}
