import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DepositRule } from '../../src/availability/rules/deposit.ts'
import { DAY_MS, SECOND_MS } from '../../src/base/durations.ts'
import { actWhenDue } from '../../src/bookings/steps/act-when-due.ts'
import { eraseGuestDetails } from '../../src/bookings/steps/sweep.ts'
import { selectLostBookings } from '../../src/bookings/store/booking-starts.ts'
import { selectOptionalBookingState } from '../../src/bookings/store/bookings.ts'
import { insertDecision } from '../../src/confirmation/store/venue-responses.ts'
import { addressDigests } from '../../src/guests/rules/mail-address.ts'
import { ADDRESS_TRIES, MAX_TO_ADDRESS, TRY_MS } from '../../src/guests/rules/mail-limits.ts'
import { insertStop } from '../../src/guests/store/guest-mails.ts'
import { openPool } from '../../src/platform/database/sql.ts'
import { AddressRefused } from '../../src/platform/mail/send-mail.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { command } from '../../tools/proof/commands.ts'
import { openAccount, openWorld, type World } from '../../tools/proof/world.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { dumpRows } from '../support/dump-rows.ts'
import { bookedFor, guestSealer, openPostOffice, wanting } from '../support/guests.ts'
import { stepDeps } from '../support/terms.ts'

const log = createLog('silent')

let database: TestDatabase
let world: World
let office: ReturnType<typeof openPostOffice>

beforeAll(async () => {
  database = await createDatabase()
  world = await openWorld(openPool(database.url, 5, () => {}))
})
afterAll(async () => {
  await world?.db.end()
  await database?.drop()
})
beforeEach(() => {
  office = openPostOffice(world.db)
})

const later = (ms: number) => new Date(Date.now() + ms)
/** A guest used by one test, so that limits per address do not interfere. */
const guest = (name: string, more = {}) => wanting({ email: `${name}@guest.example`, ...more })
const timelineOf = async (id: string): Promise<string[]> => {
  const text = 'select what from timeline_entry where booking_id = $1 order by number'
  return (await world.db.query(text, [id])).rows.map(({ what }) => what)
}
const isDue = async (id: string) => (await selectOptionalBookingState(world.db, id))?.noticeDue

describe('a guest who agreed to emails', () => {
  test('gets a confirmation with a calendar file, once, and the timeline says so', async () => {
    const start = await bookedFor(world.db, guest('once'))
    expect(await isDue(start.bookingId)).toBe(true)
    expect(await office.mail(start)).toBe('confirmed')
    expect(await office.mail(start)).toBe('nothing to send')
    expect(await isDue(start.bookingId)).toBeUndefined()
    const [mail, ...others] = office.mails
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: 'once@guest.example', subjectId: start.bookingId })
    expect(mail?.subject).toMatch(`Confirmed: ${start.venueName}, `)
    expect(mail?.text).toMatch(
      /\w{3} \d+ \w+( \d{4})?, \d\d:\d\d \(.+ time\)\n.+, \d+ min\n2 guests/,
    )
    expect(mail?.text).toMatch(/Cancelling is free until .*\. After that a fee of IDR [\d,]+ is ch/)
    expect(mail?.text).toContain('https://network.example/guest/')
    expect(mail?.headers?.['List-Unsubscribe']).toMatch(/^<https:\/\/.*\/guest\/mails\/[\w-]+>$/)
    expect(mail?.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    expect(mail?.attachment?.content).toMatch(/STATUS:CONFIRMED/)
    expect((await timelineOf(start.bookingId)).at(-1)).toBe(
      'The guest was sent an email: that the booking is confirmed.',
    )
  })

  test('gets one email for each change, for the reminder and for the end', async () => {
    const start = await bookedFor(world.db, guest('life'))
    await office.mail(start)
    await command(world, start, 'amend', { input: { party_size: 1 } })
    expect(await office.mail(start)).toBe('amended')
    const { rows } = await world.db.query('select next_action_at from booking where id = $1', [
      start.bookingId,
    ])
    const due = rows[0].next_action_at
    await actWhenDue(world.db, start, stepDeps, due)
    expect(await office.mail(start, due)).toMatch(/^reminder:\d+$/)
    await command(world, start, 'cancel', { input: { by: 'agent' } })
    expect(await office.mail(start, due)).toBe('cancelled')
    expect(await office.mail(start, due)).toBe('nothing to send')
    expect(office.mails.map(({ subject }) => subject.split(':')[0])).toEqual([
      'Confirmed',
      'Changed',
      'Reminder',
      'Cancelled',
    ])
    expect(office.mails[1]?.text).toContain('1 guest\n')
    expect(office.mails[3]?.attachment?.content).toMatch(/STATUS:CANCELLED/)
    expect(new Set(office.mails.map(({ id }) => id)).size).toBe(4)
  })

  test('reads what the venue asks for and how to pay it, while the booking stands', async () => {
    const how_to_pay = 'By card at the bar.'
    const deposits: DepositRule[] = [
      { kind: 'deposit', amount_minor: 10_000_000, per: 'party', how_to_pay },
    ]
    const start = await bookedFor(world.db, guest('deposit'), { deposits })
    await office.mail(start)
    await command(world, start, 'cancel', { input: { by: 'agent' } })
    await office.mail(start)
    const [before, after] = office.mails.map(({ text }) => text)
    expect(before).toContain(
      'The venue asks for a deposit of IDR 100,000. You pay it to the venue, not to us.\n' +
        'How: By card at the bar.\n',
    )
    expect(after).not.toContain('deposit')
  })

  test('reads why the operator of the network cancelled', async () => {
    const start = await bookedFor(world.db, guest('operator'))
    await world.db.query(`update venue set phone = '+62361975123' where id = $1`, [start.venueId])
    await office.mail(start)
    await command(world, start, 'cancel', { input: { by: 'operator', reason: 'Closed <i>now' } })
    await office.mail(start)
    expect(office.mails[1]?.text).toMatch(/^Your booking is cancelled.*\n\nReason: Closed <i>now\n/)
    const contact =
      '\n\nPhone: +62361975123\n\nQuestions? Ask the venue, or see this booking:\nhttps'
    expect(office.mails[1]?.text).toContain(contact)
  })

  test('gets emails in Indonesian on request', async () => {
    const start = await bookedFor(world.db, guest('indonesia', { language: 'id' }))
    await office.mail(start)
    expect(office.mails[0]?.subject).toMatch(/^Terkonfirmasi: /)
    expect(office.mails[0]?.text).toMatch(/(Sen|Sel|Rab|Kam|Jum|Sab|Min), \d/)
    expect(office.mails[0]?.text).toMatch(/\d\d\.\d\d \(waktu .+\)\n.+, \d+ menit\n2 tamu/)
    expect(office.mails[0]?.text).toMatch(/biaya IDR \d+\.\d{3}/)
  })

  test('reads nothing that the agent wrote, and logs contain no address', async () => {
    const start = await bookedFor(world.db, guest('words'))
    await office.mail(start)
    expect(JSON.stringify(office.mails)).not.toMatch(/evil|Sari/)
    expect(office.logged()).toContain('a guest was notified by email')
    expect(office.logged()).not.toMatch(/guest\.example|Sari/)
  })

  test.each([
    ['declined', { reason: 'closed' }, /Nothing is booked.*The venue is closed then/s],
    ['offered', { at: '10:00' }, /Nothing is booked unless.*Accept or refuse/s],
  ] as const)('learns that a request is %s once it is', async (status, said, text) => {
    const start = await bookedFor(world.db, guest(status), { kind: 'venue with staff' })
    expect(await office.mail(start)).toBe('nothing to send')
    const { bookingId, slotTime } = start
    const offeredSlotTime = 'at' in said ? slotTime.replace('11:00', said.at) : undefined
    const now = { answeredAt: new Date(), receivedAt: new Date() }
    const decision = { bookingId, id: `page_${bookingId}_1`, status, revision: 2, ...now }
    await insertDecision(world.db, { ...decision, ...said, offeredSlotTime })
    await actWhenDue(world.db, start, stepDeps, new Date())
    expect(await office.mail(start)).toBe(status)
    expect(office.mails[0]?.text).toMatch(text)
  })
})

describe('nothing is sent', () => {
  test.each([
    ['without consent', { name: 'A', email: 'a@guest.example' }],
    ['without an address', { name: 'A', notify: true }],
    ['without a guest', {}],
  ])('%s', async (_, details) => {
    const start = await bookedFor(world.db, details)
    expect(await office.mail(start)).not.toBe('confirmed')
    expect(office.mails).toEqual([])
  })

  test('about a hold, or about a cancelled request that was never confirmed', async () => {
    const start = await bookedFor(world.db, guest('asked'), { kind: 'venue with staff' })
    await command(world, start, 'cancel')
    expect(await office.mail(start)).toBe('nothing to send')
  })

  test('about a booking whose guest has since been erased, and nothing of it is kept', async () => {
    const start = await bookedFor(world.db, guest('erased'))
    await office.mail(start)
    await command(world, start, 'amend', { input: { party_size: 1 } })
    await eraseGuestDetails({ db: world.db, log }, later(400 * DAY_MS))
    expect(await isDue(start.bookingId)).toBeUndefined()
    expect(await office.mail(start)).toBe('nothing to send')
    const kept = await dumpRows(world.db)
    const [digest = Buffer.of()] = addressDigests(guestSealer, 'erased@guest.example')
    for (const text of ['erased@guest', digest.toString('hex')]) expect(kept).not.toContain(text)
  })

  test('that is no longer true', async () => {
    const start = await bookedFor(world.db, guest('late'))
    const afterIt = new Date(Date.parse(start.startsAt) + SECOND_MS)
    expect(await office.mail(start, afterIt)).toBe('the booking has changed since')
    expect(await isDue(start.bookingId)).toBeUndefined()
  })

  test('to an address whose owner stopped emails, however it is written', async () => {
    const [digest = Buffer.of()] = addressDigests(guestSealer, 'stopped@guest.example')
    await insertStop(world.db, digest, new Date())
    const start = await bookedFor(world.db, guest('stopped', { email: 'Stopped@Guest.example' }))
    expect(await office.mail(start)).toBe('the address has opted out of emails')
  })
})

describe('one email', () => {
  test('has one Message-ID, however often the server is away', async () => {
    const start = await bookedFor(world.db, guest('retry'))
    office.take = () => Promise.reject(new Error('away'))
    for (let tries = 0; tries < 10; tries += 1)
      expect(await office.mail(start)).toBe('failed: away')
    office.take = async () => {}
    expect(await office.mail(start)).toBe('confirmed')
    expect(new Set(office.mails.map(({ id }) => id)).size).toBe(1)
  })

  test('is given up once the server has permanently refused its address', async () => {
    const start = await bookedFor(world.db, guest('gone'))
    office.take = () => Promise.reject(new AddressRefused('550'))
    for (let tries = 1; tries < ADDRESS_TRIES; tries += 1) {
      expect(await office.mail(start)).toBe('failed: 550')
    }
    expect(await office.mail(start)).toBe('550')
    expect(await office.mail(start)).toBe('nothing to send')
  })

  test('is sent by one worker, and sent again only if that worker was killed', async () => {
    const start = await bookedFor(world.db, guest('killed'))
    let release = () => {}
    const stuck = new Promise<void>((resolve) => {
      release = resolve
    })
    office.take = () => stuck
    const first = office.mail(start)
    await expect.poll(() => office.mails.length).toBe(1)
    expect(await office.mail(start)).toBe('failed: another try is under way')
    expect(office.mails).toHaveLength(1)
    office.take = async () => {}
    expect(await office.mail(start, later(TRY_MS + SECOND_MS))).toBe('confirmed')
    expect(office.mails[1]?.id).toBe(office.mails[0]?.id)
    release()
    await first
    expect(await office.mail(start)).toBe('nothing to send')
  })

  test('that was sent is not sent again, although it is still due', async () => {
    const start = await bookedFor(world.db, guest('again'))
    await office.mail(start)
    const text = `update booking set guest_notice = 'confirmed' where id = $1`
    await world.db.query(text, [start.bookingId])
    expect(await office.mail(start)).toBe('the email was already sent')
    expect(office.mails).toHaveLength(1)
  })

  test('that nobody sends makes its booking count as lost', async () => {
    const start = await bookedFor(world.db, guest('lost'))
    const lost = async () =>
      (await selectLostBookings(world.db, later(SECOND_MS), { after: null, limit: 1000 })).includes(
        start.bookingId,
      )
    expect(await lost()).toBe(true)
    await office.mail(start)
    expect(await lost()).toBe(false)
  })
})

describe('strangers are not emailed without limit', () => {
  test('an address gets a limited number a day, an account half of what others leave', async () => {
    const accountId = await openAccount(world.db)
    const mail = async (of?: { accountId: string }) =>
      office.mail(await bookedFor(world.db, guest('busy'), of))
    const own: string[] = []
    for (let count = 0; count <= MAX_TO_ADDRESS / 2; count += 1) own.push(await mail({ accountId }))
    expect(own.filter((one) => one === 'confirmed')).toHaveLength(MAX_TO_ADDRESS / 2)
    expect(own.at(-1)).toBe('the address was sent too many emails')
    const others: string[] = []
    for (let count = 0; count <= MAX_TO_ADDRESS / 2; count += 1) others.push(await mail())
    expect(others.filter((one) => one === 'confirmed')).toHaveLength(MAX_TO_ADDRESS / 2)
    expect(others.at(-1)).toBe('the address was sent too many emails')
  })

  test('an account can cause a limited number a day, more as it completes bookings', async () => {
    const accountId = await openAccount(world.db)
    const start = await bookedFor(world.db, guest('many'), { accountId })
    await world.db.query(
      `insert into guest_mail (booking_id, number, id, kind, account_id, address, at)
       select $1, n, gen_random_uuid(), 'confirmed', $2, int4send(n), now()
       from generate_series(100, 149) n`,
      [start.bookingId, accountId],
    )
    expect(await office.mail(start)).toBe('the account has sent too many emails')
    const next = await bookedFor(world.db, guest('more'), { accountId })
    await actWhenDue(world.db, start, stepDeps, later(30 * DAY_MS))
    expect(await office.mail(next)).toBe('confirmed')
  })
})
