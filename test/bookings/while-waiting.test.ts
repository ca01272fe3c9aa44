import { expect, test } from 'vitest'
import { isUnattended, whileWaiting } from '../../src/bookings/rules/pending.ts'
import type { Booking } from '../../src/contract/public.ts'

const at = new Date('2026-11-22T22:06:00Z')
const ahead = (minutes: number) => new Date(at.getTime() + minutes * 60_000).toISOString()
const pending = {
  id: '0197a1f0-0000-7000-8000-000000000000',
  timezone: 'Asia/Makassar',
  confirm_mode: 'request' as const,
  answer_by: ahead(249),
  offer: null,
  change: null,
  updated_at: at.toISOString(),
  fee: {} as Booking['fee'],
  deposit: null,
}

test('callers do not wait for an answer that is hours away, and check only a few times', () => {
  expect(isUnattended(pending, at)).toBe(true)
  const { next, retry_after } = whileWaiting(pending, at)
  expect(retry_after).toBe(1_800)
  expect(next).toContain('by 2026-11-23 10:15 (Asia/Makassar)')
})

test('callers check within minutes for the answer of a person who is at the venue', () => {
  const soon = { ...pending, answer_by: ahead(15) }
  expect(isUnattended(soon, at)).toBe(false)
  expect(whileWaiting(soon, at).retry_after).toBe(113)
  expect(whileWaiting({ ...pending, answer_by: ahead(1) }, at).retry_after).toBe(30)
})

test('callers wait for a system as long again as so far, or 30 s if that is less', () => {
  const system = { ...pending, confirm_mode: 'http' as const, answer_by: ahead(15) }
  const after = (seconds: number) =>
    whileWaiting(system, new Date(at.getTime() + seconds * 1000)).retry_after
  expect([0, 5, 600].map(after)).toEqual([2, 5, 30])
  expect(isUnattended(system, at)).toBe(false)
})

test('before its venue is asked, a booking is reread within seconds', () => {
  const deciding = { ...pending, confirm_mode: 'auto' as const, answer_by: null }
  expect(whileWaiting(deciding, at)).toMatchObject({ retry_after: 2 })
})

test('an offer asks for the agent’s answer, in the venue’s local time', () => {
  const offer = {
    slot_time: '2026-11-23T20:00:00',
    starts_at: ahead(840),
    ends_at: ahead(930),
    answer_by: ahead(30),
    answer_by_local: null,
    ask_user_first: true,
    deposit: null,
  } as const
  const { next } = whileWaiting({ ...pending, offer }, at)
  expect(next).toBe(
    'The venue offers 2026-11-23 20:00 (Asia/Makassar) instead. Ask your user, then accept it ' +
      'before 2026-11-23 06:36 (Asia/Makassar): ' +
      `\`POST /api/bookings/${pending.id}/offer/accept\`; ` +
      `or refuse it: \`POST /api/bookings/${pending.id}/offer/refuse\`.`,
  )
})
