import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { applyVenueResponses } from '../../src/confirmation/steps/apply-venue-responses.ts'
import type { Bubble } from '../../src/local/whatsapp/bubbles.ts'
import { openWhatsApp } from '../../src/local/whatsapp/stand-in.ts'
import { whatsAppOf } from '../../src/notices/rules/whatsapp-settings.ts'
import { openNotices } from '../../src/notices/steps/open-notices.ts'
import { createWhatsAppSender } from '../../src/notices/steps/send-whatsapp.ts'
import { tryChannel } from '../../src/notices/steps/try-channel.ts'
import { createOutbound } from '../../src/platform/http/client.ts'
import { subscriberPolicy } from '../../src/platform/http/target.ts'
import { addArena, arenaKinds } from '../../tools/proof/arena.ts'
import { openAccount, request } from '../../tools/proof/world.ts'
import { readableLog } from '../support/lines.ts'
import { testVenues } from '../support/no-test-venues.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { stepDeps } from '../support/terms.ts'
import { addPerson } from '../support/venue-channels.ts'

const publicUrl = 'http://127.0.0.1:3000'
const policy = subscriberPolicy({ NODE_ENV: 'test', HOST: '127.0.0.1', OUTBOUND_SOCKETS: 5 })
const outbound = createOutbound(policy)
const { log } = readableLog()
let phone: Awaited<ReturnType<typeof openWhatsApp>>
let doors: Doors
let lastNumber = 628_120_000_000
let accountId: string
/** the notices that another channel got */
let posted: string[] = []

beforeAll(async () => {
  phone = await openWhatsApp(() => `${doors.url}/whatsapp/events`, { publicUrl })
  doors = await openDoors(phone.settings)
  accountId = await openAccount(doors.db)
  doors.engine.venueResponded = async (start: BookingStart) => {
    await applyVenueResponses(doors.db, start, stepDeps, new Date())
  }
})
beforeEach(() => {
  posted = []
  phone.controls.templates.clear()
})
afterAll(async () => {
  await doors?.close()
  await phone?.stop()
  await outbound.close()
})

const newNumber = () => {
  lastNumber += 1
  return String(lastNumber)
}

/** A request at a venue whose person has a phone of this number, with a second channel. */
async function asked(number = newNumber()) {
  const { db, sealer } = doors
  const kind = arenaKinds.find(({ name }) => name === 'venue with staff') ?? arenaKinds[0]
  const arena = await addArena(db, kind)
  const post = { kind: 'post', address: '{"url":"https://venue.example"}', known: 'x' } as const
  const whatsapp = { kind: 'whatsapp', address: `+${number}` } as const
  const { channelIds } = await addPerson(db, sealer, arena.id, whatsapp, post)
  const slot = { slotTime: arena.slotTimes[2] ?? '', partySize: 2, accountId }
  const start = await request(db, arena, slot)
  await decideBooking(db, start, stepDeps, new Date())
  let noticeId = ''
  const engine = {
    async beginNotice(notice: { noticeId: string }) {
      noticeId = notice.noticeId
      return true
    },
  }
  await openNotices({ db, log, engine, testVenues }, start)
  return {
    arena,
    start,
    number,
    channelId: channelIds[0] ?? '',
    step: (signal?: AbortSignal) => stepOf(noticeId, signal),
  }
}

/** One step of a notice, as its workflow takes it. */
async function stepOf(noticeId: string, signal = new AbortController().signal) {
  const settings = whatsAppOf({ NODE_ENV: 'test', ...phone.settings })
  if (!settings) throw new Error('no settings')
  const { db, sealer } = doors
  const senders = {
    whatsapp: createWhatsAppSender({ outbound, log, settings }, sealer),
    async post({ attemptId }: { attemptId: string }) {
      posted.push(attemptId)
      return { status: 'sent' } as const
    },
  }
  const deps = { db, sealer, publicUrl, log, senders, countAttempt: () => {} }
  return tryChannel(deps, noticeId, { tries: 0 }, new Date(), signal)
}

/** A request that has arrived on the phone. */
async function arrived(number?: string) {
  const one = await asked(number)
  await one.step()
  await phone.settled()
  return { ...one, bubble: lastOn(one.number) }
}

function lastOn(number: string): Bubble {
  const bubble = phone.bubbles.findLast((one) => one.number === number && !one.isOwn)
  if (!bubble) throw new Error(`no message on ${number}`)
  return bubble
}

const press = (bubble: Bubble, title: string | RegExp, by = bubble.number, id?: string) => {
  const button = bubble.buttons.find((one) => one.title.match(title))
  if (!button) throw new Error(`no button ${title}`)
  return phone.press(bubble, button, by, id)
}

const one = async (text: string, values: unknown[]) => (await doors.db.query(text, values)).rows[0]
const bookingOf = ({ start }: { start: BookingStart }) =>
  one('select status, reason_code from booking where id = $1', [start.bookingId])
const channelOf = ({ channelId }: { channelId: string }) =>
  one('select ended_reason, heard_at from notice_channel where id = $1', [channelId])
const attemptOf = ({ bubble }: { bubble: Bubble }) =>
  one('select status, failure, provider_id from notice_attempt where id = $1', [bubble.opaque])

const send = (body: string, headers: Record<string, string>) =>
  fetch(`${doors.url}/whatsapp/events`, { method: 'POST', body, headers })

test('a request arrives once, its statuses out of order and twice', async () => {
  phone.controls.isShuffled = true
  const it = await arrived()
  phone.controls.isShuffled = false
  expect(it.bubble.text).toContain(it.arena.name)
  expect(it.bubble.buttons.map(({ title }) => title)).toEqual(['Accept', 'Another time', 'Decline'])
  expect(await attemptOf(it)).toMatchObject({ status: 'delivered', failure: null })
  phone.read(it.number)
  await phone.settled()
  expect(await attemptOf(it)).toMatchObject({ status: 'read' })
  // The provider's id would contain the number.
  expect((await attemptOf(it)).provider_id).not.toContain('wamid')
  await it.step()
  expect(phone.bubbles.filter(({ number }) => number === it.number)).toHaveLength(1)
})

test('accept acts at once, and only once of two presses and a repeated webhook', async () => {
  const it = await arrived()
  const id = `wamid.${Buffer.from('press').toString('base64')}`
  const both = [press(it.bubble, 'Accept', it.number, id), press(it.bubble, 'Accept')]
  expect(await Promise.all(both)).toEqual([200, 200])
  expect(await press(it.bubble, 'Accept', it.number, id)).toBe(200)
  expect(await bookingOf(it)).toMatchObject({ status: 'confirmed' })
  const replies = phone.bubbles.filter((one) => one.number === it.number && !one.isOwn).slice(1)
  expect(replies.map(({ text }) => text.split(/[:.]/)[0]).sort()).toEqual([
    'Accepted',
    'Already decided',
  ])
  expect(doors.logged()).not.toContain(it.number)
})

test('another time and a decline first ask, and the choice acts', async () => {
  const offered = await arrived()
  await press(offered.bubble, 'Another time')
  expect(await bookingOf(offered)).toMatchObject({ status: 'pending' })
  const times = lastOn(offered.number)
  const slot = Date.parse(offered.start.slotTime)
  const near = times.buttons.map(({ press: pressed }) => {
    const [time = ''] = /\d{4}-\d\d-\d\dT[\d:]+/.exec(JSON.stringify(pressed)) ?? []
    return Math.abs(Date.parse(time) - slot)
  })
  expect(near).toEqual(near.toSorted((one, other) => one - other))
  await press(times, /\d\d:\d\d/)
  expect(await bookingOf(offered)).toMatchObject({ status: 'offered' })
  expect(lastOn(offered.number).text).toMatch(/^Offered: /)

  const declined = await arrived()
  await press(declined.bubble, 'Decline')
  const reasons = lastOn(declined.number)
  expect(reasons.buttons).toHaveLength(4)
  await press(reasons, 'Fully booked')
  expect(await bookingOf(declined)).toMatchObject({ status: 'declined' })
  await press(declined.bubble, 'Another time')
  expect(lastOn(declined.number).text).toBe(
    'Already decided: the request was declined. Your answer changed nothing.',
  )
})

test('a press by another number, or on another message, changes nothing and says so', async () => {
  const [mine, other] = [await arrived(), await arrived()]
  await press(mine.bubble, 'Accept', '628999000111')
  await press({ ...mine.bubble, id: other.bubble.id }, 'Accept')
  await press({ ...mine.bubble, id: 'wamid.older' }, 'Accept')
  expect(await bookingOf(mine)).toMatchObject({ status: 'pending' })
  for (const number of ['628999000111', mine.number]) {
    expect(lastOn(number).text).toMatch(/Nothing has changed\.$/)
  }
})

test('a forged webhook is refused, and a malformed part of a true one left out', async () => {
  const it = await arrived()
  const body = JSON.stringify({ entry: [{ changes: [] }] })
  const signed = (key: string) => ({
    'content-type': 'application/json',
    'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
  })
  const { WHATSAPP_APP_SECRET: secret, WHATSAPP_VERIFY_TOKEN: token } = phone.settings
  for (const headers of [signed('forged'), { 'content-type': 'application/json' }]) {
    expect((await send(body, headers)).status).toBe(401)
  }
  expect((await send(`${body} `, signed(secret))).status).toBe(401)
  expect((await send(body, signed(secret))).status).toBe(200)
  const status = { id: it.bubble.id, status: 'read', timestamp: '1790000000' }
  const statuses = [{ id: 5 }, { ...status, status: 'unknown' }, status]
  expect(await phone.post({ statuses, messages: ['?'] })).toBe(200)
  expect(await attemptOf(it)).toMatchObject({ status: 'read' })

  const verify = (said: string) =>
    fetch(
      `${doors.url}/whatsapp/events?hub.mode=subscribe&hub.verify_token=${said}&hub.challenge=42`,
    )
  expect(await (await verify(token)).text()).toBe('42')
  expect((await verify('a guess')).status).toBe(401)
})

test('STOP ends the channel for ever with one answer, and text gets a link once', async () => {
  const it = await arrived()
  await phone.say(it.number, 'hello?')
  await phone.say(it.number, 'hello??')
  const helped = phone.bubbles.filter((one) => one.number === it.number && !one.isOwn)
  expect(helped.map(({ text }) => text).slice(1)).toEqual([
    expect.stringContaining('/venue/notice/'),
  ])
  await phone.say(it.number, '\u200b“Berhenti” ya')
  await phone.say(it.number, 'stop')
  expect(await channelOf(it)).toMatchObject({ ended_reason: 'stopped' })
  expect(lastOn(it.number).text).toContain('no more messages')
  expect(phone.bubbles.filter((one) => one.number === it.number && !one.isOwn)).toHaveLength(3)
  await press(it.bubble, 'Accept')
  expect(await bookingOf(it)).toMatchObject({ status: 'pending' })
  expect(phone.bubbles.filter((one) => one.number === it.number && !one.isOwn)).toHaveLength(3)
})

test.each(['“STOP”\u200b promo', 'berhenti ya', 'Unsubscribe me, please', 'отписаться'])(
  '%s stops the messages, from a number that WhatsApp writes otherwise',
  async (said) => {
    const [, tail] = newNumber().match(/(\d{8})$/) ?? []
    const it = await arrived(`5255${tail}`)
    await phone.say(`52155${tail}`, said)
    expect(await channelOf(it)).toMatchObject({ ended_reason: 'stopped' })
  },
)

test('a number without WhatsApp and one with a new owner end their channels', async () => {
  const absent = newNumber()
  phone.controls.lines.set(absent, 'absent')
  const wrong = await asked(absent)
  await wrong.step()
  await phone.settled()
  expect(await channelOf(wrong)).toMatchObject({ ended_reason: 'wrong_number' })
  await wrong.step()
  expect(posted).toHaveLength(1)

  const recycled = await arrived()
  const system = (type: string) =>
    phone.write(recycled.number, { type: 'system', system: { type } })
  await system('customer_identity_changed')
  expect(await channelOf(recycled)).toMatchObject({ ended_reason: null })
  await system('user_changed_number')
  expect(await channelOf(recycled)).toMatchObject({ ended_reason: 'recycled' })
})

test('a template that Meta has not approved is said, and the next channel is used', async () => {
  phone.controls.templates.set('request_waiting/en', 'REJECTED')
  const it = await asked()
  await it.step()
  await it.step()
  expect(posted).toHaveLength(1)
  const value = { event: 'REJECTED', message_template_name: 'request_waiting', reason: 'PROMO' }
  expect(await phone.post(value, 'message_template_status_update')).toBe(200)
  expect(doors.logged()).toContain('submit what differs')
})

test('an outage and a limit of WhatsApp are waited for, and nothing is sent twice', async () => {
  const it = await asked()
  phone.controls.lines.set(it.number, 'down')
  await it.step()
  phone.controls.perPair = 0
  phone.controls.lines.set(it.number, 'silent')
  await it.step()
  phone.controls.perPair = 45
  expect(phone.bubbles.some(({ number }) => number === it.number)).toBe(false)
  // The answer is lost, but a status says that the message arrived.
  await it.step(AbortSignal.timeout(300))
  await phone.settled()
  expect(await attemptOf({ bubble: lastOn(it.number) })).toMatchObject({ status: 'delivered' })
  await it.step()
  expect(phone.bubbles.filter(({ number }) => number === it.number)).toHaveLength(1)
  expect(posted).toHaveLength(0)
})
