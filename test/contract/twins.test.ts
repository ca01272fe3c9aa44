import { expect, test } from 'vitest'
import { zonedMinute, zonedTime } from '../../src/base/local-time.ts'
import { money } from '../../src/base/money.ts'
import { withTexts } from '../../src/contract/local-times.ts'
import { booking, cancellation } from '../../src/contract/public.ts'

test('amounts are written as people write them, whatever the minor unit', () => {
  expect(money(29_000_000, 'IDR')).toBe('IDR 290,000')
  expect(money(1_450_050, 'IDR')).toBe('IDR 14,500.50')
  expect(money(250_000, 'VND')).toBe('VND 250,000')
  expect(money(385, 'SGD')).toBe('SGD 3.85')
  expect(money(1_500, 'KWD')).toBe('KWD 1.500')
  expect(money(-20_000, 'THB')).toBe('-THB 200')
})

test('each amount has its text next to it', () => {
  const month = { currency: 'IDR', accrued_minor: 300, total_minor: -250, entries: 2 }
  expect(withTexts(month)).toEqual({
    ...month,
    accrued_text: 'IDR 3',
    total_text: '-IDR 2.50',
  })
})

test('a deadline is shown with the zone of the venue, and never rounded up', () => {
  const at = new Date('2026-11-23T11:59:59.999Z')
  expect(zonedTime('Asia/Makassar', at)).toBe('2026-11-23T19:59:59+08:00 (Asia/Makassar)')
  expect(zonedMinute('Asia/Yangon', at)).toBe('2026-11-23 18:29 (Asia/Yangon)')
})

test('a booking and a cancellation get texts and local times', () => {
  const id = '0197a1f0-0000-7000-8000-000000000000'
  const at = '2026-11-23T11:00:00.000Z'
  const charged_to = 'your account, not the guest'
  const stored = {
    id,
    status: 'offered',
    venue: { id, slug: 'warung', name: 'Warung' },
    slot_time: '2026-11-23T21:00:00',
    timezone: 'Asia/Makassar',
    utc_offset: '+08:00',
    starts_at: at,
    ends_at: null,
    party_size: 2,
    fee: { amount_minor: 1_450_000, currency: 'IDR', pct: 2.5, status: 'accrued', charged_to },
    revision: 1,
    reason_code: null,
    answer_by: at,
    offer: { slot_time: '2026-11-23T22:00:00', starts_at: at, ends_at: at, answer_by: at },
    created_at: at,
    updated_at: at,
  }
  const local = '2026-11-23T19:00:00+08:00 (Asia/Makassar)'
  expect(booking.parse(stored)).toMatchObject({
    fee: { text: 'IDR 14,500', charged_to },
    answer_by_local: local,
    hold_until_local: null,
    offer: { answer_by_local: local },
  })
  const cost = {
    fee: 'kept',
    free_until: at,
    amount_minor: 385,
    currency: 'SGD',
    policy: '',
    charged_to,
  }
  expect(cancellation.parse(cost)).toMatchObject({ text: 'SGD 3.85' })
})
