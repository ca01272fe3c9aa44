import { fillText } from '../../base/fill-text.ts'
import type { Booking } from '../../contract/public.ts'

/** What to call a service that its venue has not named. */
const plain = { Tables: 'Table', Places: 'Visit', Treatments: 'Treatment' }
const english = { locale: 'en', minutes: '{minutes} min', with: 'with {names}', plain }

/** What was booked: `Hot stone massage, 90 min, with Ayu and Made`; null until a slot is held. */
export function serviceWords(
  { service }: Pick<Booking, 'service'>,
  words: typeof english = english,
): string | null {
  if (!service) return null
  const { name, session = [], minutes, with: people = [] } = service
  const names = new Intl.ListFormat(words.locale).format(people)
  const led = names === '' ? [] : fillText(words.with, { names })
  const what = new Map(Object.entries(words.plain)).get(name) ?? name
  return [what, session, fillText(words.minutes, { minutes }), led].flat().join(', ')
}
