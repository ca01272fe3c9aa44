import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toLocal } from '../../src/base/local-time.ts'
import { channelKinds } from '../../src/notices/rules/channel.ts'
import { noticeKinds } from '../../src/notices/rules/message.ts'
import { isNews, messageStatuses } from '../../src/notices/rules/message-status.ts'
import { type NoticeState, nextStep, tryAgainAt } from '../../src/notices/rules/next-step.ts'
import { notBefore } from '../../src/notices/rules/quiet-hours.ts'

const start = Date.parse('2026-12-20T04:00:00Z')
const after = (minutes: number) => new Date(start + minutes * 60_000)

const request = (more: Partial<NoticeState> = {}): NoticeState => ({
  ...{ kind: 'request.waiting', createdAt: after(0), notBefore: after(0), answerBy: after(30) },
  ...{ ended: null, isAnswered: false, isRemoved: false, attempts: [] },
  channels: channelKinds.map((kind) => ({ id: kind, kind })),
  ...more,
})

const tried = (
  kind: (typeof channelKinds)[number],
  status: (typeof messageStatuses)[number],
  minute: number,
) => ({
  id: `${kind}!`,
  channelId: kind,
  kind,
  status,
  startedAt: after(minute),
  statusAt: after(minute),
})

test('the next channel is used after a third of the time to answer, or after a failure', () => {
  expect(nextStep(request(), after(0))).toMatchObject({ do: 'send', kind: 'whatsapp' })
  const sent = request({ attempts: [tried('whatsapp', 'delivered', 0)] })
  expect(nextStep(sent, after(9))).toEqual({ do: 'wait', until: after(10) })
  expect(nextStep(sent, after(10))).toMatchObject({ do: 'send', kind: 'mail' })
  expect(nextStep(sent, after(1), true)).toMatchObject({ do: 'send', kind: 'mail' })
  const failed = request({ attempts: [tried('whatsapp', 'failed', 0)] })
  expect(nextStep(failed, after(0))).toMatchObject({ do: 'send', kind: 'mail' })
})

test('who has seen a request, or may no longer answer it, is told no more', () => {
  const attempts = [tried('whatsapp', 'read', 0)]
  expect(nextStep(request({ attempts }), after(20))).toEqual({ do: 'end', reason: 'seen' })
  const end = (more: Partial<NoticeState>, minute = 1) => nextStep(request(more), after(minute))
  expect(end({ isAnswered: true })).toEqual({ do: 'end', reason: 'answered' })
  expect(end({ isRemoved: true })).toEqual({ do: 'end', reason: 'unreachable' })
  expect(end({}, 30)).toEqual({ do: 'end', reason: 'late' })
  expect(end({ channels: [] })).toEqual({ do: 'end', reason: 'unreachable' })
})

test('a message that was cut short is sent again only where that counts once', () => {
  const mail = request({ attempts: [tried('mail', 'started', 0)] })
  expect(nextStep(mail, after(0))).toMatchObject({ do: 'send', kind: 'mail', attemptId: 'mail!' })
  const chat = request({ attempts: [tried('whatsapp', 'started', 0)] })
  expect(nextStep(chat, after(0.4))).toEqual({ do: 'wait', until: after(0.5) })
  expect(nextStep(chat, after(0.5))).toEqual({ do: 'fail', attemptId: 'whatsapp!' })
  const only = { ...chat, channels: [{ id: 'whatsapp', kind: 'whatsapp' as const }] }
  const again = { do: 'send', channelId: 'whatsapp', kind: 'whatsapp', attemptId: 'whatsapp!' }
  expect(nextStep(only, after(0.5))).toEqual(again)
  const twice = { ...tried('whatsapp', 'started', 0), statusAt: after(0.5) }
  expect(nextStep({ ...only, attempts: [twice] }, after(2))).toEqual({
    ...{ do: 'wait', until: after(30) },
  })
  const failed = { ...tried('whatsapp', 'failed', 0), statusAt: after(0.5), isTemporary: true }
  const down = { ...only, attempts: [failed] }
  expect(nextStep(down, after(0.5))).toEqual({ do: 'wait', until: after(1) })
  expect(nextStep(down, after(1))).toEqual(again)
})

test('a notice that needs no answer is over once a channel has taken it', () => {
  const change = { kind: 'booking.changed', answerBy: null } as const
  const step = (attempts: NoticeState['attempts'], minute: number) =>
    nextStep(request({ ...change, attempts }), after(minute))
  expect(step([tried('mail', 'sent', 0)], 0)).toEqual({ do: 'end', reason: 'told' })
  expect(step([tried('whatsapp', 'sent', 0)], 14)).toEqual({ do: 'wait', until: after(15) })
  expect(step([tried('whatsapp', 'delivered', 0)], 0)).toEqual({ do: 'end', reason: 'told' })
})

test('a notice always ends, and no channel is used twice for an accepted message', () => {
  const outcome = fc.constantFrom(...messageStatuses)
  const kinds = fc.uniqueArray(fc.constantFrom(...channelKinds))
  const sample = fc.record({
    kind: fc.constantFrom(...noticeKinds),
    kinds,
    outcomes: fc.array(outcome, { minLength: 200, maxLength: 200 }),
  })
  fc.assert(
    fc.property(sample, ({ kind, kinds: used, outcomes }) => {
      const answerBy = kind.startsWith('request') ? after(30) : null
      const channels = used.map((one) => ({ id: one, kind: one }))
      let state = request({ kind, answerBy, channels })
      let at = after(0)
      for (const status of outcomes) {
        const step = nextStep(state, at)
        if (step.do === 'end') return
        if (step.do === 'wait') at = step.until
        else if (step.do === 'send') {
          const before = state.attempts.filter(({ channelId }) => channelId === step.channelId)
          expect(before.every((one) => one.status === 'started')).toBe(true)
          const rest = state.attempts.filter((one) => !before.includes(one))
          at = new Date(at.getTime() + 1_000)
          const startedAt = before[0]?.startedAt ?? at
          const one = { ...tried(step.kind, status, 0), startedAt, statusAt: at }
          state = { ...state, attempts: [...rest, one] }
        } else {
          const { attemptId } = step
          const attempts = state.attempts.map((one) =>
            one.id === attemptId ? { ...one, status: 'failed' as const } : one,
          )
          state = { ...state, attempts }
        }
      }
      expect(at.getTime()).toBeGreaterThan(start)
    }),
  )
})

test('a channel that is down gives way to the next, and is tried on if it is the last', () => {
  const tries = request({ attempts: [tried('whatsapp', 'started', 0)] })
  expect(tryAgainAt(tries, 1, after(0))).toEqual(new Date(start + 1_000))
  expect(tryAgainAt(tries, 4, after(0))).toBeNull()
  const last = { ...tries, channels: [{ id: 'whatsapp', kind: 'whatsapp' as const }] }
  expect(tryAgainAt(last, 40, after(0))).toEqual(after(1))
})

test('a status never goes back, and what was delivered has not failed', () => {
  const status = fc.constantFrom(...messageStatuses)
  fc.assert(
    fc.property(fc.array(status), (reports) => {
      let now: (typeof messageStatuses)[number] = 'started'
      for (const one of reports) if (isNews(now, one)) now = one
      if (reports.includes('read')) expect(now).toBe('read')
      else if (reports.includes('delivered')) expect(now).toBe('delivered')
      expect(isNews(now, now)).toBe(false)
    }),
  )
})

test('quiet hours delay what is not urgent until their end, also past midnight', () => {
  const venue = { timezone: 'Asia/Makassar', quietFrom: '22:00', quietUntil: '08:00' }
  const late = new Date('2026-12-20T15:30:00Z')
  const wait = (kind: 'day.list' | 'request.waiting', startsAt: Date | null = null) =>
    toLocal(venue.timezone, notBefore(kind, venue, { at: late, startsAt }))
  expect(wait('day.list')).toBe('2026-12-21T08:00:00')
  expect(wait('request.waiting')).toBe('2026-12-20T23:30:00')
  expect(wait('day.list', new Date('2026-12-20T22:00:00Z'))).toBe('2026-12-20T23:30:00')
  const noon = new Date('2026-12-20T04:00:00Z')
  expect(notBefore('day.list', venue, { at: noon, startsAt: null })).toEqual(noon)
})
