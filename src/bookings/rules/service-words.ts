import { texts, type Words, wordsOf } from '../../base/languages.ts'
import type { Booking } from '../../contract/public.ts'

const isPlain = (name: string): name is keyof typeof texts.en.plain =>
  Object.hasOwn(texts.en.plain, name)

/** What was booked: `Hot stone massage, 90 min, with Ayu and Made`; null until a slot is held. */
export function serviceWords(
  { service }: Pick<Booking, 'service'>,
  words: Words = wordsOf('en'),
): string | null {
  if (!service) return null
  const { name, session = [], minutes, with: people = [] } = service
  const names = new Intl.ListFormat(words.locale).format(people)
  const led = names === '' ? [] : words.say('with', { names })
  // a service that its venue has not named
  const what = isPlain(name) ? words.say(`plain.${name}`) : name
  return [what, session, words.say('minutes', { minutes: String(minutes) }), led].flat().join(', ')
}
