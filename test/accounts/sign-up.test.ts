import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailsTo, openVisitor, tokenIn } from '../support/developers.ts'
import { bearer, type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors

beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

const password = 'correct horse battery'
const keyIn = (html: string) => /service_live_[A-Za-z0-9_-]{43}/.exec(html)?.[0] ?? 'no key'

test('signing up redirects to the quickstart with a working key, shown once', async () => {
  const visitor = openVisitor(doors.url)
  const { status, html, headers } = await visitor.post('/sign-up', {
    email: 'Ayu@Example.com',
    password,
  })
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  const key = keyIn(html)
  for (const label of ['curl', 'TypeScript', 'Python', 'MCP', 'A2A']) {
    expect(html).toContain(`<section data-label="${label}">`)
  }
  const ping = await fetch(`${doors.url}/api/ping`, { headers: bearer(key) })
  expect(ping.status).toBe(200)
  const again = await visitor.get('/dashboard')
  expect(again.status).toBe(200)
  expect(again.html).not.toContain(key)
  expect(visitor.cookie()).not.toContain(key)
  const { rows } = await doors.db.query(
    `select a.tier, a.name from developer d join member m on m.developer_id = d.id
     join account a on a.id = m.account_id where d.email = 'Ayu@Example.com'`,
  )
  expect(rows).toEqual([{ tier: 'free', name: 'Ayu' }])
})

test('a verification email is sent, whose link works once and only by its button', async () => {
  const visitor = openVisitor(doors.url)
  await visitor.post('/sign-up', { email: 'verify@example.com', password })
  const [mail] = await mailsTo(doors.db, 'verify@example.com')
  const link = /http:\S+/.exec(mail ?? '')?.[0] ?? ''
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:3000\/verify-email\?token=/)
  const { search, searchParams } = new URL(link)
  expect((await visitor.get(`/verify-email${search}`)).status).toBe(200)
  expect((await visitor.get('/dashboard/account')).html).toContain('not verified')
  const token = searchParams.get('token') ?? ''
  const confirmed = await visitor.post('/verify-email', { token })
  expect(confirmed.headers.get('location')).toBe('/dashboard/account?done=verified')
  expect((await visitor.get('/dashboard/account')).html).not.toContain('not verified')
  const twice = await visitor.post('/verify-email', { token })
  expect(twice.headers.get('location')).toBe('/dashboard/account?done=verified')
  await doors.db.query(`update mailed_token set used_at = used_at - interval '2 minutes'`)
  expect((await visitor.post('/verify-email', { token })).status).toBe(410)
})

test('a link verifies nothing in the session of another account', async () => {
  const [mine, other] = [openVisitor(doors.url), openVisitor(doors.url)]
  await mine.post('/sign-up', { email: 'present@example.com', password })
  await other.post('/sign-up', { email: 'absent@example.com', password })
  const token = tokenIn((await mailsTo(doors.db, 'absent@example.com'))[0])
  const { headers } = await mine.post('/verify-email', { token })
  expect(headers.get('location')).toBe('/dashboard/account?done=other-account')
  const { html } = await mine.get('/dashboard/account?done=other-account')
  expect(html).toContain('a different account from the one you are signed in to')
  for (const visitor of [mine, other]) {
    expect((await visitor.get('/dashboard/account')).html).toContain('not verified')
  }
  expect((await other.post('/verify-email', { token })).headers.get('location')).toBe(
    '/dashboard/account?done=verified',
  )
})

test('a link verifies nothing without a session; signing in leads back to it', async () => {
  const email = 'clicked@example.com'
  const squatter = openVisitor(doors.url)
  await squatter.post('/sign-up', { email, password })
  const token = tokenIn((await mailsTo(doors.db, email))[0])
  const clicker = openVisitor(doors.url)
  for (const { status, html } of [
    await clicker.get(`/verify-email?token=${token}`),
    await clicker.post('/verify-email', { token }),
  ]) {
    expect(status).toBe(200)
    expect(html).toContain(`/sign-in?next=%2Fverify-email%3Ftoken%3D${token}`)
    expect(html).not.toContain('Verify address')
  }
  expect((await squatter.get('/dashboard/account')).html).toContain('not verified')
  const fields = { email, password, next: `/verify-email?token=${token}` }
  const { headers } = await clicker.post('/sign-in', fields)
  expect(headers.get('location')).toBe(`/verify-email?token=${token}`)
  expect((await clicker.get(`/verify-email?token=${token}`)).html).toContain('Verify address')
  const verified = await clicker.post('/verify-email', { token })
  expect(verified.headers.get('location')).toBe('/dashboard/account?done=verified')
})

test.each([
  ['no address', { email: 'ayu', password }, 'Enter an email address'],
  ['a line break in its address', { email: 'a@b.co\r\nBcc: c@d.co', password }, 'Enter an email'],
  ['two addresses', { email: 'a@b.co,c@d.co', password }, 'Enter an email address'],
  ['a short password', { email: 'short@example.com', password: 'ninechars' }, '10 to 200'],
  ['nothing', {}, 'Enter an email address'],
])('a form with %s is shown again with the error', async (_, fields, sentence) => {
  const { status, html, headers } = await openVisitor(doors.url).post('/sign-up', fields)
  expect(status).toBe(400)
  expect(html).toContain(sentence)
  expect(html).toContain('action="/sign-up"')
  expect(headers.get('set-cookie')).toBeNull()
})

test('input is echoed as text, not as markup', async () => {
  const email = '"><script>alert(1)</script>@example.com'
  const { html } = await openVisitor(doors.url).post('/sign-up', { email, password })
  expect(html).not.toContain('<script>alert')
  expect(html).toContain('&lt;script&gt;')
})

test('an address with an account gets no second account; its owner is notified', async () => {
  await openVisitor(doors.url).post('/sign-up', { email: 'known@example.com', password })
  const stranger = openVisitor(doors.url)
  const answer = await stranger.post('/sign-up', {
    email: 'KNOWN@example.com',
    password: 'another password',
  })
  expect(answer.status).toBe(200)
  expect(answer.html).toContain('Check your inbox')
  expect(stranger.cookie()).toBe('')
  const mails = await mailsTo(doors.db, 'known@example.com', 2)
  expect(mails[1]).toContain('Somebody tried to open an account with this address')
  const { rows } = await doors.db.query(
    `select count(*)::int as accounts from developer where lower(email) = 'known@example.com'`,
  )
  expect(rows).toEqual([{ accounts: 1 }])
})

test('signing up twice with the same password, as by a double click, signs in', async () => {
  const [one, other] = [openVisitor(doors.url), openVisitor(doors.url)]
  const form = { email: 'twice@example.com', password }
  const answers = await Promise.all([one.post('/sign-up', form), other.post('/sign-up', form)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 303])
  for (const visitor of [one, other]) expect((await visitor.get('/dashboard')).status).toBe(200)
  const { rows } = await doors.db.query(
    `select (select count(*)::int from developer where email = 'twice@example.com') as developers,
       (select count(*)::int from account where name = 'twice') as accounts`,
  )
  expect(rows).toEqual([{ developers: 1, accounts: 1 }])
})

test('no secret of a sign-up reaches the log', () => {
  const logged = doors.logged()
  expect(logged).not.toContain(password)
  expect(logged).not.toMatch(/service_live_|token=|@example\.com/i)
})

test('an IP address opens at most twenty accounts per hour', async () => {
  const counted = await openDoors()
  try {
    await counted.db.query(
      `insert into throttle_window (subject, tries, ends_at)
       values (sha256('sign-up by address:127.0.0.1'), 20, now() + interval '10 minutes')`,
    )
    const { status, html, headers } = await openVisitor(counted.url).post('/sign-up', {
      email: 'late@example.com',
      password,
    })
    expect(status).toBe(429)
    expect(html).toContain('Try again in 10 minutes')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(590)
  } finally {
    await counted.close()
  }
})
