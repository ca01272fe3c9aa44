import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { weekOf } from '../../src/availability/rules/opening-week.ts'
import { money } from '../../src/base/money.ts'
import { preferred } from '../../src/doors/http/send-document.ts'
import { plain, renderMarkdown } from '../../src/web/site/markdown.ts'
import { hoursWords, spanWords, weekWords } from '../../src/web/site/venue-text.ts'

describe('a document', () => {
  test('shows HTML as text and never links to a script', () => {
    const { body } = renderMarkdown('# A\n\n<img src=x onerror=alert(1)> [x](javascript:alert(1))')
    expect(body.markup).not.toContain('<img')
    expect(body.markup).not.toContain('href="javascript')
  })

  test('has the same heading anchors as a rendered file', () => {
    const { headings, title } = renderMarkdown('# The `x` of *y*\n\n## Same\n\n## Same\n\n## a.b_c')
    expect(title).toBe('The x of y')
    expect(headings.map(({ anchor }) => anchor)).toEqual(['the-x-of-y', 'same', 'same-1', 'ab_c'])
  })

  test.each(['<script>', '[a](b)', '# a', '*a*', '`a`', '- a', '![a](b)', '| a |', 'a\n# b'])(
    'escapes %j of unknown origin',
    (text) => {
      const { body } = renderMarkdown(`- ${plain(text)}`)
      const words = body.markup.replace(/<\/?(ul|li)>|\n/g, '')
      expect(words.replaceAll('&lt;', '<').replaceAll('&gt;', '>')).toBe(text.replace('\n', ' '))
    },
  )
})

describe('negotiation', () => {
  const asked = (accept?: string) =>
    preferred({ headers: { accept } } as unknown as FastifyRequest, ['text/html', 'text/markdown'])

  test.each([
    [undefined, 'text/html'],
    ['*/*', 'text/html'],
    ['text/*', 'text/html'],
    ['text/markdown', 'text/markdown'],
    ['text/html;q=0.5, text/markdown', 'text/markdown'],
    ['text/markdown;q=0.5, */*;q=0.1', 'text/markdown'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html'],
    ['text/markdown;q=0, text/html;q=0.1', 'text/html'],
    ['application/json', 'text/html'],
    [';;,q=,', 'text/html'],
  ])('of %j', (accept, type) => {
    expect(asked(accept)).toBe(type)
  })
})

describe('hours', () => {
  test('of several services are merged into one week, with equal days on one line', () => {
    const days = [1, 2, 3, 4, 5]
    const week = weekOf([
      ...days.map((day) => ({ day, open: '11:00', close: '15:00' })),
      ...days.map((day) => ({ day, open: '14:00', close: '22:00' })),
      { day: 6, open: '18:00', close: '26:00' },
    ])
    expect(weekWords(week)).toEqual([
      { days: 'Monday–Friday', hours: '11:00–22:00' },
      { days: 'Saturday', hours: '18:00–02:00' },
      { days: 'Sunday', hours: 'closed' },
    ])
  })

  test('with a break stay separate', () => {
    const [monday] = weekOf([
      { day: 1, open: '18:00', close: '22:00' },
      { day: 1, open: '11:00', close: '15:00' },
    ])
    expect(hoursWords(monday?.hours ?? [])).toBe('11:00–15:00, 18:00–22:00')
  })
})

test.each([
  [25_000_000, 'IDR', 'IDR 250,000'],
  [385, 'SGD', 'SGD 3.85'],
  [50, 'SGD', 'SGD 0.50'],
  [250_000, 'VND', 'VND 250,000'],
  [1_050_000, 'MMK', 'MMK 10,500'],
  [1_500, 'KWD', 'KWD 1.500'],
])('%d of %s is %s', (minor, currency, words) => {
  expect(money(minor, currency)).toBe(words)
})

test.each([
  [30, '30 minutes'],
  [60, '1 hour'],
  [1440, '1 day'],
  [60 * 24 * 30, '30 days'],
])('%d minutes are %s', (minutes, words) => {
  expect(spanWords(minutes)).toBe(words)
})
