import { expect, test } from 'vitest'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { selectLostBookings } from '../../src/bookings/store/booking-starts.ts'
import { applyVenueResponses } from '../../src/confirmation/steps/apply-venue-responses.ts'
import { setNoticeDue } from '../../src/confirmation/store/venue-notices.ts'
import { readVenuePeople } from '../../src/notices/operations/venue-people.ts'
import { channelDigests } from '../../src/notices/rules/channel.ts'
import { addChannel } from '../../src/notices/steps/add-channel.ts'
import { openNotices } from '../../src/notices/steps/open-notices.ts'
import { createPostSender } from '../../src/notices/steps/send-post.ts'
import { stopAddress } from '../../src/notices/steps/stop-address.ts'
import { endChannel, insertOptOut, selectChannels } from '../../src/notices/store/channels.ts'
import { insertNotices } from '../../src/notices/store/notices.ts'
import { removePerson } from '../../src/notices/store/people.ts'
import { newSigningSecret } from '../../src/platform/http/signature.ts'
import { addArena, arenaKinds } from '../../tools/proof/arena.ts'
import { command } from '../../tools/proof/commands.ts'
import { openAccount, request } from '../../tools/proof/world.ts'
import { readableLog } from '../support/lines.ts'
import { testVenues } from '../support/no-test-venues.ts'
import { mail, publicUrl, sealer, useNoticeDesk, whatsapp } from '../support/notice-desk.ts'
import { stepDeps } from '../support/terms.ts'
import { addPerson, postTo } from '../support/venue-channels.ts'

const { desk, engine, asked, open, step, timelineOf } = useNoticeDesk()

test('nobody is told who was removed, said STOP, or whose request is decided', async () => {
  const removed = await asked(mail)
  await removePerson(desk.world.db, removed.personId, new Date())
  expect(await step(removed.noticeId)).toMatchObject({ ended: 'unreachable' })

  desk.begun = []
  const stopped = await asked({ kind: 'mail', address: 'stop@venue.example' })
  const [digest = Buffer.of()] = channelDigests(sealer, 'mail', 'STOP@venue.example')
  await insertOptOut(desk.world.db, digest, new Date())
  expect(await step(stopped.noticeId)).toMatchObject({ ended: 'unreachable' })

  desk.begun = []
  const decided = await asked(mail)
  await command(desk.world, decided.start, 'cancel')
  expect(await step(decided.noticeId)).toMatchObject({ ended: 'answered' })
  desk.begun = []
  expect(await open(decided.start)).toBe('booking.cancelled')
  expect(desk.begun).toMatchObject([{ kind: 'booking.cancelled' }])
  expect(desk.sent).toEqual([])
  expect(await step(desk.begun[0]?.noticeId ?? '')).toMatchObject({ ended: 'told' })

  // What a later notice says better is not told; a change after which nobody comes is an end.
  desk.begun = []
  desk.sent = []
  await setNoticeDue(desk.world.db, decided.start.bookingId, 'booking.changed')
  await desk.world.db.query("update notice set created_at = created_at + interval '1 s'")
  await open(decided.start)
  const changed = desk.begun[0]?.noticeId ?? ''
  expect(await step(changed)).toMatchObject({ ended: 'answered' })
  await desk.world.db.query('delete from notice where id <> $1', [changed])
  await desk.world.db.query(
    'update notice set ended_at = null, ended_reason = null, next_at = now()',
  )
  await step(changed)
  expect(desk.sent.map(({ message }) => message.kind)).toEqual(['booking.cancelled'])
})

test('a request that ends without an answer is told as an end', async () => {
  const { start } = await asked(mail)
  const { rows } = await desk.world.db.query('select answer_by from booking where id = $1', [
    start.bookingId,
  ])
  const late = new Date(rows[0].answer_by.getTime() + 60_000)
  await applyVenueResponses(desk.world.db, start, stepDeps, late)
  desk.begun = []
  await open(start)
  const ended = desk.begun.find(({ kind }) => kind === 'booking.changed')
  await step(ended?.noticeId ?? '')
  expect(desk.sent).toMatchObject([{ message: { kind: 'booking.cancelled' } }])
})

test('a request without anybody to tell says so, and a lost start is made up for', async () => {
  const { start } = await asked()
  expect(desk.begun).toEqual([])
  expect(await timelineOf(start)).toContain('Nobody at the venue could be notified.')

  const fail = { ...engine, beginNotice: () => Promise.reject(new Error('Temporal is away')) }
  const { start: next } = await asked(mail)
  await command(desk.world, next, 'cancel')
  const isLost = async (before: Date) =>
    (await selectLostBookings(desk.world.db, before, { after: null, limit: 1000 })).includes(
      next.bookingId,
    )
  expect(await isLost(new Date(Date.now() + 1000))).toBe(true)
  const { log } = readableLog()
  const deps = { db: desk.world.db, log, engine: fail, testVenues }
  await expect(openNotices(deps, next)).rejects.toThrow('away')
  desk.begun = []
  expect(await open(next)).toBe('nothing to open')
  expect(desk.begun.map(({ kind }) => kind).toSorted()).toEqual([
    'booking.cancelled',
    'request.waiting',
  ])
})

test('a channel that no key opens fails, hides no other, and the next is used', async () => {
  const other = { kind: 'mail', address: 'other@venue.example' } as const
  const one = await asked(whatsapp, other)
  const broken = `update notice_channel set address = 'v1.xx' where id = $1`
  await desk.world.db.query(broken, [one.channelIds[0]])
  await step(one.noticeId)
  await step(one.noticeId)
  expect(desk.sent.map(({ kind }) => kind)).toEqual(['mail'])
  const { people } = await readVenuePeople(desk.world.db, sealer, one.venueId)
  expect(people[0]?.channels.map(({ address }) => address)).toEqual(['?', expect.any(String)])

  await stopAddress(
    { db: desk.world.db, engine },
    channelDigests(sealer, 'mail', other.address),
    'unsubscribed',
    new Date(),
  )
  expect(desk.woken).toContain(one.noticeId)
  expect(await step(one.noticeId)).toMatchObject({ ended: 'unreachable' })
})

test('who has the list of a day hears of its changes, at venues that confirm alone', async () => {
  const arena = await addArena(desk.world.db, arenaKinds[0])
  await addPerson(desk.world.db, sealer, arena.id, { kind: 'mail', address: 'list@venue.example' })
  const [slotTime = '', other = ''] = arena.slotTimes
  const accountId = await openAccount(desk.world.db)
  const start = await request(desk.world.db, arena, { slotTime, partySize: 1, accountId })
  await decideBooking(desk.world.db, start, stepDeps, new Date())
  await command(desk.world, start, 'amend', { input: { party_size: 2 } })
  expect(await open(start)).toBe('nothing to open')
  const [venueId, at, day] = [arena.id, new Date(), slotTime.slice(0, 10)]
  const list = { bookingId: null, revision: null, answerBy: null, notBefore: at, at, day }
  await insertNotices(desk.world.db, { ...list, venueId, kind: 'day.list' })
  await command(desk.world, start, 'amend', { input: { slot_time: other } })
  expect(await open(start)).toBe('booking.changed')
  await command(desk.world, start, 'cancel')
  expect(await open(start)).toBe('booking.cancelled')
})

test('who is added again at the same address is not told of a matter twice', async () => {
  const { noticeId, venueId, personId, channelIds } = await asked(mail)
  await step(noticeId)
  await endChannel(desk.world.db, channelIds[0] ?? '', 'removed', new Date())
  const again = { venueId, personId, ...mail }
  await addChannel(desk.world.db, sealer, again, 'operator', new Date())
  await step(noticeId, { tries: 0, order: 'resend' })
  expect(desk.sent).toHaveLength(1)
  expect((await selectChannels(desk.world.db, personId)).map(({ id }) => id)).toEqual(channelIds)
})

test('an operator stops a notice, or hurries it on', async () => {
  const { noticeId } = await asked(whatsapp, mail)
  await step(noticeId)
  await step(noticeId, { tries: 0, order: 'resend' })
  expect(desk.sent.map(({ kind }) => kind)).toEqual(['whatsapp', 'mail'])
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
  const [{ message } = { message: undefined }] = desk.sent
  if (!message) throw new Error('nothing was sent')
  const { address } = postTo('https://venue.example/', newSigningSecret())
  const post = createPostSender({
    db: desk.world.db,
    outbound: outbound as never,
    sealer,
    publicUrl,
  })
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
