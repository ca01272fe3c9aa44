import { expect, test } from 'vitest'
import { noticeTable } from '../../src/commands/venue-notices.ts'
import { recordStatus } from '../../src/notices/steps/record-status.ts'
import { endChannel } from '../../src/notices/store/channels.ts'
import { OutboundError } from '../../src/platform/http/failure.ts'
import { mail, useNoticeDesk, whatsapp } from '../support/notice-desk.ts'

const { desk, engine, asked, open, step, attemptsOf, timelineOf } = useNoticeDesk()

test('a person is notified once of a request, with what they need to decide', async () => {
  const { start, noticeId, venueId } = await asked(whatsapp, mail)
  expect(await open(start)).toBe('nothing to open')
  expect(new Set(desk.begun.map((one) => one.noticeId))).toEqual(new Set([noticeId]))
  const at = Date.now()
  const { nextAt, ended, attempts } = await step(noticeId)
  expect({ ended, attempts }).toEqual({ ended: null, attempts: ['whatsapp: sent'] })
  expect(nextAt).toBeGreaterThan(at + 60_000)
  await step(noticeId)
  expect(desk.sent).toHaveLength(1)
  expect(desk.sent[0]).toMatchObject({
    address: whatsapp.address,
    message: {
      kind: 'request.waiting',
      language: 'en',
      person: { name: 'Wayan' },
      booking: { id: start.bookingId, status: 'pending', partySize: 2, slotTime: start.slotTime },
      url: expect.stringMatching(/^https:\/\/network.example\/venue\/notice\/[\w-]{60,}$/),
    },
  })
  const text = `select answer_by, asked_revision from booking where id = $1`
  const { rows } = await desk.world.db.query(text, [start.bookingId])
  expect(desk.sent[0]?.message.booking).toMatchObject({ revision: rows[0].asked_revision })
  expect(await timelineOf(start)).toContain('The venue was notified by WhatsApp.')
  const venue = await desk.world.db.query('select slug from venue where id = $1', [venueId])
  const [head, line] = (await noticeTable(desk.world.db, venue.rows[0].slug)).split('\n')
  expect(head).toMatch(/^OPENED +KIND +ABOUT/)
  expect(line).toMatch(/request.waiting .* whatsapp +sent .* open/)
  expect(venueId).toBe(start.venueId)
})

test('the next channel follows a failure at once, and silence after a third', async () => {
  const { start, noticeId, channelIds } = await asked(whatsapp, mail)
  desk.results = [{ status: 'failed', failure: 'no account', ends: 'wrong_number' }]
  const failed = await step(noticeId)
  expect(failed).toMatchObject({ ended: null, attempts: ['whatsapp: failed'] })
  expect(await endChannel(desk.world.db, channelIds[0] ?? '', 'gone', new Date())).toBe(0)
  const { nextAt } = await step(noticeId)
  expect(desk.sent.map(({ kind }) => kind)).toEqual(['whatsapp', 'mail'])
  expect(nextAt).toBeGreaterThan(Date.now() + 60_000)
  expect(await timelineOf(start)).toEqual(
    expect.arrayContaining([
      'The venue could not be notified by WhatsApp.',
      'The venue was notified by email.',
    ]),
  )
})

test('reports out of order or repeated change what they should, and wake it', async () => {
  const { start, noticeId } = await asked(whatsapp, mail)
  desk.results = [{ status: 'sent', providerId: `wamid.${start.bookingId}` }]
  await step(noticeId)
  const [{ id: attemptId }] = await attemptsOf(noticeId)
  const ref = { providerId: `wamid.${start.bookingId}` }
  const report = (status: 'delivered' | 'read' | 'failed') =>
    recordStatus(desk.world.db, engine, ref, { status, at: new Date(), failure: 'x' })
  expect(await report('read')).toBe(true)
  expect(await report('read')).toBe(false)
  expect(await report('delivered')).toBe(false)
  expect(await report('failed')).toBe(false)
  const unknown = { attemptId: start.bookingId }
  expect(
    await recordStatus(desk.world.db, engine, unknown, { status: 'read', at: new Date() }),
  ).toBe(false)
  expect(desk.woken).toEqual([noticeId])
  expect(await attemptsOf(noticeId)).toMatchObject([{ id: attemptId, status: 'read' }])
  expect(await step(noticeId)).toMatchObject({ ended: 'seen' })
  expect(await timelineOf(start)).toContain('A person at the venue has seen the notice.')
})

test('a failure of ours is tried again with the same id, unless it may be twice', async () => {
  const { noticeId } = await asked(mail)
  desk.results = [new Error('the server is down'), new OutboundError('timeout', { sent: true })]
  expect(await step(noticeId)).toMatchObject({ tries: 1, ended: null })
  expect(await step(noticeId, { tries: 1 })).toMatchObject({ tries: 2, ended: null })
  await step(noticeId, { tries: 2 })
  expect(new Set(desk.sent.map(({ message }) => message.attemptId)).size).toBe(1)

  const other = await asked(whatsapp, mail)
  desk.sent = []
  desk.results = [new OutboundError('timeout', { sent: true })]
  const id = desk.begun.at(-1)?.noticeId ?? ''
  await step(id)
  await step(id)
  expect(desk.sent).toHaveLength(1)
  await step(id, { tries: 0 }, new Date(Date.now() + 31_000))
  await step(id, { tries: 0 }, new Date(Date.now() + 31_000))
  expect(desk.sent.map(({ kind }) => kind)).toEqual(['whatsapp', 'mail'])
  expect(other.channelIds).toHaveLength(2)
})

test('without another channel, a message of unknown fate is desk.sent only once more', async () => {
  const { noticeId } = await asked(whatsapp)
  desk.results = Array.from({ length: 200 }, () => new OutboundError('timeout', { sent: true }))
  const until = Date.now() + 3_600_000
  let [at, steps] = [Date.now(), 0]
  for (; at < until && steps < 200; steps += 1) {
    const { ended, nextAt } = await step(noticeId, { tries: 0 }, new Date(at))
    if (ended) break
    at = Math.max(nextAt, at + 1)
  }
  expect(steps).toBeLessThan(10)
  expect(desk.sent).toHaveLength(2)
  expect(desk.sent[1]?.message.attemptId).toBe(desk.sent[0]?.message.attemptId)
})

test('a message that was desk.sent is not desk.sent again because its record failed', async () => {
  const { noticeId } = await asked(whatsapp)
  const refused = 'alter table timeline_entry add constraint refused check (false) not valid'
  desk.results = [() => desk.world.db.query(refused).then(() => ({ status: 'sent' }))]
  try {
    await expect(step(noticeId)).rejects.toThrow()
  } finally {
    await desk.world.db.query('alter table timeline_entry drop constraint refused')
  }
  await step(noticeId)
  expect(desk.sent).toHaveLength(1)
})

test('after a temporary failure that is reported later, the same message goes again', async () => {
  const { noticeId } = await asked(whatsapp)
  const sentAs = (providerId: string) => ({
    status: 'sent' as const,
    providerId: `${noticeId}${providerId}`,
  })
  desk.results = [sentAs('1'), new OutboundError('connect', { sent: false }), sentAs('2')]
  await step(noticeId)
  const failed = { status: 'failed', failure: 'down', isTemporary: true } as const
  const at = new Date()
  await recordStatus(desk.world.db, engine, { providerId: `${noticeId}1` }, { ...failed, at })
  const { ended, nextAt } = await step(noticeId)
  expect(ended).toBeNull()
  expect(nextAt - at.getTime()).toBeLessThan(10_000)
  await step(noticeId, { tries: 0 }, new Date(nextAt))
  expect(desk.sent).toHaveLength(2)
  const later = await step(noticeId, { tries: 1 }, new Date(nextAt + 31_000))
  expect(later).toMatchObject({ attempts: ['whatsapp: sent'] })
  expect(new Set(desk.sent.map(({ message }) => message.attemptId)).size).toBe(1)
})
