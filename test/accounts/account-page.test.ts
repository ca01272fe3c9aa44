import { get as httpGet } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devMailboxUrl } from '../../src/platform/mail/dev-mailbox.ts'
import { browse, mailsTo, openBrowser, openVisitor, type Visitor } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'
import { openTcpProxy } from '../support/tcp-proxy.ts'

let doors: Doors

beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

const password = 'correct horse battery'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function twoSessions(email: string): Promise<[Visitor, Visitor]> {
  const [first, second] = [openVisitor(doors.url), openVisitor(doors.url)]
  await first.post('/sign-up', { email, password })
  await second.post('/sign-in', { email, password }, { 'user-agent': firefox })
  return [first, second]
}

/** The response status for a request with its own `Host` header, as after DNS rebinding. */
const statusFrom = (url: string, host: string) =>
  new Promise((resolve, fail) => {
    httpGet(url, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', fail)
  })

const sessionsOn = (html: string) =>
  [...html.matchAll(/name="session" value="([^"]+)"/g)].map(([, id]) => id ?? '')

test('sessions are listed with their device, and each can be ended', async () => {
  const [first, second] = await twoSessions('list@example.com')
  const { html } = await first.get('/dashboard/account')
  expect(html).toContain('Firefox on Linux')
  expect(sessionsOn(html)).toHaveLength(2)
  const { rows } = await doors.db.query(
    `select id from developer_session where device = 'Firefox on Linux' and id = any($1)`,
    [sessionsOn(html)],
  )
  const ended = await first.post('/dashboard/account/sessions/end', { session: rows[0].id })
  expect(ended.headers.get('location')).toBe('/dashboard/account?done=ended')
  expect((await second.get('/dashboard')).status).toBe(303)
  expect((await first.get('/dashboard')).status).toBe(200)
})

test('only the fifty most recently used sessions are kept', async () => {
  const [first, second] = await twoSessions('many@example.com')
  await doors.db.query(
    `insert into developer_session (id, developer_id, token_hash, device, created_at, seen_at,
     expires_at, proved_at)
     select gen_random_uuid(), s.developer_id, sha256(n::text::bytea), 'Script', s.created_at,
       s.created_at - n * interval '1 minute', s.expires_at, s.proved_at
     from developer_session s join developer d on d.id = s.developer_id, generate_series(1, 60) n
     where d.email = 'many@example.com' and device = 'Firefox on Linux'`,
  )
  const third = openVisitor(doors.url)
  await third.post('/sign-in', { email: 'many@example.com', password })
  expect(sessionsOn((await third.get('/dashboard/account')).html)).toHaveLength(50)
  for (const visitor of [first, second]) {
    expect((await visitor.get('/dashboard')).status).toBe(200)
  }
})

test('every session but the current one can be ended at once', async () => {
  const [first, second] = await twoSessions('others@example.com')
  await second.post('/dashboard/account/sessions/end-others')
  expect((await first.get('/dashboard')).status).toBe(303)
  expect(sessionsOn((await second.get('/dashboard/account')).html)).toHaveLength(1)
})

test('another developer’s session cannot be ended: it is not found', async () => {
  const [first] = await twoSessions('mine@example.com')
  const other = await openBrowser(doors)
  const [theirs = ''] = sessionsOn((await first.get('/dashboard/account')).html)
  const foreign = await other.post('/dashboard/account/sessions/end', { session: theirs })
  const missing = await other.post('/dashboard/account/sessions/end', {
    session: '0197a1f0-0000-7000-8000-000000000000',
  })
  expect([foreign.status, missing.status]).toEqual([404, 404])
  expect((await first.get('/dashboard')).status).toBe(200)
})

test('a new password needs the current one, ends other sessions and sends an email', async () => {
  const email = 'change@example.com'
  const [first, second] = await twoSessions(email)
  const change = (given: string) =>
    first.post('/dashboard/account/password', { password: given, new_password: 'another password' })
  const wrong = await change('not the password')
  expect(wrong.status).toBe(403)
  expect(wrong.html).toContain('Wrong password')
  const before = first.cookie()
  const { headers } = await change(password)
  expect(headers.get('location')).toBe('/dashboard/account?done=password')
  expect(first.cookie()).not.toBe(before)
  expect((await first.get('/dashboard')).status).toBe(200)
  expect((await second.get('/dashboard')).status).toBe(303)
  // Emails about the two sign-ins may come before or after it.
  await eventually('the email', async () => {
    const mails = await mailsTo(doors.db, email)
    return mails.some((mail) => mail.includes('was changed'))
  })
})

test('a new password needs the current one and must differ, even if sent twice', async () => {
  const email = 'twice@example.com'
  const [first] = await twoSessions(email)
  const form = { password, new_password: 'another password' }
  const planted = first.cookie()
  expect((await first.post('/dashboard/account/password', form)).status).toBe(303)
  const kept = first.cookie()
  const again = await first.post('/dashboard/account/password', form)
  expect([again.status, again.html.includes('Wrong password')]).toEqual([403, true])
  const same = { password: form.new_password, new_password: form.new_password }
  const refused = await first.post('/dashboard/account/password', same)
  expect([refused.status, refused.html.includes('The new password is the current one')]).toEqual([
    400,
    true,
  ])
  expect(first.cookie()).toBe(kept)
  const { rows } = await doors.db.query(
    `select count(*)::int as changes from audit_entry
     where action = 'password.changed' and object_name = $1`,
    [email],
  )
  expect(rows).toEqual([{ changes: 1 }])
  expect((await first.get('/dashboard')).status).toBe(200)
  const late = await browse(doors.url, planted).post('/dashboard/account/password', form)
  expect(late.headers.get('location')).toBe('/sign-in?done=ended')
  const { html } = await openVisitor(doors.url).get('/sign-in?done=ended')
  expect(html).toContain('check whether your last action went through')
})

test('guessing the current password from a session is limited like signing in', async () => {
  const [first] = await twoSessions('guess@example.com')
  const guess = () =>
    first.post('/dashboard/account/password', { password: 'guessed', new_password: 'x'.repeat(12) })
  const statuses: number[] = []
  for (let round = 0; round < 11; round += 1) statuses.push((await guess()).status)
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(403))
  expect(statuses[10]).toBe(429)
})

test('the development mailbox shows its emails locally, to whoever has its token', async () => {
  await twoSessions('box@example.com')
  await mailsTo(doors.db, 'box@example.com')
  const visitor = openVisitor(doors.url)
  for (const guess of ['/dev/mail', '/dev/mail?token=', '/dev/mail?token=AAAA']) {
    const { status, html, headers } = await visitor.get(guess)
    expect(status).toBe(403)
    expect(html).not.toContain('box@example.com')
    expect(headers.get('set-cookie')).toBeNull()
  }
  const address = devMailboxUrl('', doors.sealer)
  const { status, html, headers } = await visitor.get(address)
  expect(status).toBe(200)
  expect(html).toContain('box@example.com')
  expect(html).toMatch(/<a href="http:\/\/127\.0\.0\.1:3000\/verify-email\?token=/)
  expect(headers.get('cache-control')).toBe('no-store')
  expect((await visitor.get('/dev/mail')).html).toContain('box@example.com')
  const rebound = await statusFrom(doors.url + address, 'evil.example')
  expect(rebound).toBe(404)
})

test.each([
  ['production', { NODE_ENV: 'production' }],
  ['a mail server', { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'network@example.com' }],
])('with %s there is no mailbox', async (_, overrides) => {
  const others = await openDoors(overrides)
  try {
    expect((await fetch(`${others.url}/dev/mail`)).status).toBe(404)
  } finally {
    await others.close()
  }
})

test('if no email can be sent, no page promises one', async () => {
  const others = await openDoors({ NODE_ENV: 'production', PUBLIC_URL: 'http://127.0.0.1:3000' })
  const email = 'ayu@example.com'
  try {
    const visitor = openVisitor(others.url)
    await visitor.post('/sign-up', { email, password })
    const sent = await visitor.post('/dashboard/account/verification')
    expect(sent.headers.get('location')).toBe('/dashboard/account')
    const stranger = openVisitor(others.url)
    for (const { status, html } of [
      await visitor.get('/dashboard/account'),
      await stranger.get('/forgot-password'),
      await stranger.post('/forgot-password', { email }),
      await stranger.post('/sign-up', { email, password: 'another password' }),
    ]) {
      expect(status).toBe(200)
      expect(html).toContain('This network sends no email.')
      expect(html).not.toMatch(/was sent|on its way|your mail|Send the link/)
    }
  } finally {
    await others.close()
  }
})

test('without the database, a page says so with 503 but does not reveal the cause', async () => {
  let cut = async () => {}
  const lost = await openDoors({}, async (databaseUrl) => {
    const address = new URL(databaseUrl)
    const proxy = await openTcpProxy(address.hostname, Number(address.port))
    cut = proxy.close
    address.port = String(proxy.port)
    return address.href
  })
  const browser = await openBrowser(lost)
  expect((await browser.get('/dashboard')).status).toBe(200)
  await cut()
  const credentials = { email: 'ayu@example.com', password }
  for (const { status, html, headers } of [
    await browser.get('/dashboard'),
    await browser.get('/dashboard/account'),
    await openVisitor(lost.url).post('/sign-in', credentials),
  ]) {
    expect(status).toBe(503)
    expect(html).toContain('A part of the service is not answering')
    expect(html).not.toMatch(/ECONN|Connection terminated|127\.0\.0\.1:\d/)
    expect(headers.get('retry-after')).toBe('5')
  }
  await lost.close()
})
