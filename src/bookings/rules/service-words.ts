import { fillText } from '../../base/fill-text.ts'
import type { Booking } from '../../contract/public.ts'

const english = { locale: 'en', minutes: '{minutes} min', with: 'with {names}' }

/**
 * What was booked, for people: `Hot stone massage, 90 min, with Ayu and Made`. Null before the slot
 * is held.
 */
export function serviceWords(
  { service }: Pick<Booking, 'service'>,
  words: typeof english = english,
): string | null {
  if (!service) return null
  const { name, session = [], minutes, with: people = [] } = service
  const names = new Intl.ListFormat(words.locale).format(people)
  const led = names === '' ? [] : fillText(words.with, { names })
  return [name, session, fillText(words.minutes, { minutes }), led].flat().join(', ')
}
