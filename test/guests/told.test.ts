import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { findSlot, inThreeDays } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'
import { nightly } from '../support/nightly.ts'
import { ownPort } from '../support/ports.ts'
import { eventually } from '../support/programs.ts'
import { openSmtpServer } from '../support/smtp-server.ts'
import { addVenue } from '../support/test-venues.ts'
import { look } from '../support/venue-people.ts'

let service: Service

beforeAll(async () => {
  service = await openService()
})
afterAll(() => service?.close())

const once = () => ({ 'idempotency-key': randomUUID() })
const newGuest = (more = {}) => {
  const email = `${randomUUID()}@guest.example`
  return { name: 'Ayu', email, notify: true, ...more }
}

const mailsTo = async (email: string): Promise<any[]> => {
  const text = 'select * from mail where recipient = $1 order by created_at'
  return (await service.db.query(text, [email])).rows
}
async function untilMailed(email: string, count: number): Promise<any[]> {
  await eventually(`mail ${count}`, async () => (await mailsTo(email)).length >= count)
  return mailsTo(email)
}
const linkIn = (body: string): string => /http\S+\/guest\/(?!mails)\S+/.exec(body)?.[0] ?? ''

async function book(guest: object) {
  const slot = await findSlot(service.agent, 'restaurant in Bali')
  const { status, body } = await service.agent.post('/api/bookings', { ...slot, guest }, once())
  expect(status, JSON.stringify(body)).toBe(201)
  return body.booking
}

test('a guest is notified, cancels on the page, and is notified of that', async () => {
  const guest = newGuest()
  const booking = await book(guest)
  expect(booking).toMatchObject({ guest_mails: true })
  const [confirmed] = await untilMailed(guest.email, 1)
  const link = linkIn(confirmed.body)
  expect(link).toBe(booking.guest_url)
  expect(confirmed.attachment.content).toContain(`UID:${booking.id}@`)

  expect((await look(`${link}/cancel`)).html).toContain('Cancelling now is free.')
  const body = new URLSearchParams({ fee: 'reversed' })
  // A click waits only 5 s; clicking again does no harm.
  const click = async () => {
    const { html } = await look(`${link}/cancel`, { method: 'POST', body })
    return html.includes('The booking is cancelled.')
  }
  for (const nth of ['first', 'second']) await eventually(`the ${nth} click`, click)

  const read = await service.agent.get(`/api/bookings/${booking.id}`)
  expect(read.body.booking).toMatchObject({ status: 'cancelled', cancelled_by: 'guest' })
  expect(read.body.booking.fee.status).toBe('reversed')
  const mails = await untilMailed(guest.email, 2)
  expect(mails.map(({ subject }) => subject.split(':')[0])).toEqual(['Confirmed', 'Cancelled'])

  const { body: timeline } = await service.agent.get(`/api/bookings/${booking.id}/timeline`)
  expect(timeline.signature).not.toBeNull()
  expect(timeline.entries.map(({ by, why }: any) => [by, why])).toContainEqual([
    'guest',
    'The guest asked for it on the page of the booking.',
  ])
  const { body: events } = await service.agent.get(`/api/bookings/${booking.id}/events`)
  const types = events.events.map(({ type }: any) => type)
  expect(types.filter((type: string) => type === 'booking.cancelled')).toHaveLength(1)
  expect(JSON.stringify([events, timeline])).not.toContain('/guest/')
  expect(await service.client.workflow.getHandle(bookingWorkflowId(booking.id)).result()).toBe(
    'cancelled',
  )
})

test('without consent there is a link but no email', async () => {
  const quiet = newGuest({ notify: false })
  const booking = await book(quiet)
  expect(booking).toMatchObject({ guest_mails: false })
  expect((await look(booking.guest_url)).status).toBe(200)
  // By now, a later guest of the same service has received an email.
  const guest = newGuest({ language: 'id' })
  await book(guest)
  const [mail] = await untilMailed(guest.email, 1)
  expect(mail.subject).toMatch(/^Terkonfirmasi: /)
  expect(await mailsTo(quiet.email)).toEqual([])
})

test('consent without an address is refused, saying what to send', async () => {
  const slot = await findSlot(service.agent, 'restaurant in Bali')
  const guest = { name: 'Ayu', notify: true }
  const { status, body } = await service.agent.post('/api/bookings', { ...slot, guest })
  expect(status).toBe(400)
  expect(body.errors).toEqual([
    { pointer: '/guest/email', detail: 'is needed to notify the guest' },
  ])
})

test('a hold has no page; its confirmation names the guest and links to the page', async () => {
  const slot = await findSlot(service.agent, 'restaurant in Bali')
  const { body: held } = await service.agent.post('/api/holds', slot, once())
  expect(held.booking).toMatchObject({ status: 'held', guest_url: null })
  const guest = newGuest()
  const confirmation = { hold_id: held.booking.id, guest }
  const { body } = await service.agent.post('/api/bookings', confirmation, once())
  expect(body.booking).toMatchObject({ status: 'confirmed', guest_mails: true })
  const [mail] = await untilMailed(guest.email, 1)
  expect(linkIn(mail.body)).toBe(body.booking.guest_url)
})

test('the guest of an itinerary is notified of its parts once all are booked', async () => {
  const [first, second] = [await addVenue(service.db), await addVenue(service.db)]
  const date = inThreeDays()
  const parts = [
    { venue_id: first.id, slot_time: `${date}T12:00:00`, party_size: 2 },
    { venue_id: second.id, slot_time: `${date}T19:00:00`, party_size: 2 },
  ]
  const guest = newGuest()
  const { body } = await service.agent.post('/api/itineraries', { parts, guest }, once())
  const urls = body.itinerary.parts.map(({ booking }: any) => booking.guest_url)
  const mails = await untilMailed(guest.email, 2)
  expect(mails.map(({ body }) => linkIn(body)).sort()).toEqual(urls.sort())

  const failing = newGuest()
  const refused = { parts: [parts[0], { ...parts[1], party_size: 1_000 }], guest: failing }
  expect((await service.agent.post('/api/itineraries', refused, once())).status).toBe(409)
  expect(await mailsTo(failing.email)).toEqual([])
})

nightly('a guest is notified once despite a mail server outage, and no command waits', async () => {
  const port = await ownPort()
  const SMTP_URL = `smtp://127.0.0.1:${port}`
  const mailing = await openService({ SMTP_URL, MAIL_FROM: 'network@example.com' })
  const guest = newGuest()
  const slot = await findSlot(mailing.agent, 'restaurant in Bali')
  const { body } = await mailing.agent.post('/api/bookings', { ...slot, guest }, once())
  const handle = mailing.client.workflow.getHandle(bookingWorkflowId(body.booking.id))
  await eventually('a second try', async () => {
    const { raw } = await handle.describe()
    return raw.pendingActivities?.some(({ attempt }) => Number(attempt) >= 2)
  })
  const change = { party_size: slot.party_size === 2 ? 3 : 2 }
  const amended = await mailing.agent.patch(`/api/bookings/${body.booking.id}`, change)
  expect(amended.body.status).toBe('amended')
  const server = await openSmtpServer(port)
  try {
    await eventually('the mail', async () => server.received.length > 0)
    const text = `select guest_notice from booking where id = $1`
    await eventually('that it is recorded', async () => {
      const { rows } = await mailing.db.query(text, [body.booking.id])
      return rows[0].guest_notice === null
    })
    expect(server.received).toHaveLength(1)
    const { data = '', to = [] } = server.received[0] ?? {}
    expect(to).toEqual([`<${guest.email}>`])
    // The change replaced the confirmation that was never sent.
    expect(data).toMatch(/^Subject: Changed: /m)
    expect(data).toMatch(/^Message-ID: <[\w-]+@example.com>$/im)
    expect(data).toMatch(/^List-Unsubscribe:\s+<http/im)
    expect(data).toMatch(/^Content-Type: text\/calendar/im)
  } finally {
    await mailing.close()
    await server.close()
  }
})
