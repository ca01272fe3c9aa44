import { describe, expect, test } from 'vitest'
import type { Call, Fields } from '../../tools/bench/agents/call.ts'
import { follow, type Wish } from '../../tools/bench/agents/follow.ts'

const call: Call = {
  name: 'booking.confirm',
  input: { venue: 'warung', slot_time: '2026-12-24T19:00:00', party: '2' },
}
const next = (facts: Fields, known: Wish = {}) =>
  follow(call, { code: 'refused', message: 'No.', ...facts }, known)
const problem = (pointer: string, detail: string) => ({ errors: [{ pointer, detail }] })

describe('an agent that knows only what a refusal says', () => {
  test('stops if the refusal gives no advice', () => {
    expect(next({})).toBeUndefined()
    expect(next(problem('/party_size', 'required: expected a whole number'))).toBeUndefined()
  })

  test('renames, drops and completes fields', () => {
    const { party: _, ...rest } = call.input
    expect(next(problem('/party', 'unknown field; did you mean `party_size`?'))?.input).toEqual({
      ...rest,
      party_size: '2',
    })
    expect(next(problem('/party', 'unknown field; known are venue_id'))?.input).toEqual(rest)
    const known = { wish: { party_size: 2 } }
    expect(next(problem('/party_size', 'required: a whole number'), known)?.input).toEqual({
      ...call.input,
      party_size: 2,
    })
  })

  test('takes the first alternative that needs no question', () => {
    const alternative = (id: string, ask_user_first: boolean) => ({
      venue: { id },
      slot_time: '2026-12-24T19:30:00',
      ask_user_first,
    })
    const alternatives = [alternative('other day', true), alternative('near', false)]
    expect(next({ alternatives })?.input).toEqual({
      party: '2',
      venue_id: 'near',
      slot_time: '2026-12-24T19:30:00',
    })
    expect(next({ alternatives: [alternative('other day', true)] })).toBeUndefined()
  })

  test('waits only for a user who would', () => {
    const watch = { intent: 'watch.create', input: { venue_id: 'warung' } }
    expect(next({ watch })).toBeUndefined()
    expect(next({ watch }, { wouldWait: true })).toEqual({
      name: 'watch.create',
      input: { venue_id: 'warung' },
    })
  })

  test('takes the nearest name, or the route in the words', () => {
    expect(next({ nearest: 'booking.hold' })?.name).toBe('booking.hold')
    const id = '01a20023-a35b-7b16-98e3-5644a722de35'
    const removal = { name: `DELETE /api/bookings/${id}`, input: {} }
    const message = 'Cancel with `POST /api/bookings/{id}/cancel`.'
    expect(follow(removal, { code: 'method_not_allowed', message }, {})).toEqual({
      name: `POST /api/bookings/${id}/cancel`,
      input: {},
    })
  })
})
