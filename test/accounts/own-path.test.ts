import { expect, test } from 'vitest'
import { ownPath } from '../../src/web/account/sign-in.ts'

test.each(['/dashboard/bookings?status=held&x=1', '/venues/warung', '/dashboard'])(
  '%s is a path of this server',
  (path) => {
    expect(ownPath(path)).toBe(path)
  },
)

test.each([
  undefined,
  ['/dashboard'],
  '',
  '/',
  'dashboard',
  'https://evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/\t/evil.example',
  '\n//evil.example',
  'javascript:alert(1)',
])('%j redirects to the dashboard instead', (next) => {
  expect(ownPath(next)).toBe('/dashboard')
})

test('line breaks never reach a header', () => {
  expect(ownPath('/a\r\nSet-Cookie: x=1')).not.toMatch(/[\r\n]/)
})
