import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../../src/base/durations.ts'
import { venueProgram } from '../../src/commands/venue-program.ts'
import { readConfig } from '../../src/config/config.ts'
import { venueLinkUrl } from '../../src/confirmation/rules/venue-link.ts'
import { insertLink } from '../../src/confirmation/store/venue-links.ts'
import { secretsKeys } from '../../src/local/key-files.ts'
import { invitationUrl } from '../../src/notices/rules/person-link.ts'
import { addChannel } from '../../src/notices/steps/add-channel.ts'
import { invitePerson, removeFromVenue } from '../../src/notices/steps/change-people.ts'
import { selectChanges } from '../../src/notices/store/person-changes.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey } from '../../src/platform/sealing/sealing-keys.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { runTyped } from '../support/operator.ts'
import { look } from '../support/venue-people.ts'

const PIN = '274916'
const config = readConfig({ SECRETS_KEY: newSealingKey(), PUBLIC_URL: 'https://network.example' })
const sealer = createSealer(secretsKeys(config))
let doors: Doors
let venueId: string
let otherVenueId: string

beforeAll(async () => {
  doors = await openDoors({}, undefined, undefined, {}, { sealer })
  const { rows } = await doors.db.query('select id from venue where not is_test limit 2')
  ;[venueId, otherVenueId] = rows.map(({ id }) => id)
})
afterAll(() => doors?.close())

const byOperator = () => ({ venueId, personId: 'operator' }) as const
const invite = async (role: 'owner' | 'staff', at = new Date(), id: string = randomUUID()) => {
  const invitationId = await invitePerson(doors.db, byOperator(), { id, name: 'Wayan', role }, at)
  return { id, url: invitationUrl(doors.sealer, doors.url, invitationId) }
}
const post = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' })
const textOf = async (sent: Promise<Response>) => {
  const response = await sent
  return { status: response.status, html: await response.text() }
}
/** A person who has joined: the address of their page, and the cookie of their device. */
async function joined(role: 'owner' | 'staff', name = 'Wayan') {
  const { id, url } = await invite(role)
  const response = await post(url, { name, pin: PIN })
  const [cookie = ''] = response.headers.get('set-cookie')?.split(';') ?? []
  return { id, page: `${doors.url}${response.headers.get('location')}`, headers: { cookie } }
}
const pageOf = async (id: string) => {
  const link = { id: randomUUID(), venueId: id, bookingId: null, days: 1, at: new Date() }
  return venueLinkUrl(doors.sealer, doors.url, await insertLink(doors.db, link))
}

test('an invitation makes one person, once, with a PIN that is not easy to guess', async () => {
  const { id, url } = await invite('owner')
  expect((await look(url)).html).toContain('New PIN, 6 digits')
  for (const pin of ['123456', '000000', '12345', 'abcdef']) {
    expect(await textOf(post(url, { name: 'Wayan', pin }))).toMatchObject({
      status: 400,
      html: expect.stringContaining('not easy to guess'),
    })
  }
  // An address without the tick is nobody's consent.
  const withoutConsent = { name: 'Wayan', pin: PIN, mail: 'wayan@venue.example' }
  const again = await textOf(post(url, withoutConsent))
  expect([again.status, again.html]).toEqual([400, expect.stringContaining('tick the box')])
  expect(again.html).not.toContain('guess')
  const both = await Promise.all([
    post(url, { name: 'Wayan', pin: PIN }),
    post(url, { name: 'Thief', pin: PIN }),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual([303, 403])
  const winner = both.find(({ status }) => status === 303)
  expect(winner?.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax; Max-Age=7776000$/)
  // The invitation leads back to the page, for whoever knows the PIN.
  expect((await look(url)).url).toContain('/who')
  const old = await invite('owner', new Date(Date.now() - 8 * DAY_MS))
  expect(await look(old.url)).toMatchObject({ status: 403 })
  expect(doors.logged()).not.toContain(PIN)
  const { rows } = await doors.db.query('select pin_hash from venue_person where id = $1', [id])
  expect(rows[0].pin_hash).toMatch(/^\$argon2id\$/)
})

test('a device without a person is asked who uses it, and goes on from there', async () => {
  const { id } = await joined('staff')
  const page = await pageOf(venueId)
  const asked = await look(`${page}/people`)
  expect(asked.url).toBe(`${page}/who?next=%2Fpeople`)
  expect(asked.html).toContain('who are you?')
  const wrong = await textOf(post(`${page}/who`, { person: id, pin: '135790', next: '/people' }))
  expect(wrong).toMatchObject({ status: 403, html: expect.stringContaining('Wrong PIN') })
  const right = await post(`${page}/who`, { person: id, pin: PIN, next: '/people' })
  expect(`${doors.url}${right.headers.get('location')}`).toBe(`${page}/people`)
  const evil = await post(`${page}/who`, { person: id, pin: PIN, next: '//evil.example' })
  expect(evil.headers.get('location')).toBe(new URL(page).pathname)
  // The language that a reader chooses stays, and refusals are in it too.
  expect(asked.html).toContain('/who?next=%2Fpeople&amp;lang=id"')
  const inIndonesian = { person: id, pin: PIN, next: '/people' }
  const moved = await post(`${page}/who?lang=id`, inIndonesian)
  expect(`${doors.url}${moved.headers.get('location')}`).toBe(`${page}/people?lang=id`)
  const refused = await look(`${page}/day?lang=id`, { method: 'POST' })
  expect(refused).toMatchObject({ status: 403, html: expect.stringContaining('dengan PIN Anda') })
  expect((await look(`${doors.url}/venue/x?lang=id`)).html).toContain('Tautan ini tidak berfungsi')
  // Another venue's people, and its page, are of no use.
  const other = await pageOf(otherVenueId)
  expect((await post(`${other}/who`, { person: id, pin: PIN })).status).toBe(403)
})

test('PINs cannot be guessed: ten attempts, also by many at once', async () => {
  const { id } = await joined('staff')
  const page = await pageOf(venueId)
  const guesses = Array.from({ length: 14 }, (_, index) =>
    post(`${page}/who`, { person: id, pin: `${900_000 + index * 7}` }),
  )
  const codes = (await Promise.all(guesses)).map(({ status }) => status)
  expect(codes.filter((status) => status === 403)).toHaveLength(10)
  expect(codes.filter((status) => status === 429)).toHaveLength(4)
  expect((await post(`${page}/who`, { person: id, pin: PIN })).status).toBe(429)
  // A new invitation is the way out.
  const { url } = await invite('staff', new Date(), id)
  expect((await post(url, { name: 'Wayan', pin: PIN })).status).toBe(303)
  expect((await post(`${page}/who`, { person: id, pin: PIN })).status).toBe(303)
})

test('a new PIN for the only person who has joined opens the page to nobody', async () => {
  const { rows } = await doors.db.query('select id from venue where not is_test offset 2 limit 1')
  const [{ id: venue }] = rows
  const by = { venueId: venue, personId: 'operator' } as const
  const owner = { id: randomUUID(), name: 'Made', role: 'owner' } as const
  const again = () => invitePerson(doors.db, by, owner, new Date())
  const page = await pageOf(venue)
  const url = invitationUrl(doors.sealer, doors.url, await again())
  expect((await look(page)).status).toBe(200)
  await post(url, { name: 'Made', pin: PIN })
  await again()
  expect((await look(page)).url).toContain('/who')
  expect((await post(`${page}/day`, { date: '2030-01-01', closing: 'day' })).status).toBe(403)
  expect(await removeFromVenue(doors.db, by, owner.id, new Date())).toMatchObject({
    isOpenAgain: true,
  })
  expect((await look(page)).status).toBe(403)
})

test('an owner changes people and times; staff see and change only their own', async () => {
  const owner = await joined('owner', 'Made')
  const staff = await joined('staff', 'Putri')
  const at = new Date()
  const number = { venueId, personId: owner.id, kind: 'whatsapp', address: '+6281234567' } as const
  await transaction(doors.db, (tx) => addChannel(tx, doors.sealer, number, 'operator', at))
  const people = (who: typeof owner, fields: Record<string, string>) =>
    textOf(post(`${who.page}/people`, fields, who.headers))
  const seen = async (who: typeof owner) =>
    (await look(`${who.page}/people`, { headers: who.headers })).html
  const html = await seen(owner)
  expect(html).toContain('+62 … 67')
  expect(html).not.toContain('81234567')
  const [, channel = ''] = /name="channel" value="([^"]+)"/.exec(html) ?? []
  expect(await seen(staff)).not.toContain('+62')
  expect((await people(staff, { act: 'end', channel, sure: 'yes' })).status).toBe(404)
  const settings = { act: 'settings', language: 'id', list_at: '20:00', quiet_from: '22:00' }
  const both = { ...settings, quiet_until: '08:00' }
  expect((await people(staff, both)).status).toBe(403)
  const invitation = { act: 'invite', person: randomUUID(), name: 'Ketut', role: 'staff' }
  expect((await people(staff, invitation)).status).toBe(403)
  const link = await people(owner, invitation)
  expect(link.html).toMatch(/<code>http\S+\/venue\/join\/\S+<\/code>/)
  expect((await people(owner, { act: 'end', channel })).html).toContain('Yes, stop using it')
  expect((await people(owner, { act: 'end', channel, sure: 'yes' })).html).toContain('Ended on')
  expect((await people(owner, settings)).status).toBe(400)
  expect((await people(owner, both)).html).toContain('Orang dan')
  expect((await people(owner, { ...both, language: 'en' })).html).toContain('value="22:00"')
  const remove = { act: 'remove', person: staff.id }
  expect((await people(owner, remove)).html).toMatch(
    /<h1>Remove: Putri[\s\S]*signed out everywhere/,
  )
  expect(await seen(staff)).toContain('Putri')
  // An open page of somebody who has been removed does nothing any more.
  await people(owner, { ...remove, sure: 'yes' })
  expect((await people(staff, { act: 'mail', mail: 'a@b.example', agree: 'yes' })).status).toBe(403)
  const origin = { ...owner.headers, origin: 'https://evil.example' }
  expect((await post(`${owner.page}/people`, remove, origin)).status).toBe(403)
  const [, latest] = await selectChanges(doors.db, venueId)
  expect(latest).toMatchObject({ action: 'settings_changed', actor: 'Made' })
})

test('an address that is typed is used once its owner has pressed the button there', async () => {
  const { id, page, headers } = await joined('staff')
  const address = `${randomUUID()}@venue.example`
  const fields = { act: 'mail', mail: address }
  expect((await post(`${page}/people`, fields, headers)).status).toBe(400)
  const sent = await textOf(post(`${page}/people`, { ...fields, agree: 'yes' }, headers))
  expect(sent.html).toContain('We have sent a link')
  const mails = 'select body from mail where recipient = $1'
  const { rows } = await doors.db.query(mails, [address])
  const [url = ''] = /http\S+\/venue\/mail\S+/.exec(rows[0].body) ?? []
  const channels = async () => {
    const text = 'select kind, opted_in_by from notice_channel where person_id = $1'
    return (await doors.db.query(text, [id])).rows
  }
  const token = new URL(url).searchParams.get('token') ?? ''
  const opened = await look(`${doors.url}/venue/mail?token=${token}`)
  expect(opened.html).toContain('Yes, send them here')
  expect(await channels()).toEqual([])
  for (const _ of [1, 2]) {
    expect((await textOf(post(`${doors.url}/venue/mail`, { token }))).html).toContain('Confirmed')
  }
  expect(await channels()).toEqual([{ kind: 'mail', opted_in_by: 'person' }])
  expect((await post(`${doors.url}/venue/mail`, { token: `${token}x` })).status).toBe(410)
})

test('an operator invites people, adds channels, and is told of venues without any', async () => {
  const { rows } = await doors.db.query(
    `update venue set confirm_mode = 'request' where id = $1 returning slug`,
    [otherVenueId],
  )
  const { slug } = rows[0]
  const run = async (...typed: string[]) =>
    `${await runTyped(venueProgram, typed, { db: doors.db, config })}`
  expect(await run('people')).toContain(slug)
  const invited = await run('invite', slug, '--name', 'Nyoman', '--role', 'owner')
  expect(invited).toMatch(/Nobody is told of requests at .*\nhttp\S+\/venue\/join\/\S+$/)
  const [id = ''] = /[\da-f-]{36}/.exec(invited) ?? []
  const add = (...more: string[]) => run('add-channel', slug, '--person', id, ...more)
  await expect(add('--whatsapp', '0812 345')).rejects.toThrow('+62 812')
  const added = await add('--whatsapp', '+62 812 3456 7890')
  expect(added).toContain('whatsapp +62 … 90')
  expect(added).not.toContain('Nobody is told')
  const set = ['--quiet', '22:00-08:00', '--list-at', '20:00', '--language', 'id']
  expect(await run('notify', slug, ...set)).toContain('quiet hours 22:00 to 08:00')
  await expect(run('notify', slug, '--quiet', '9-10')).rejects.toThrow('22:00')
  expect(await run('remove-person', slug, id)).toContain('Nobody is told')
})
