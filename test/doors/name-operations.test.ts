import { expect, test } from 'vitest'
import { nameOperations } from '../../src/doors/calls/name-operations.ts'

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
