import { expect, test } from 'vitest'
import { facts } from '../../packages/cli/screen/facts.ts'
import { withoutColour } from '../../packages/cli/screen/paint.ts'
import { screenOf } from '../../packages/cli/screen/screen.ts'
import { instant, localDay, localSlot } from '../../packages/cli/screen/times.ts'
import { money } from '../../src/base/money.ts'

test.each([
  [1_450_000, 'IDR', 'IDR 14,500'],
  [250_000, 'VND', 'VND 250,000'],
  [-1_999, 'USD', '-USD 19.99'],
  [0, 'THB', 'THB 0'],
])('%i in minor units of %s is %s', (minor, currency, text) =>
  expect(money(minor, currency)).toBe(text),
)

test('a slot is in its venue’s time, an instant in the reader’s time with the zone', () => {
  expect(localSlot('2026-11-24T19:00:00')).toBe('Tue 2026-11-24 19:00')
  expect(localDay('2026-11-24')).toBe('Tue 2026-11-24')
  expect(instant('2026-11-23T16:30:00.000Z', 'Asia/Makassar')).toBe('2026-11-24 00:30 GMT+8')
  expect(instant('2026-11-23T16:30:00.000Z', 'UTC')).toBe('2026-11-23 16:30 UTC')
})

test('facts stand beside their names, long ones wrapped, missing ones omitted', () => {
  const screen = { width: 40, paint: withoutColour, zone: 'UTC', program: 'p' }
  const shown = facts(screen, [
    ['status', 'confirmed'],
    ['because', null],
    ['cancelling', 'free of charge until 2026-11-23 09:00 UTC'],
  ])
  expect(shown.split('\n')).toEqual([
    'status      confirmed',
    'cancelling  free of charge until',
    '            2026-11-23 09:00 UTC',
  ])
})

test('a secret longer than the screen is wrapped, never cut', () => {
  const secret = `whsec_${'a'.repeat(44)}`
  const screen = { width: 30, paint: withoutColour, zone: 'UTC', program: 'p' }
  expect(
    facts(screen, [['secret', secret]])
      .replace(/^secret\s+/, '')
      .replaceAll(/\s/g, ''),
  ).toBe(secret)
})

test('output to a program is neither cut nor coloured, and NO_COLOR is respected', () => {
  const said = { isColourful: true, program: 'p' }
  const piped = screenOf({}, said)
  expect([piped.width, piped.paint('x', 'good')]).toEqual([Number.POSITIVE_INFINITY, 'x'])
  const seen = screenOf({ isTTY: true, columns: 60 }, said)
  expect([seen.width, seen.paint('x', 'good')]).toEqual([60, '\u001b[32mx\u001b[39m'])
  expect(
    screenOf({ isTTY: true, columns: 60 }, { ...said, isColourful: false }).paint('x', 'good'),
  ).toBe('x')
})
