import { IntlMessageFormat } from 'intl-messageformat'
import { expect, test } from 'vitest'
import { languages, namedTexts, texts, wordsOf } from '../../src/base/languages.ts'
import { priceWords } from '../../src/bookings/rules/price-words.ts'

type Element = ReturnType<IntlMessageFormat['getAst']>[number]

/** The values that a message needs, with how each is formatted. */
function valuesOf(elements: readonly Element[]): string[] {
  return elements.flatMap((one) => {
    if (!('value' in one) || one.type === 0) return []
    const parts = 'options' in one ? Object.values(one.options) : []
    const style = 'style' in one && one.type === 3 ? 'date' : ''
    return [`${one.value}${style}`, ...parts.flatMap(({ value }) => valuesOf(value))]
  })
}
const shapeOf = (language: keyof typeof texts) =>
  Object.fromEntries(
    namedTexts(texts[language]).map(([name, text]) => {
      const message = new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true })
      return [name, [...new Set(valuesOf(message.getAst()))].sort()]
    }),
  )

test.each(languages)('%s has every text, with the values of the English one', (language) => {
  expect(shapeOf(language)).toEqual(shapeOf('en'))
  const empty = namedTexts(texts[language]).filter(([, text]) => text.trim() === '')
  expect(empty).toEqual([])
})

test('counts and dates follow the rules of each language', () => {
  const at = new Date('2026-12-05T19:00:00Z')
  const time = (language: keyof typeof texts) => wordsOf(language).say('time', { at })
  expect(time('en')).toBe('Sat 5 December, 19:00')
  expect(time('id')).toBe('Sab, 5 Desember, 19.00')
  const guests = (count: number) => wordsOf('en').say('party', { guests: count })
  expect([1, 2, 5].map(guests)).toEqual(['1 guest', '2 guests', '5 guests'])
  const inRussian = (count: number) => wordsOf('ru').say('party', { guests: count })
  expect([1, 2, 5, 21].map(inRussian)).toEqual(['1 гость', '2 гостя', '5 гостей', '21 гость'])
  expect(time('ru')).toBe('сб, 5 декабря, 19:00')
  expect(() => wordsOf('en').say('reason')).toThrow()
})

test('a price says what all guests pay together', () => {
  const price = { amount_minor: 45_000, up_to_minor: 60_000, currency: 'THB', text: '' } as const
  expect(priceWords({ ...price, per: 'guest', taxes: 'excluded' }, 2)).toBe(
    'THB 450 to THB 600 per guest, THB 900 to THB 1,200 for 2 guests, plus tax and service (++)',
  )
})
