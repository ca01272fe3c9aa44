import { expect, test } from 'vitest'
import { inWordsOf, nameOperations } from '../../src/doors/calls/name-operations.ts'

const id = '0197a1f0-0000-7000-8000-000000000000'
const text =
  `Accept it: \`POST /api/bookings/${id}/offer/accept\`. Or call GET /api/bookings/{id} again, ` +
  'and see `GET /api/unknown`.'

test.each([
  ['rest', text],
  ['dashboard', text],
  [
    'a2a',
    `Accept it: \`booking.accept_offer\` with \`id\` ${id}. Or call \`booking.get\` again, ` +
      'and see `GET /api/unknown`.',
  ],
  [
    'mcp',
    `Accept it: \`answer_offer\` with \`action\` accept, \`booking_id\` ${id}. Or call ` +
      '`get_booking` with `action` read again, and see `GET /api/unknown`.',
  ],
] as const)('texts name operations as %s does', (door, expected) => {
  expect(nameOperations(door, text)).toBe(expected)
})

test('the hint of a search names the operation of the door, also in what was prepared', () => {
  const hint = 'Cancel it with `POST /api/bookings/{id}/cancel`.'
  const result = { output: { interpretation: { hint, area: 'Ubud' } }, json: Buffer.from('{}') }
  expect(inWordsOf('rest', result)).toBe(result)
  expect(inWordsOf('a2a', result)).toEqual({
    output: { interpretation: { hint: 'Cancel it with `booking.cancel`.', area: 'Ubud' } },
    json: undefined,
  })
})
