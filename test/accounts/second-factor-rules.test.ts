import { expect, test } from 'vitest'
import { stepOf } from '../../src/accounts/operations/prove-identity.ts'
import { isTotpCode, plainCode, relyingPartyOf } from '../../src/accounts/rules/second-factors.ts'

test.each([
  ['https://venues.example/x', { id: 'venues.example', origin: 'https://venues.example' }],
  ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://venues.example', undefined],
  ['http://127.0.0.1:3000', undefined],
  ['https://203.0.113.7', undefined],
  ['https://[2001:db8::1]', undefined],
])('passkeys at %s belong to its domain, if browsers allow them there', (url, party) => {
  expect(relyingPartyOf(url)).toEqual(party)
})

test('codes may be typed with blanks, hyphens and capitals', () => {
  expect(plainCode(' 123 456 ')).toBe('123456')
  expect(plainCode('A1B2C-3D4E5')).toBe('a1b2c3d4e5')
  expect(['123456', '12345', '1234567', '१२३४५६'].map(isTotpCode)).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('a code counts in its time step and those next to it (RFC 6238, appendix B)', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  const at = (seconds: number) => stepOf(secret, '287082', { at: new Date(seconds * 1000) })
  expect([29, 30, 59, 89, 90].map(at)).toEqual([1, 1, 1, 1, undefined])
  expect(stepOf(secret, '287083', { at: new Date(59_000) })).toBeUndefined()
})
