import { z } from 'zod'

export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'expected 1 to 255 printable ASCII characters, no spaces')
  .describe('Repeat it to get the same answer instead of doing it twice')
export const wait = z
  .int()
  .min(0)
  .max(60)
  .default(10)
  .describe('Seconds to wait for the final answer before answering `pending`')
export const replayed = z
  .boolean()
  .meta({ id: 'Replayed', description: 'This is the stored answer to an earlier request' })
export const next = z
  .string()
  .meta({ id: 'NextStep', description: 'What to do while the answer is pending' })
export const retryAfter = z.int().meta({
  id: 'RetryAfter',
  description: 'Seconds after which it is worth checking again while the answer is pending',
})

/** Text of 1 to `max` characters that PostgreSQL can store and RFC 8785 leaves unchanged. */
export const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), {
      error: 'expected text without U+0000 and unpaired surrogates',
    })

/** Letters that fonts display as blanks: Hangul fillers and the empty Braille pattern. */
const blank = '(?![\\u115f\\u1160\\u2800\\u3164\\uffa0])'
const visible = new RegExp(`${blank}[\\p{L}\\p{N}\\p{P}\\p{S}]`, 'u')
const readable = new RegExp(`${blank}[\\p{L}\\p{N}]`, 'u')

/** Text that contains something visible, not only blanks, marks and invisible letters. */
export const visibleText = (max: number) =>
  text(max).refine(
    (value) => value === '' || visible.test(value),
    'expected a text that can be seen',
  )

/** The name of a guest: a text with a letter or digit. */
export const guestName = text(200).refine(
  (value) => value === '' || readable.test(value),
  'expected the name of the guest',
)

export const givenCurrency = z.string().regex(/^[A-Z]{3}$/, 'expected an ISO 4217 code as in IDR')

/** A calendar month in UTC: YYYY-MM. */
export const givenMonth = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'expected YYYY-MM')

/** The first instants of a month and of the next one, in UTC. */
export function spanOf(month: string): { from: Date; until: Date } {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return { from: new Date(Date.UTC(year, number - 1)), until: new Date(Date.UTC(year, number)) }
}

const YEAR_ONE = Date.parse('0001-01-01T00:00:00Z')
/** An instant in a request. PostgreSQL has no year 0. */
export const givenInstant = z.iso
  .datetime({ abort: true })
  .refine((text) => Date.parse(text) >= YEAR_ONE, 'expected an instant of year 1 or later')
