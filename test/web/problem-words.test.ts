import { describe, expect, test } from 'vitest'
import { type ErrorCode, errorCatalogue } from '../../src/base/error-catalogue.ts'
import { invalidRequest, refusalData } from '../../src/base/errors.ts'
import { problemText, problemTitle, problemWords } from '../../src/web/page/format-problem.ts'

describe('a refusal on a page', () => {
  test.each(Object.keys(errorCatalogue) as ErrorCode[])('%s does not repeat its title', (code) => {
    const refusal = refusalData(code)
    expect(problemText(refusal)).not.toContain(`${problemTitle(refusal)}.`)
    expect(problemText(refusal)).not.toContain('`slot_time`')
  })

  test('tells a person what to do, not a program', () => {
    expect(problemText(refusalData('venue_not_found'))).toBe(
      'It may have been renamed. Search for it by name.',
    )
    expect(problemText(refusalData('overloaded'))).not.toMatch(/Retry-After|idempotency/)
    expect(problemWords(refusalData('slot_in_past'))).toBe(
      'The slot has already started. Choose a later time.',
    )
  })

  test('names the same wait as the header', () => {
    const waiting = (retry_after: number) =>
      problemText(refusalData('rate_limited', 'Too many.', { retry_after }))
    expect(waiting(1)).toBe('Too many. Wait 1 second, then reload the page.')
    expect(waiting(42)).toBe('Too many. Wait 42 seconds, then reload the page.')
  })

  test('names the fields of the form', () => {
    const one = invalidRequest([{ pointer: '/until_number', detail: 'expected a number' }])
    expect(problemWords(one.data, { until_number: 'last event' })).toBe(
      'last event: give a number.',
    )
    expect(problemWords(refusalData('party_too_small'))).toContain('Choose a larger party')
  })

  test('keeps a more precise first sentence', () => {
    expect(problemText(refusalData('not_found', 'There is no such document.'))).toBe(
      'There is no such document.',
    )
  })
})
