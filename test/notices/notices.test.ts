import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { selectLostBookings } from '../../src/bookings/store/booking-starts.ts'
import { noticeTable } from '../../src/commands/venue-notices.ts'
import { applyVenueResponses } from '../../src/confirmation/steps/apply-venue-responses.ts'
import { setNoticeDue } from '../../src/confirmation/store/venue-notices.ts'
import { readVenuePeople } from '../../src/notices/operations/venue-people.ts'
import type { ChannelSender, SendResult } from '../../src/notices/rules/channel.ts'
import { channelDigests } from '../../src/notices/rules/channel.ts'
import type { NoticeMessage } from '../../src/notices/rules/message.ts'
import type { NoticeStart, NoticeTry } from '../../src/notices/rules/notice-run.ts'
import { addChannel } from '../../src/notices/steps/add-channel.ts'
import { openNotices } from '../../src/notices/steps/open-notices.ts'
import { recordStatus } from '../../src/notices/steps/record-status.ts'
import { createPostSender } from '../../src/notices/steps/send-post.ts'
import { stopAddress } from '../../src/notices/steps/stop-address.ts'
import { tryChannel } from '../../src/notices/steps/try-channel.ts'
import { endChannel, insertOptOut, selectChannels } from '../../src/notices/store/channels.ts'
import { insertNotices } from '../../src/notices/store/notices.ts'
import { removePerson } from '../../src/notices/store/people.ts'
import { openPool } from '../../src/platform/database/sql.ts'
import { OutboundError } from '../../src/platform/http/failure.ts'
import { newSigningSecret } from '../../src/platform/http/signature.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { addArena, arenaKinds } from '../../tools/proof/arena.ts'
import { command } from '../../tools/proof/commands.ts'
import { openAccount, openWorld, request, type World } from '../../tools/proof/world.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { readableLog } from '../support/lines.ts'
import { testVenues } from '../support/no-test-venues.ts'
import { stepDeps } from '../support/terms.ts'
import { addPerson, postTo } from '../support/venue-channels.ts'

const sealer = createSealer(parseSealingKeys(newSealingKey()) ?? [])
const publicUrl = 'https://network.example'
const whatsapp = { kind: 'whatsapp', address: '+6281234567' } as const
const mail = { kind: 'mail', address: 'wayan@venue.example' } as const
let database: TestDatabase
let world: World
let begun: NoticeStart[] = []
let woken: string[] = []
let sent: { message: NoticeMessage; address: string; kind: string }[] = []
let results: (SendResult | Error | (() => Promise<SendResult>))[] = []

beforeAll(async () => {
  database = await createDatabase()
  world = await openWorld(openPool(database.url, 5, () => {}))
})
afterAll(async () => {
  await world?.db.end()
  await database?.drop()
})
beforeEach(() => {
  begun = []
  woken = []
  sent = []
  results = []
})

const engine = {
  beginNotice: async (start: NoticeStart) => begun.push(start) > 0,
  wakeNotice: async ({ noticeId }: NoticeStart) => void woken.push(noticeId),
}
const sender =
  (kind: string): ChannelSender =>
  async (message, address) => {
    sent.push({ message, address, kind })
    const result = results.shift() ?? { status: 'sent' }
    if (result instanceof Error) throw result
    return typeof result === 'function' ? result() : result
  }

/** A booking that waits for the people of a new venue, and how to notify them. */
async function asked(...channels: Parameters<typeof addPerson>[3][]) {
  const kind = arenaKinds.find(({ name }) => name === 'venue with staff') ?? arenaKinds[0]
  const arena = await addArena(world.db, kind)
  const person = await addPerson(world.db, sealer, arena.id, ...channels)
  const input = { slotTime: arena.slotTimes[0] ?? '', partySize: 2 }
  const start = await request(world.db, arena, {
    ...input,
    accountId: await openAccount(world.db),
  })
  await decideBooking(world.db, start, stepDeps, new Date())
  await open(start)
  return { ...person, start, venueId: arena.id, noticeId: begun[0]?.noticeId ?? '' }
}

const open = (start: BookingStart) => {
  const { log } = readableLog()
  return openNotices({ db: world.db, log, engine, testVenues }, start)
}

const step = (noticeId: string, input: NoticeTry = { tries: 0 }, at = new Date()) => {
  const senders = { whatsapp: sender('whatsapp'), mail: sender('mail') }
  const { log } = readableLog()
  const deps = { db: world.db, sealer, publicUrl, log, senders, countAttempt: () => {} }
  return tryChannel(deps, noticeId, input, at, new AbortController().signal)
}

const attemptsOf = async (noticeId: string) =>
  (
    await world.db.query(
      'select id, status, failure from notice_attempt where notice_id = $1 order by started_at',
      [noticeId],
    )
  ).rows

const timelineOf = async ({ bookingId }: BookingStart) => {
  const text = 'select what from timeline_entry where booking_id = $1 order by number'
  return (await world.db.query(text, [bookingId])).rows.map(({ what }) => what)
}

test('a person is notified once of a request, with what they need to decide', async () => {
  const { start, noticeId, venueId } = await asked(whatsapp, mail)
  expect(await open(start)).toBe('nothing to open')
  expect(new Set(begun.map((one) => one.noticeId))).toEqual(new Set([noticeId]))
  const at = Date.now()
  const { nextAt, ended, attempts } = await step(noticeId)
  expect({ ended, attempts }).toEqual({ ended: null, attempts: ['whatsapp: sent'] })
  expect(nextAt).toBeGreaterThan(at + 60_000)
  await step(noticeId)
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({
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
  const { rows } = await world.db.query(text, [start.bookingId])
  expect(sent[0]?.message.booking).toMatchObject({ revision: rows[0].asked_revision })
  expect(await timelineOf(start)).toContain('The venue was notified by WhatsApp.')
  const venue = await world.db.query('select slug from venue where id = $1', [venueId])
  const [head, line] = (await noticeTable(world.db, venue.rows[0].slug)).split('\n')
  expect(head).toMatch(/^OPENED +KIND +ABOUT/)
  expect(line).toMatch(/request.waiting .* whatsapp +sent .* open/)
  expect(venueId).toBe(start.venueId)
})

test('the next channel follows a failure at once, and silence after a third', async () => {
  const { start, noticeId, channelIds } = await asked(whatsapp, mail)
  results = [{ status: 'failed', failure: 'no account', ends: 'wrong_number' }]
  const failed = await step(noticeId)
  expect(failed).toMatchObject({ ended: null, attempts: ['whatsapp: failed'] })
  expect(await endChannel(world.db, channelIds[0] ?? '', 'gone', new Date())).toBe(0)
  const { nextAt } = await step(noticeId)
  expect(sent.map(({ kind }) => kind)).toEqual(['whatsapp', 'mail'])
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
  results = [{ status: 'sent', providerId: `wamid.${start.bookingId}` }]
  await step(noticeId)
  const [{ id: attemptId }] = await attemptsOf(noticeId)
  const ref = { providerId: `wamid.${start.bookingId}` }
  const report = (status: 'delivered' | 'read' | 'failed') =>
    recordStatus(world.db, engine, ref, { status, at: new Date(), failure: 'x' })
  expect(await report('read')).toBe(true)
  expect(await report('read')).toBe(false)
  expect(await report('delivered')).toBe(false)
  expect(await report('failed')).toBe(false)
  const unknown = { attemptId: start.bookingId }
  expect(await recordStatus(world.db, engine, unknown, { status: 'read', at: new Date() })).toBe(
    false,
  )
  expect(woken).toEqual([noticeId])
  expect(await attemptsOf(noticeId)).toMatchObject([{ id: attemptId, status: 'read' }])
  expect(await step(noticeId)).toMatchObject({ ended: 'seen' })
  expect(await timelineOf(start)).toContain('A person at the venue has seen the notice.')
})

test('a failure of ours is tried again with the same id, unless it may be twice', async () => {
  const { noticeId } = await asked(mail)
  results = [new Error('the server is down'), new OutboundError('timeout', { sent: true })]
  expect(await step(noticeId)).toMatchObject({ tries: 1, ended: null })
  expect(await step(noticeId, { tries: 1 })).toMatchObject({ tries: 2, ended: null })
  await step(noticeId, { tries: 2 })
  expect(new Set(sent.map(({ message }) => message.attemptId)).size).toBe(1)

  const other = await asked(whatsapp, mail)
  sent = []
  results = [new OutboundError('timeout', { sent: true })]
  const id = begun.at(-1)?.noticeId ?? ''
  await step(id)
  await step(id)
  expect(sent).toHaveLength(1)
  await step(id, { tries: 0 }, new Date(Date.now() + 31_000))
  await step(id, { tries: 0 }, new Date(Date.now() + 31_000))
  expect(sent.map(({ kind }) => kind)).toEqual(['whatsapp', 'mail'])
  expect(other.channelIds).toHaveLength(2)
})

test('without another channel, a message of unknown fate is sent only once more', async () => {
  const { noticeId } = await asked(whatsapp)
  results = Array.from({ length: 200 }, () => new OutboundError('timeout', { sent: true }))
  const until = Date.now() + 3_600_000
  let [at, steps] = [Date.now(), 0]
  for (; at < until && steps < 200; steps += 1) {
    const { ended, nextAt } = await step(noticeId, { tries: 0 }, new Date(at))
    if (ended) break
    at = Math.max(nextAt, at + 1)
  }
  expect(steps).toBeLessThan(10)
  expect(sent).toHaveLength(2)
  expect(sent[1]?.message.attemptId).toBe(sent[0]?.message.attemptId)
})

test('a message that was sent is not sent again because its record failed', async () => {
  const { noticeId } = await asked(whatsapp)
  const refused = 'alter table timeline_entry add constraint refused check (false) not valid'
  results = [() => world.db.query(refused).then(() => ({ status: 'sent' }))]
  try {
    await expect(step(noticeId)).rejects.toThrow()
  } finally {
    await world.db.query('alter table timeline_entry drop constraint refused')
  }
  await step(noticeId)
  expect(sent).toHaveLength(1)
})

test('after a temporary failure that is reported later, the same message goes again', async () => {
  const { noticeId } = await asked(whatsapp)
  const sentAs = (providerId: string) => ({
    status: 'sent' as const,
    providerId: `${noticeId}${providerId}`,
  })
  results = [sentAs('1'), new OutboundError('connect', { sent: false }), sentAs('2')]
  await step(noticeId)
  const failed = { status: 'failed', failure: 'down', isTemporary: true } as const
  const at = new Date()
  await recordStatus(world.db, engine, { providerId: `${noticeId}1` }, { ...failed, at })
  const { ended, nextAt } = await step(noticeId)
  expect(ended).toBeNull()
  expect(nextAt - at.getTime()).toBeLessThan(10_000)
  await step(noticeId, { tries: 0 }, new Date(nextAt))
  expect(sent).toHaveLength(2)
  const later = await step(noticeId, { tries: 1 }, new Date(nextAt + 31_000))
  expect(later).toMatchObject({ attempts: ['whatsapp: sent'] })
  expect(new Set(sent.map(({ message }) => message.attemptId)).size).toBe(1)
})

test('nobody is told who was removed, said STOP, or whose request is decided', async () => {
  const removed = await asked(mail)
  await removePerson(world.db, removed.personId, new Date())
  expect(await step(removed.noticeId)).toMatchObject({ ended: 'unreachable' })

  begun = []
  const stopped = await asked({ kind: 'mail', address: 'stop@venue.example' })
  const [digest = Buffer.of()] = channelDigests(sealer, 'mail', 'STOP@venue.example')
  await insertOptOut(world.db, digest, new Date())
  expect(await step(stopped.noticeId)).toMatchObject({ ended: 'unreachable' })

  begun = []
  const decided = await asked(mail)
  await command(world, decided.start, 'cancel')
  expect(await step(decided.noticeId)).toMatchObject({ ended: 'answered' })
  begun = []
  expect(await open(decided.start)).toBe('booking.cancelled')
  expect(begun).toMatchObject([{ kind: 'booking.cancelled' }])
  expect(sent).toEqual([])
  expect(await step(begun[0]?.noticeId ?? '')).toMatchObject({ ended: 'told' })

  // What a later notice says better is not told; a change after which nobody comes is an end.
  begun = []
  sent = []
  await setNoticeDue(world.db, decided.start.bookingId, 'booking.changed')
  await world.db.query("update notice set created_at = created_at + interval '1 s'")
  await open(decided.start)
  const changed = begun[0]?.noticeId ?? ''
  expect(await step(changed)).toMatchObject({ ended: 'answered' })
  await world.db.query('delete from notice where id <> $1', [changed])
  await world.db.query('update notice set ended_at = null, ended_reason = null, next_at = now()')
  await step(changed)
  expect(sent.map(({ message }) => message.kind)).toEqual(['booking.cancelled'])
})

test('a request that ends without an answer is told as an end', async () => {
  const { start } = await asked(mail)
  const { rows } = await world.db.query('select answer_by from booking where id = $1', [
    start.bookingId,
  ])
  const late = new Date(rows[0].answer_by.getTime() + 60_000)
  await applyVenueResponses(world.db, start, stepDeps, late)
  begun = []
  await open(start)
  const ended = begun.find(({ kind }) => kind === 'booking.changed')
  await step(ended?.noticeId ?? '')
  expect(sent).toMatchObject([{ message: { kind: 'booking.cancelled' } }])
})

test('a request without anybody to tell says so, and a lost start is made up for', async () => {
  const { start } = await asked()
  expect(begun).toEqual([])
  expect(await timelineOf(start)).toContain('Nobody at the venue could be notified.')

  const fail = { ...engine, beginNotice: () => Promise.reject(new Error('Temporal is away')) }
  const { start: next } = await asked(mail)
  await command(world, next, 'cancel')
  const isLost = async (before: Date) =>
    (await selectLostBookings(world.db, before, { after: null, limit: 1000 })).includes(
      next.bookingId,
    )
  expect(await isLost(new Date(Date.now() + 1000))).toBe(true)
  const { log } = readableLog()
  const deps = { db: world.db, log, engine: fail, testVenues }
  await expect(openNotices(deps, next)).rejects.toThrow('away')
  begun = []
  expect(await open(next)).toBe('nothing to open')
  expect(begun.map(({ kind }) => kind).toSorted()).toEqual(['booking.cancelled', 'request.waiting'])
})

test('a channel that no key opens fails, hides no other, and the next is used', async () => {
  const other = { kind: 'mail', address: 'other@venue.example' } as const
  const one = await asked(whatsapp, other)
  const broken = `update notice_channel set address = 'v1.xx' where id = $1`
  await world.db.query(broken, [one.channelIds[0]])
  await step(one.noticeId)
  await step(one.noticeId)
  expect(sent.map(({ kind }) => kind)).toEqual(['mail'])
  const { people } = await readVenuePeople(world.db, sealer, one.venueId)
  expect(people[0]?.channels.map(({ address }) => address)).toEqual(['?', expect.any(String)])

  await stopAddress(
    { db: world.db, engine },
    channelDigests(sealer, 'mail', other.address),
    'unsubscribed',
    new Date(),
  )
  expect(woken).toContain(one.noticeId)
  expect(await step(one.noticeId)).toMatchObject({ ended: 'unreachable' })
})

test('who has the list of a day is told what changes on it, at venues that confirm alone', async () => {
  const arena = await addArena(world.db, arenaKinds[0])
  await addPerson(world.db, sealer, arena.id, { kind: 'mail', address: 'list@venue.example' })
  const [slotTime = '', other = ''] = arena.slotTimes
  const accountId = await openAccount(world.db)
  const start = await request(world.db, arena, { slotTime, partySize: 1, accountId })
  await decideBooking(world.db, start, stepDeps, new Date())
  await command(world, start, 'amend', { input: { party_size: 2 } })
  expect(await open(start)).toBe('nothing to open')
  const [venueId, at, day] = [arena.id, new Date(), slotTime.slice(0, 10)]
  const list = { bookingId: null, revision: null, answerBy: null, notBefore: at, at, day }
  await insertNotices(world.db, { ...list, venueId, kind: 'day.list' })
  await command(world, start, 'amend', { input: { slot_time: other } })
  expect(await open(start)).toBe('booking.changed')
  await command(world, start, 'cancel')
  expect(await open(start)).toBe('booking.cancelled')
})

test('who is added again at the same address is not told of a matter twice', async () => {
  const { noticeId, venueId, personId, channelIds } = await asked(mail)
  await step(noticeId)
  await endChannel(world.db, channelIds[0] ?? '', 'removed', new Date())
  const again = { venueId, personId, ...mail }
  await addChannel(world.db, sealer, again, 'operator', new Date())
  await step(noticeId, { tries: 0, order: 'resend' })
  expect(sent).toHaveLength(1)
  expect((await selectChannels(world.db, personId)).map(({ id }) => id)).toEqual(channelIds)
})

test('an operator stops a notice, or hurries it on', async () => {
  const { noticeId } = await asked(whatsapp, mail)
  await step(noticeId)
  await step(noticeId, { tries: 0, order: 'resend' })
  expect(sent.map(({ kind }) => kind)).toEqual(['whatsapp', 'mail'])
  expect(await step(noticeId, { tries: 0, order: 'stop' })).toMatchObject({ ended: 'stopped' })
  expect(await step(noticeId)).toMatchObject({ ended: 'stopped' })
})

test('a signed POST has one id for all of its tries, and no guest', async () => {
  const posts: { id: string; body: string }[] = []
  const status = [503, 204, 404, 410]
  const outbound = {
    async send({ headers, body }: { headers: Record<string, unknown>; body: unknown }) {
      posts.push({ id: String(headers['webhook-id']), body: String(body) })
      return { status: status.shift() } as never
    },
  }
  const { start, personId, noticeId } = await asked(mail)
  await step(noticeId)
  const [{ message } = { message: undefined }] = sent
  if (!message) throw new Error('nothing was sent')
  const { address } = postTo('https://venue.example/', newSigningSecret())
  const post = createPostSender({ db: world.db, outbound: outbound as never, sealer, publicUrl })
  const { signal } = new AbortController()
  const send = () => post(message, address, { id: personId, heardAt: null }, signal)
  await expect(send()).rejects.toThrow('status 503')
  expect(await send()).toEqual({ status: 'sent' })
  expect(await send()).toEqual({ status: 'failed', failure: 'status 404' })
  expect(await send()).toMatchObject({ ends: 'gone' })
  expect(new Set(posts.map(({ id }) => id)).size).toBe(1)
  // A dot would separate the id from the rest of the signed text.
  expect(posts[0]?.id).toMatch(/^msg_[\w-]+$/)
  const { type, data } = JSON.parse(posts[0]?.body ?? '')
  expect({ type, keys: Object.keys(data) }).toEqual({
    type: 'request.waiting',
    keys: ['venue', 'booking_id', 'booking_status', 'answer_by', 'link'],
  })
  expect(data.booking_id).toBe(start.bookingId)
})
