import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type Service } from '../support/network.ts'
import { notify } from '../support/notices.ts'
import { eventually } from '../support/programs.ts'
import {
  answer,
  formOf,
  linkTo,
  look,
  requestFromStaff,
  sealerOf,
  send,
  staffAllDay,
  timesFor,
} from '../support/venue-people.ts'

let service: Service
beforeAll(async () => {
  service = await openService()
  await staffAllDay(service.db, 'restaurant')
})
afterAll(() => service?.close())

const bookingOf = async (id: string) =>
  (await service.agent.get(`/api/bookings/${id}`)).body.booking
const until = (id: string, what: string, holds: (booking: any) => boolean) =>
  eventually(what, async () => {
    const booking = await bookingOf(id)
    return holds(booking) && booking
  })
const mailsTo = async (email: string): Promise<string[]> =>
  (
    await service.db.query('select subject from mail where recipient = $1 order by created_at', [
      email,
    ])
  ).rows.map(({ subject }) => subject.split(':')[0])

/** A request of a guest who wants emails, and the staff's page of it. */
async function requested() {
  const email = `${randomUUID()}@guest.example`
  const { id, page } = await requestFromStaff(service, {
    guest: { name: 'Ayu', email, notify: true },
  })
  await until(id, 'the request', ({ answer_by }) => answer_by !== null)
  return { id, email, page, guest: (await bookingOf(id)).guest_url as string }
}
async function accepted() {
  const made = await requested()
  await answer(made.page, 'confirmed')
  const booking = await until(made.id, 'the yes', ({ status }) => status === 'confirmed')
  return { ...made, booking }
}
const post = (url: string, fields: Record<string, string>) =>
  look(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

/** Asks for another time and one more guest on the guest's page; returns the time. */
async function askForChange(guest: string, { slot_time, party_size }: any) {
  const guests = String(party_size + 1)
  const { html } = await look(`${guest}/change?guests=${guests}&date=${slot_time.slice(0, 10)}`)
  expect(html).toContain('Until it agrees, your booking stays as it is.')
  const times = [...html.matchAll(/name="slot_time" value="([^"]+)"/g)].map(([, time]) => time)
  const time = times.find((one) => one !== slot_time) ?? ''
  const fieldOf = (name: string) => html.split(`name="${name}" value="`)[1]?.split('"')[0] ?? ''
  const [form, revision, date] = [fieldOf('form'), fieldOf('revision'), time.slice(0, 10)]
  const fields = { form, revision, guests, date, slot_time: time }
  const sent = post(`${guest}/change`, fields)
  return { time, sent, fields, guests }
}

test('a guest’s change waits for the people at the venue, who agree', async () => {
  const { id, email, guest, page, booking } = await accepted()
  const { time, sent, fields, guests } = await askForChange(guest, booking)
  const waiting = await until(id, 'the change', ({ change }) => change !== null)
  expect(waiting).toMatchObject({ slot_time: booking.slot_time, party_size: booking.party_size })
  const shown = (await look(guest)).html
  expect(shown).toContain('Waiting for the venue: ')
  expect(shown).not.toContain('/change?')
  const old = formOf((await look(page)).html, 'confirmed')
  expect((await look(page)).html).toContain('Change it to ')
  expect((await look(await linkTo(service, booking.venue.id))).html).toMatch(
    /1 request is waiting.*Change it to.*Accept the change.*Keep it as it is/s,
  )
  const agents = { party_size: 1, wait: 20 }
  const refused = await service.agent.patch(`/api/bookings/${id}`, agents)
  expect(refused.body).toMatchObject({ status: 409, code: 'not_decided_yet' })

  const world = { ...service, sealer: sealerOf(service) }
  const told = await notify(world, { venueId: booking.venue.id, bookingId: id })
  const notice = (await look(told.url)).html
  expect(notice).toMatch(/<h1[^>]*>Change this booking of .*2 guests\?<\/h1>/)
  expect(notice).not.toContain('Another time')
  await post(told.url, { form: randomUUID(), act: 'accept' })
  await sent
  const changed = await until(id, 'the amendment', ({ slot_time }) => slot_time === time)
  expect(changed).toMatchObject({ change: null, party_size: Number(guests), status: 'confirmed' })
  // Another phone at the venue, and the guest's form once more: nothing changes.
  const late = { ...old, said: 'declined', form: randomUUID(), reason: 'other' }
  expect((await send(page, late)).html).toContain('nothing was changed')
  const again = await post(`${guest}/change`, fields)
  expect(again.headers.get('location')).toMatch(/done=amended$/)
  expect((await bookingOf(id)).revision).toBe(changed.revision)
  await eventually('the email', async () => (await mailsTo(email)).includes('Changed'))
  const { body } = await service.agent.get(`/api/bookings/${id}/timeline`)
  const [asked, made] = body.entries.filter(({ what }: any) => /moved from/.test(what))
  expect([asked.by, made.by]).toEqual(['guest', 'venue'])
  const { body: events } = await service.agent.get(`/api/bookings/${id}/events`)
  const types = events.events.map(({ type }: any) => type)
  expect(types.filter((type: string) => type === 'booking.amended')).toHaveLength(1)
})

test('a change that the venue declines, or answers late, leaves the booking as is', async () => {
  const { id, email, guest, page, booking } = await accepted()
  const first = await askForChange(guest, booking)
  await until(id, 'the change', ({ change }) => change !== null)
  const declined = await answerChange(page, 'declined')
  expect(declined).toContain('The booking stays as it was.')
  await first.sent
  await until(id, 'the no', ({ change }) => change === null)
  expect((await look(guest)).html).toContain('The venue could not change your booking.')
  await eventually('the email', async () => (await mailsTo(email)).includes('Not changed'))

  const second = await askForChange(guest, booking)
  await until(id, 'another change', ({ change }) => change !== null)
  expect((await look(guest)).html).not.toContain('The venue could not change')
  const overdue = `update booking set answer_by = now() - interval '10 seconds' where id = $1`
  await service.db.query(overdue, [id])
  // The service may have ended the change before the press.
  expect(await answerChange(page, 'confirmed')).toMatch(/nothing was changed|has changed since/)
  await second.sent
  const { slot_time, party_size, status } = await until(id, 'the end', (one) => one.change === null)
  expect({ slot_time, party_size, status }).toEqual({
    ...{ slot_time: booking.slot_time, party_size: booking.party_size, status: 'confirmed' },
  })
  const { rows } = await service.db.query(
    `select count(*)::int as held from allocation where booking_id = $1 and of_change`,
    [id],
  )
  expect(rows).toEqual([{ held: 0 }])

  const third = await askForChange(guest, booking)
  await until(id, 'a third change', ({ change }) => change !== null)
  await post(`${guest}/cancel`, { fee: 'reversed' })
  await third.sent
  const { change } = await until(id, 'the end', (one) => one.status === 'cancelled')
  expect(change).toBe(null)
})

/** Staff answer a change: its decline has no page of its own. */
async function answerChange(page: string, said: string): Promise<string> {
  const sent = await send(page, formOf((await look(page)).html, said))
  return eventually('the effect', async () => {
    const { html } = await look(sent.url)
    return html.includes('Refresh in a moment') ? undefined : html
  })
}

test('a guest accepts the time that the people offer, or refuses it, once', async () => {
  const [one, other] = [await requested(), await requested()]
  for (const { id, page } of [one, other]) {
    const [time = ''] = await timesFor(page)
    await answer(page, 'offered', { slot_time: time })
    await until(id, 'the offer', ({ status }) => status === 'offered')
  }
  const { offer } = await bookingOf(one.id)
  const { slot_time } = offer
  const date = slot_time.slice(0, 10)
  const early = { form: randomUUID(), revision: '1', guests: '2', date, slot_time }
  expect((await post(`${one.guest}/change`, early)).headers.get('location')).toMatch(/refused$/)
  const accept = () => post(`${one.guest}/accept`, { slot_time: offer.slot_time })
  const replies = await Promise.all([accept(), accept()])
  for (const { headers } of replies) expect(headers.get('location')).toMatch(/\?lang=en$/)
  expect(await bookingOf(one.id)).toMatchObject({
    ...{ status: 'confirmed', slot_time: offer.slot_time, offer: null },
  })
  await eventually('the email', async () => (await mailsTo(one.email)).includes('Confirmed'))

  await service.db.query(
    `update booking set answer_by = now() - interval '1 minute' where id = $1`,
    [other.id],
  )
  const missed = (await bookingOf(other.id)).offer.slot_time
  const late = await post(`${other.guest}/accept`, { slot_time: missed })
  expect(late.headers.get('location')).toMatch(/done=changed$/)
  await until(other.id, 'the end', ({ status }) => status === 'expired')
  expect((await look(other.guest)).html).toContain('Nothing is booked.')
  const refused = await requested()
  const [time = ''] = await timesFor(refused.page)
  await answer(refused.page, 'offered', { slot_time: time })
  await until(refused.id, 'the offer', ({ status }) => status === 'offered')
  for (const nth of ['first', 'second']) {
    const { headers } = await post(`${refused.guest}/cancel`, { fee: 'none' })
    expect(headers.get('location'), nth).toMatch(/done=done$/)
  }
  expect(await bookingOf(refused.id)).toMatchObject({ status: 'declined' })
})
